import Foundation

/// A path for a folder of one test, removed with this value.
public final class TemporaryFolder: Sendable {
    /// The path, which ends in a slash; the folder doesn't exist yet.
    public let path: String

    /// Chooses a new path.
    public init() {
        path = FileManager.default.temporaryDirectory
            .appending(path: "yonder-\(UUID().uuidString)", directoryHint: .isDirectory).path()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes the folder, and returns its path without a slash at the end.
    public func made() throws -> String {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
