import GRDB
import YonderModel

/// A reader's connection that sees every stored message in `message`, even those that are only in `recent`.
///
/// For a disk that can't be written, where messages can't be moved. It copies the rows of `recent` into
/// memory, and replaces the table by a temporary view `message` over both. Valid only while nothing is
/// committed: the owner closes it before the next commit.
final class SettledReader: Sendable {
    private static let label = "yonder.settled"
    private let queue: DatabaseQueue

    /// How the database is opened.
    enum Access {
        /// Together with other connections of this process.
        case shared
        /// As the only connection, on a disk or in a folder that can't be written.
        ///
        /// Nothing is locked (`unix-none`), and the index of the log is kept in memory. The folder's lock
        /// keeps other processes out.
        case alone
    }

    /// Opens the database at `path`, with its write-ahead log if there is one.
    init(path: String, access: Access, hasLog: Bool) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = Self.label
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(10)
        configuration.keepLog()
        configuration.prepareDatabase { database in
            if access == .alone { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        queue = try DatabaseQueue(path: Self.address(path, access, hasLog), configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: Self.view) }
    }

    /// Whether a connection is of this kind, for which a query can't name an index.
    static func owns(_ database: Database) -> Bool {
        database.configuration.label == label
    }

    /// Runs `body` in one snapshot.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        queue.asyncRead { access in
            completion(Result { try body(access.get()) })
        }
    }

    /// Runs `body` in one snapshot, and returns its result.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.read(body)
    }

    /// Closes the connection after active reads; further reads are refused.
    func close() {
        try? queue.close()
    }

    private static func address(_ path: String, _ access: Access, _ hasLog: Bool) -> String {
        guard access == .alone else { return path }
        let escaped = path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0x80...: "%" + hex(byte)
            default: String(UnicodeScalar(byte))
            }
        }
        return "file:\(escaped.joined())?" + (hasLog ? "mode=ro&vfs=unix-none" : "immutable=1")
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static let columns =
        "chat, number, sender, tag, content, data, time, expires, isRecalled, key, fingerprint, written, share, late"

    private static let view = """
        CREATE TEMP TABLE waiting (
            chat INTEGER NOT NULL, number INTEGER NOT NULL, sender INTEGER NOT NULL, tag TEXT NOT NULL,
            content BLOB NOT NULL, data BLOB, time INTEGER NOT NULL, expires INTEGER,
            isRecalled INTEGER NOT NULL DEFAULT 0, key BLOB, fingerprint INTEGER NOT NULL, written INTEGER,
            share INTEGER, late INTEGER,
            PRIMARY KEY (chat, number)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX temp.waitingBySender ON waiting (chat, sender, tag, number);
        INSERT INTO waiting (
            chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
        )
        SELECT chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
        FROM main.recent
        WHERE \(RecentRow.isWaiting);
        CREATE TEMP VIEW message AS SELECT \(columns) FROM main.message UNION ALL SELECT \(columns) FROM waiting;
        """
}
