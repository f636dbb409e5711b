import YonderSQLite
import YonderStorage
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One backup: a folder that has its name once it is complete, read back, described and flushed.
///
/// The order is copy, read back, manifest, flush, then the name. A failure leaves nothing, and a kill at most `FOLDER.partial`.
enum BackupFolder {
    /// The end of the name of a folder that isn't complete.
    static let partial = ".partial"

    /// Copies a data folder into a new folder.
    ///
    /// - Parameters:
    ///   - data: The data folder.
    ///   - target: The new folder, as its user named it.
    /// - Returns: The description of the copy.
    /// - Throws: ``CommandFailure``; nothing of the copy is left then.
    static func make(of data: String, at target: String) throws -> BackupManifest {
        let folder = URL(fileURLWithPath: target)
        let unfinished = folder.deletingLastPathComponent().appendingPathComponent(
            folder.lastPathComponent + partial
        )
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw CommandFailure("\(target) exists already; name a new folder.")
        }
        try makeEmpty(unfinished)
        do {
            let database = unfinished.appendingPathComponent(StoreBackup.databaseName)
            let (begun, contents) = (Date(), try copy(data, to: database.path))
            let manifest = try BackupManifest(of: database, contents, created: begun)
            try manifest.write(into: unfinished)
            try flush(unfinished)
            try FileManager.default.moveItem(at: unfinished, to: folder)
            try flush(folder.deletingLastPathComponent())
            return manifest
        } catch {
            // On a full disk it would keep the next one, and the server, from writing.
            try? FileManager.default.removeItem(at: unfinished)
            throw error
        }
    }

    private static func copy(_ data: String, to path: String) throws -> StoreBackup.Contents {
        do throws(StorageError) {
            return try StoreBackup.copy(folder: data, to: path)
        } catch {
            throw CommandFailure(error.message)
        }
    }

    /// Makes an empty folder of its owner's, in place of what an earlier command left there.
    private static func makeEmpty(_ folder: URL) throws {
        let files = FileManager.default
        do {
            if files.fileExists(atPath: folder.path) { try files.removeItem(at: folder) }
            try files.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure("\(folder.path) can't be made: \(FileRefusal(error))")
        }
    }

    /// Makes the names in a folder durable.
    private static func flush(_ folder: URL) throws {
        guard StoreBackup.flush(folder: folder.path) else {
            throw CommandFailure("\(folder.path) can't be flushed to the disk.")
        }
    }
}
