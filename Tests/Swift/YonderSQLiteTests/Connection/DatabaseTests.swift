import Foundation
import TestSupport
import Testing

@testable import YonderSQLite

struct DatabaseTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.inDatabase {
            try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, word, UNIQUE (word))")
        }
    }

    @Test func `a value is read as it was bound, also an empty one and none`() throws {
        try queue.inDatabase { (database: Database) throws in
            let sql = "SELECT ?"
            #expect(try Int64.fetchOne(database, sql: sql, arguments: [Int64.min]) == .min)
            #expect(try Double.fetchOne(database, sql: sql, arguments: [-0.5]) == -0.5)
            #expect(try Bool.fetchOne(database, sql: sql, arguments: [true]) == true)
            #expect(try String.fetchOne(database, sql: sql, arguments: [""])?.isEmpty == true)
            #expect(try String.fetchOne(database, sql: sql, arguments: ["ä🦊"]) == "ä🦊")
            #expect(
                try [UInt8].fetchOne(database, sql: "SELECT typeof(?1) = 'blob'", arguments: [[UInt8]()]) == [
                    49
                ]
            )
            #expect(try [UInt8].fetchOne(database, sql: sql, arguments: [[0, 255]]) == [0, 255])
            #expect(try Int.fetchOne(database, sql: sql, arguments: [nil]) == nil)
            #expect(try Int.fetchOne(database, sql: "SELECT 1 WHERE 0") == nil)
            #expect(try Int.fetchAll(database, sql: "VALUES (1), (NULL), (3)") == [1, 3])
        }
    }

    @Test func `a transaction whose body throws changes nothing, and the next one begins`() throws {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try queue.write { database in
                try database.execute(sql: "INSERT INTO item (word) VALUES ('a')")
                throw Refusal()
            }
        }
        try queue.write { try $0.execute(sql: "INSERT INTO item (word) VALUES (?)", arguments: ["b"]) }
        #expect(try queue.read { try String.fetchAll($0, sql: "SELECT word FROM item") } == ["b"])
    }

    @Test func `a transaction that SQLite itself has rolled back throws that failure`() throws {
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { database in
                try database.execute(sql: "INSERT INTO item (word) VALUES ('a')")
                try database.execute(sql: "INSERT OR ROLLBACK INTO item (word) VALUES ('a')")
            }
        }
        #expect(error?.resultCode == .constraint && error?.extendedResultCode != .constraint)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 0)
    }

    @Test func `a failure in the middle of several statements keeps those before it`() throws {
        try queue.inDatabase { (database: Database) throws in
            #expect(throws: DatabaseError.self) {
                try database.execute(
                    sql: "INSERT INTO item (word) VALUES ('a'); INSERT INTO nowhere VALUES (1)"
                )
            }
            #expect(database.changesCount == 1 && database.lastInsertedRowID == 1)
        }
    }

    @Test(arguments: ["", "SELECT 1; SELECT 2", "-- nothing"])
    func `a text that isn't one statement is refused`(sql: String) throws {
        try queue.inDatabase { (database: Database) throws in
            let error = #expect(throws: DatabaseError.self) { _ = try Int.fetchOne(database, sql: sql) }
            #expect(error?.resultCode == .misuse)
        }
    }

    @Test func `a statement is prepared once, and goes on after the schema has changed`() throws {
        try queue.inDatabase { (database: Database) throws in
            let kept = KeptStatement("INSERT INTO item (word) VALUES (?)")
            for word in ["a", "b"] {
                let statement = try Statement(database, kept)
                statement.bind(text: word, at: 1)
                #expect(try statement.run() == 1)
                try database.execute(sql: "CREATE TABLE \(word) (id)")
            }
            #expect(
                try kept.statement(in: database) === database.prepared("INSERT INTO item (word) VALUES (?)")
            )
            let other = try Database(path: ":memory:", settings: DatabaseSettings())
            #expect(throws: DatabaseError.self) { _ = try kept.statement(in: other) }
        }
    }

    @Test func `a closed connection refuses, and its file can be opened again`() throws {
        let folder = TemporaryFolder()
        let path = try "\(folder.made())/any.db"
        let first = try DatabaseQueue(path: path)
        try first.write { try $0.execute(sql: "CREATE TABLE item (id)") }
        try first.close()
        try first.close()
        let error = #expect(throws: DatabaseError.self) { try first.read { _ in } }
        #expect(error?.resultCode == .misuse)
        let second = try DatabaseQueue(path: path)
        #expect(try second.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 0)
    }

    @Test func `a file that is no database can't be opened, nor a folder that isn't there`() throws {
        let folder = TemporaryFolder()
        let path = try "\(folder.made())/any.db"
        try Array(repeating: "no database at all ", count: 100).joined()
            .write(toFile: path, atomically: true, encoding: .utf8)
        let damaged = #expect(throws: DatabaseError.self) { _ = try DatabaseQueue(path: path) }
        #expect(damaged?.resultCode == .notADatabase)
        let missing = #expect(throws: DatabaseError.self) {
            _ = try DatabaseQueue(path: "\(path)/nowhere/any.db")
        }
        #expect(missing?.resultCode == .cannotOpen)
    }

    @Test func `a canceled read ends, and the read after it on the same connection doesn't`() async throws {
        let endless =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let started = Recorder<Bool>()
        let reading = Task { [queue] in
            try await queue.read { database in
                started.record(true)
                return try Int.fetchOne(database, sql: endless)
            }
        }
        await started.wait(for: 1)
        // SQLite forgets an interruption that comes before the statement runs.
        let counting = Task { [queue] in try await queue.read { try Int.fetchOne($0, sql: "SELECT 7") } }
        reading.cancel()
        await #expect(throws: (any Error).self) { _ = try await reading.value }
        #expect(try await counting.value == 7)
        let canceled = Task { [queue] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.read { _ in 1 }
        }
        await #expect(throws: CancellationError.self) { _ = try await canceled.value }
    }
}
