import Foundation

/// A folder that is gone with this value.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory
            .appending(path: "yonder-\(UUID().uuidString)", directoryHint: .isDirectory).path()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
