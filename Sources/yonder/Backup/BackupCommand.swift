import ArgumentParser
import YonderStorage
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Copies a data folder's database while its server runs: `yonder backup`.
///
/// Any failure is a ``CommandFailure`` and a status other than 0. With `--into` the copy has the time as its name, and what is
/// over is removed before the copy is made: a disk that was full has room again once copies are old enough.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the data folder into a new folder, also while the server runs.",
        discussion: """
            The copy has every message that was acknowledged before it began, and nothing that was erased before. It is read
            back and checked before the command ends. The folder appears when the copy is complete: a command that fails
            leaves nothing, and one that is killed at most FOLDER.partial, which the next one replaces.

            With --into the copy's name is the time. First the copies with such names that are older than --keep-days are
            removed, but for the newest good one, and what interrupted commands left.

            Examples:
              yonder backup backups/2026-11-22 --data yonder-data
              yonder backup --into /var/lib/yonder-backups --keep-days 14
            """
    )

    @Argument(help: ArgumentHelp("The folder to make; it must not be there.", valueName: "folder"))
    var target: String?

    @Option(
        help: ArgumentHelp(
            "The folder of many copies, in which one is made with the time as its name.",
            valueName: "folder"
        )
    )
    var into: String?

    @Option(help: "How many days the copies in --into are kept. (default: all)")
    var keepDays: Int?

    @Option(
        help: ArgumentHelp(
            "The server's data folder. (default: that of the service that is installed)",
            valueName: "folder"
        )
    )
    var data: String?

    @Option(help: ArgumentHelp("A PostgreSQL database; says what copies one.", valueName: "url"))
    var store: String?

    func validate() throws {
        guard (target == nil) != (into == nil) else {
            throw ValidationError("Name the folder to make, or with --into the folder of many copies.")
        }
        guard keepDays == nil || into != nil else { throw ValidationError("--keep-days needs --into.") }
        if let keepDays, !(1...36_500).contains(keepDays) {
            throw ValidationError("keep-days must be in 1…36500; it is \(keepDays).")
        }
    }

    func run() async throws {
        let found = try FoundPlace(
            data: data,
            store: store,
            environment: ProcessInfo.processInfo.environment
        )
        found.announce()
        guard case .folder(let data) = found.place else {
            throw CommandFailure(
                """
                store: PostgreSQL has programs of its own for this. One copy: pg_dump --format=custom --file=yonder.dump URL. \
                Continuous, with every acknowledged message: pgbackrest, or pg_basebackup and archived WAL.
                """
            )
        }
        try FolderOwner.become(of: data)
        let target = try target ?? place()
        let manifest = try BackupFolder.make(of: data, at: target)
        BackupMark(of: manifest).write(into: data)
        print(
            """
            \(target): \(manifest.bytes) bytes, \(manifest.accounts) accounts, \(manifest.chats) chats, \
            \(manifest.messages) messages, \(manifest.objects) objects; read back and checked.
            """
        )
    }

    /// The new folder among many, after what is over was removed there.
    private func place() throws -> String {
        let shelf = try BackupShelf.lock(into ?? "")
        let now = Date()
        for name in try shelf.tidy(keepDays: keepDays, now: now) { print("\(shelf.path)/\(name): removed") }
        return "\(shelf.path)/\(BackupPlan.name(at: now))"
    }
}
