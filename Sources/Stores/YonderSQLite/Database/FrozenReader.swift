/// A reader's connection to a database that can't be written, with temporary tables and views of its own.
///
/// A temporary view takes the place of the table of its name, and shows rows as the writer would have arranged
/// them. It may hold copies of rows, so the connection is valid only while nothing is committed: the owner
/// closes it before the next commit.
///
/// `SQLiteFile` opens one at the first read after a failure and closes it before it reopens the database; messages are
/// then read through the views of `RecentRow`. A read that fails is `unavailable`. That it writes to nothing but its
/// temporary tables must stay, and that it is closed before the next commit (decision 16, `SQLiteFileTests`,
/// `StoreFailureTests`).
package final class FrozenReader: Sendable {
    private static let label = "yonder.frozen"
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

    /// Opens the database at `path`, with its write-ahead log if there is one, and runs the statements `views`,
    /// which create the temporary tables and views.
    init(path: String, access: Access, hasLog: Bool, views: String) throws {
        var settings = DatabaseSettings()
        settings.isReadOnly = true
        settings.label = Self.label
        settings.patience = SQLiteFile.lockPatience
        settings.keepLog()
        settings.prepare { database in
            if access == .alone { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        queue = try DatabaseQueue(path: Self.address(path, access, hasLog), settings: settings)
        try queue.inDatabase { try $0.execute(sql: views) }
    }

    /// Whether a connection is of this kind: a query of it can't name an index of a table that a view replaces.
    package static func owns(_ database: Database) -> Bool {
        database.settings.label == label
    }

    /// Runs `body` in one snapshot.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await queue.perform { database in try database.transaction(.deferred) { try body(database) } }
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
}
