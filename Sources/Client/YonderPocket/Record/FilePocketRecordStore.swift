public import Foundation

/// A ``PocketRecord`` in a file, which is replaced in one step.
///
/// An app makes one at each launch, for its ``PocketSharing``, the one caller. A file that can't be written throws, and the
/// pocket then removes the record, so that no older one stays. The folder, the name `pocket.json` and the content must stay,
/// because an update of the app finds the file of the version before (`PocketRecord+Codable.swift`, `PocketRecordTests`).
///
/// On iOS an app's files are readable from the first unlock after a start on, unless the app asks for more protection: leave
/// the folder's protection at this default. A file that exists and can't be read is `locked`. The file isn't part of the
/// device's backups.
@MainActor public final class FilePocketRecordStore: PocketRecordStore {
    private let folder: URL
    private var file: URL { folder.appending(path: "pocket.json") }

    /// Creates a store.
    ///
    /// - Parameter folder: The folder, such as the app's *Application Support*; created if it is missing.
    public init(folder: URL) {
        self.folder = folder
    }

    /// Reads the file.
    ///
    /// - Returns: `nothing` without a file, and for a file that is no record.
    public func read() -> PocketReading {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: file)
        } catch {
            return FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
                ? .locked : .nothing
        }
        return (try? JSONDecoder().decode(PocketRecord.self, from: bytes)).map(PocketReading.record)
            ?? .nothing
    }

    /// Replaces the file, and creates the folder if it is missing.
    ///
    /// - Throws: What the file system throws.
    public func keep(_ record: PocketRecord) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(record).write(to: file, options: .atomic)
        var (file, values) = (file, URLResourceValues())
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
    }

    /// Removes the file, if there is one.
    ///
    /// - Throws: What the file system throws.
    public func remove() throws {
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return }
        try FileManager.default.removeItem(at: file)
    }
}
