import Synchronization
import YonderModel
import YonderSQLite

/// Connections to one gazetteer, each with a thread of its own while it reads.
///
/// `Gazetteer` has one, and reads on it for each search, off the event loops. Opening fails with a `StorageError` for a
/// file that is no gazetteer, of another version, or has no attribution, which ends the start. The number of the format
/// is that of `Scripts/build-gazetteer`: raise both together. ``inFlightLimit`` may be changed (`GazetteerSearchTests`).
final class GazetteerReaders: Sendable {
    /// The most searches under way or queued; further ones are refused.
    static let inFlightLimit = 64

    private let readers: [DatabaseQueue]
    private let inFlight: Mutex<[Int]>

    /// Opens `count` connections.
    init(_ contents: GazetteerContents, count: Int) throws(StorageError) {
        var readers: [DatabaseQueue] = []
        for _ in 0..<count { readers.append(try contents.open()) }
        self.readers = readers
        inFlight = Mutex(Array(repeating: 0, count: count))
    }

    /// Reads on the connection with the fewest searches.
    ///
    /// - Throws: `tooManyRequests` at ``inFlightLimit``; `geocoderUnavailable` if the file can't be read, or
    ///   the task was canceled, which ends the read.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        let reader = try enter()
        defer { inFlight.withLock { $0[reader] -= 1 } }
        do {
            return try await readers[reader].read(body)
        } catch {
            throw SharingError(.geocoderUnavailable, "The gazetteer can't be read: \(error)")
        }
    }

    private func enter() throws(SharingError) -> Int {
        let reader: Int? = inFlight.withLock { counts in
            guard counts.reduce(0, +) < Self.inFlightLimit else { return nil }
            let idlest = counts.indices.min { counts[$0] < counts[$1] } ?? 0
            counts[idlest] += 1
            return idlest
        }
        guard let reader else {
            throw SharingError(.tooManyRequests, "Too many searches at once.", retryAfter: .seconds(1))
        }
        return reader
    }
}

/// The storage of a gazetteer.
enum GazetteerContents: Sendable {
    /// "YNGZ", and the only version of the format.
    private static let application = 0x594E_475A
    private static let schema = 1

    case file(String)
    case memory(ImmortalBytes)

    /// Opens a read-only connection.
    func open() throws(StorageError) -> DatabaseQueue {
        do {
            let queue = try connect()
            let marks = try queue.read { database in
                (
                    try Int.fetchOne(database, sql: "PRAGMA application_id"),
                    try Int.fetchOne(database, sql: "PRAGMA user_version")
                )
            }
            guard marks.0 == Self.application else {
                throw StorageError(.corrupt, "\(name) is not a gazetteer.")
            }
            guard marks.1 == Self.schema else {
                throw StorageError(
                    .newerVersion,
                    "\(name) has version \(marks.1 ?? 0); this program reads version \(Self.schema)."
                )
            }
            return queue
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .cannotOpen {
            throw StorageError(.inaccessible, "\(name) can't be opened.")
        } catch {
            throw StorageError(.corrupt, "\(name) can't be read: \(error)")
        }
    }

    /// The credit that the file requires.
    func attribution() throws(StorageError) -> String {
        let sql = "SELECT value FROM meta WHERE key = 'attribution'"
        do {
            let found = try connect().read { try String.fetchOne($0, sql: sql) }
            if let found { return found }
        } catch {
            throw StorageError(.corrupt, "\(name) can't be read: \(error)")
        }
        throw StorageError(.corrupt, "\(name) has no attribution; make it with Scripts/build-gazetteer.")
    }

    private var name: String {
        switch self {
        case .file(let path): path
        case .memory: "The gazetteer in the program"
        }
    }

    private func connect() throws -> DatabaseQueue {
        var settings = DatabaseSettings()
        settings.label = "yonder.gazetteer"
        switch self {
        case .file(let path):
            settings.isReadOnly = true
            return try DatabaseQueue(path: path, settings: settings)
        case .memory(let bytes):
            settings.prepare { database in try bytes.attach(to: database) }
            return try DatabaseQueue(settings: settings)
        }
    }
}

/// Bytes that stay in place, unchanged, as long as the program runs.
struct ImmortalBytes: @unchecked Sendable {
    // Safe because the bytes are never written.
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Attaches the bytes as a connection's main database, without copying.
    fileprivate func attach(to database: Database) throws {
        try database.attach(bytes)
    }
}
