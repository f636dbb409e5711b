import ArgumentParser
import YonderSQLite
import YonderStorage
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Copies a data folder's database while its server runs: `yonder backup`.
///
/// Run by an operator or the unit `yonder-backup.service`. Any failure is a ``CommandFailure`` and a status other than
/// 0, and leaves at most `FOLDER.partial`. The order must stay: copy, read back, manifest, flush, then the name, as a
/// folder with its final name is taken for a whole backup (`test_backup.py`, with kills; `Documentation/operations.md`).
/// The printed line may be changed.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the data folder into a new folder, also while the server runs.",
        discussion: """
            The copy has every message that was acknowledged before it began, and nothing that was erased before. It is read
            back and checked before the command ends. The folder appears when the copy is complete: a command that is
            killed leaves at most FOLDER.partial, which the next one replaces.

            Example:
              yonder backup backups/2026-11-22 --data yonder-data
            """
    )

    @Argument(help: ArgumentHelp("The folder to make; it must not be there.", valueName: "folder"))
    var target: String

    @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("A PostgreSQL database; says what copies one.", valueName: "url"))
    var store: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard case .folder(let data) = try StorePlace(data: data, store: store, environment: environment)
        else {
            throw CommandFailure(
                """
                store: PostgreSQL has programs of its own for this. One copy: pg_dump --format=custom --file=yonder.dump URL. \
                Continuous, with every acknowledged message: pgbackrest, or pg_basebackup and archived WAL.
                """
            )
        }
        try FolderOwner.become(of: data)
        let folder = URL(fileURLWithPath: target)
        let partial = folder.deletingLastPathComponent().appendingPathComponent(
            folder.lastPathComponent + ".partial"
        )
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw CommandFailure("\(target) exists already; name a new folder.")
        }
        try BackupFolder.makeEmpty(partial)
        let database = partial.appendingPathComponent(StoreBackup.databaseName)
        let (begun, contents) = (Date(), try copy(data, to: database.path))
        let manifest = try BackupManifest(of: database, contents, created: begun)
        try manifest.write(into: partial)
        try BackupFolder.flush(partial)
        try FileManager.default.moveItem(at: partial, to: folder)
        try BackupFolder.flush(folder.deletingLastPathComponent())
        print(
            """
            \(target): \(manifest.bytes) bytes, \(manifest.accounts) accounts, \(manifest.chats) chats, \
            \(manifest.messages) messages, \(manifest.objects) objects; read back and checked.
            """
        )
    }

    private func copy(_ data: String, to path: String) throws -> StoreBackup.Contents {
        do throws(StorageError) {
            return try StoreBackup.copy(folder: data, to: path)
        } catch {
            throw CommandFailure(error.message)
        }
    }
}

/// The folder that a backup is written into.
enum BackupFolder {
    /// Makes an empty folder of its owner's, in place of what an earlier command left there.
    static func makeEmpty(_ folder: URL) throws {
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
    static func flush(_ folder: URL) throws {
        guard StoreBackup.flush(folder: folder.path) else {
            throw CommandFailure("\(folder.path) can't be flushed to the disk.")
        }
    }
}
