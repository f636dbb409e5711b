import Crypto
import Foundation
import YonderStorage

/// A backup's description, in its file `backup.json`.
struct BackupManifest: Codable, Equatable {
    /// The name of its file.
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
    /// The version of the database's schema.
    var version: Int
    var accounts: Int
    var chats: Int
    var messages: Int
    var objects: Int

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
    /// - Throws: ``CommandFailure`` if there is none, or it is of another layout.
    init(folder: URL) throws {
        let file = folder.appendingPathComponent(Self.name)
        guard let data = try? Data(contentsOf: file) else {
            throw CommandFailure("\(folder.path) isn't a backup: it has no file \(Self.name).")
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

    /// Writes it into `folder` and flushes it.
    func write(into folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let file = folder.appendingPathComponent(Self.name)
        try encoder.encode(self).write(to: file)
        let handle = try FileHandle(forUpdating: file)
        try handle.synchronize()
        try handle.close()
    }

    /// Checks that a database is the one that this was written for.
    ///
    /// - Throws: ``CommandFailure`` if its size or checksum differs.
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
        guard let handle = try? FileHandle(forReadingFrom: file) else {
            throw CommandFailure("\(file.path) can't be read.")
        }
        defer { try? handle.close() }
        var (hash, bytes) = (SHA256(), Int64(0))
        while let block = try handle.read(upToCount: 1 << 20), !block.isEmpty {
            hash.update(data: block)
            bytes += Int64(block.count)
        }
        return (hash.finalize().map { String(format: "%02x", $0) }.joined(), bytes)
    }
}
