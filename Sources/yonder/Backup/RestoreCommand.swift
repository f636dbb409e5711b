import ArgumentParser
import YonderHub
import YonderModel
import YonderSQLite
import YonderStorage
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes a data folder of a backup: `yonder restore`.
///
/// An operator runs it, with a new folder; no server may use that. Any failure is a ``CommandFailure`` and leaves at
/// most an unnamed copy, so that the command can be run again. Manifest and checksum must be checked before the store is
/// asked (`test_backup.py`, `Documentation/operations.md`). The printed lines may be changed.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a data folder of a backup.",
        discussion: """
            The data folder must be new or empty, and no server may use it. Sign-ins of browsers, tokens, sign-in links and
            invitations aren't restored, because some may have been ended or used since the backup, and shares that ran then
            have ended. Passwords are those of the backup: set those anew that were changed since. The
            database appears when it is complete: a command that is killed can be run again. Root makes the folder of
            the service that is installed as that service's user.

            Example:
              yonder restore backups/2026-11-22 --data yonder-data
            """
    )

    @Argument(help: ArgumentHelp("The backup's folder.", valueName: "folder"))
    var backup: String

    @Option(
        help: ArgumentHelp(
            "The data folder to make. (default: that of the service that is installed)",
            valueName: "folder"
        )
    )
    var data: String?

    @Flag(
        help: """
            Keep the tokens of programs and phones, those that were removed since the backup among them; tokens made with \
            --may accounts are never kept.
            """
    )
    var keepTokens = false

    func run() async throws {
        let found = try FoundPlace(data: data, store: nil, environment: ProcessInfo.processInfo.environment)
        found.announce()
        guard let data = found.place.folder else {
            throw CommandFailure(
                "This server keeps everything in a database, which pg_restore restores. For a folder: --data FOLDER."
            )
        }
        if found.isService { try FolderOwner.make(data, for: Self.user) }
        try FolderOwner.become(of: data)
        let folder = URL(fileURLWithPath: backup)
        let manifest = try BackupManifest(folder: folder)
        let database = folder.appendingPathComponent(StoreBackup.databaseName)
        try manifest.check(database)
        do throws(StorageError) {
            try StoreBackup.restore(database.path, into: data, at: .now, keepsTokens: keepTokens)
        } catch {
            throw CommandFailure(error.message)
        }
        let created = Date(timeIntervalSince1970: Double(manifest.created) / 1_000)
        print(
            """
            \(data) is as it was at \(created.formatted(.iso8601)): \(manifest.accounts) accounts, \
            \(manifest.chats) chats, \(manifest.messages) messages, \(manifest.objects) objects. \
            Browsers\(keepTokens ? "" : " and programs") must sign in again: yonder user link --data \(data) and yonder user \
            token. Shares that ran then have ended. Passwords are those of the backup: set those anew that were changed since.
            """
        )
        if geteuid() == 0 {
            print("The folder is root's. For a server of another user: chown -R \(Self.user): \(data)")
        }
    }

    /// The user that the package makes for its service.
    private static let user = "yonder"
}
