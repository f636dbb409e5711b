import Crypto
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

/// A backup's description, in its file `backup.json`.
///
/// `BackupCommand` makes one once the database is copied and read back, and writes it before the folder gets its name.
/// `RestoreCommand` reads it, and checks the copy's size and checksum before anything is written. Only these two read it;
/// both print the counts, so that an operator sees whether the copy is the one that was meant. Every failure is a
/// ``CommandFailure``, or the file system's error while it is written: it ends the command, and nothing is restored.
///
/// The names of the properties are the keys in the file: with one that is renamed, or new and not optional, no earlier
/// file can be read; without one that is removed, earlier programs read no new file. Raise ``currentFormat`` when an
/// earlier program would restore the new layout wrongly, and then have ``init(folder:)`` still read the earlier formats:
/// operators keep backups for years. Order of keys and indentation may change. `test_backup.py` makes, damages and
/// restores backups; `Documentation/operations.md` names the file's content.
struct BackupManifest: Codable, Equatable {
    /// The file's name, inside the backup's folder.
    static let name = "backup.json"

    /// The layout of a backup that this program writes, and the only one it reads.
    static let currentFormat = 1

    /// The layout of the backup's folder.
    var format = currentFormat
    /// When it was begun, in milliseconds since 1970.
    var created: Int64
    /// The size of the database, in bytes.
    var bytes: Int64
    /// The SHA-256 of the database, in hexadecimal.
    var sha256: String
    /// The version of the database's schema, for people: the store checks the database's own number.
    var version: Int
    /// How many accounts, chats, messages and objects the copy has: for people to read, checked by nothing.
    var accounts: Int
    var chats: Int
    var messages: Int
    var objects: Int

    /// Describes a copy, of which it reads all bytes.
    ///
    /// - Throws: ``CommandFailure`` if the copy can't be read.
    init(of database: URL, _ contents: StoreBackup.Contents, created: Date) throws {
        (sha256, bytes) = try Self.digest(of: database)
        self.created = Int64(created.timeIntervalSince1970 * 1_000)
        version = contents.version
        accounts = contents.accounts
        chats = contents.chats
        messages = contents.messages
        objects = contents.objects
    }

    /// Reads the manifest of the backup in `folder`.
    ///
    /// - Throws: ``CommandFailure`` if there is no file, it can't be read, it is no JSON with these keys, or its format isn't
    ///   ``currentFormat``;
    ///   for a lower format, too, the message asks for a newer program, but no program ever wrote one.
    init(folder: URL) throws {
        let file = folder.appendingPathComponent(Self.name)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw CommandFailure(Self.refusal(of: folder, error))
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw CommandFailure("\(file.path) can't be read: \(error)")
        }
        guard format == Self.currentFormat else {
            throw CommandFailure(
                "\(file.path) has format \(format); this program reads format \(Self.currentFormat). Use a newer program."
            )
        }
    }

    /// Why a backup's description can't be read: a folder without one is no backup, and one that this user may not read is.
    private static func refusal(of folder: URL, _ error: any Error) -> String {
        let file = folder.appendingPathComponent(name).path
        if access(file, R_OK) != 0, errno == ENOENT || errno == ENOTDIR {
            return access(folder.path, F_OK) == 0
                ? "\(folder.path) isn't a backup: it has no file \(name)."
                : "There is no folder \(folder.path)."
        }
        let user = UserName.current
        return """
            \(file) can't be read by the user \(user): \(FileRefusal(error)). Put the backup into a folder that \
            this user may enter, and give it to the user: sudo chown -R \(user): \(folder.path)
            """
    }

    /// Writes the file into `folder` and flushes it to the disk.
    ///
    /// - Throws: ``CommandFailure`` if it can't be flushed; the error of the file system if it can't be written.
    func write(into folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let file = folder.appendingPathComponent(Self.name)
        try encoder.encode(self).write(to: file)
        guard FileFlush.flush(file.path) else {
            throw CommandFailure("\(file.path) can't be flushed to the disk.")
        }
    }

    /// Checks that a database is the one that this was written for.
    ///
    /// - Throws: ``CommandFailure`` if its size or checksum differs, or it can't be read.
    func check(_ database: URL) throws {
        let (found, size) = try Self.digest(of: database)
        guard found == sha256, size == bytes else {
            throw CommandFailure(
                """
                \(database.path) is damaged: its SHA-256 is \(found) with \(size) bytes; \(Self.name) says \(sha256) with \
                \(bytes) bytes. Nothing was restored.
                """
            )
        }
    }

    private static func digest(of file: URL) throws -> (sha256: String, bytes: Int64) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(
                "\(file.path) can't be read by the user \(UserName.current): \(String(cString: strerror(errno)))."
            )
        }
        defer { close(descriptor) }
        var (hash, bytes) = (SHA256(), Int64(0))
        var block = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CommandFailure("\(file.path) can't be read.") }
            if count == 0 { break }
            hash.update(data: block[..<count])
            bytes += Int64(count)
        }
        return (hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), bytes)
    }
}
