#if Postgres
import CLibPQ
import Logging
import Synchronization
import TestSupport
import Testing
import YonderModel

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct SchemaTests {
    @Test func `the indexes that the steps say are those of a database that has run them`() async throws {
        try await TestDatabase.with { database in
            let present = try await database.run(
                """
                SELECT relname FROM pg_class WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace
                """
            )
            #expect(Schema.indexes.all.map(\.name) == present.sorted())
        }
    }

    @Test func `a server doesn't serve a database that lacks an index, and says how it gets it back`()
        async throws
    {
        try await TestDatabase.with { database in
            for name in ["message_by_key", "nonce_by_end"] {
                try await database.run("DROP INDEX \(name)")
                let error = await #expect(throws: PostgreSQLError.self) { try await database.open() }
                #expect(error?.code == .damaged)
                let creation = try #require(Schema.indexes.all.first { $0.name == name }?.creation)
                #expect(error?.message.contains("\(name). ") == true)
                #expect(error?.message.contains(creation) == true)
                try await database.run(creation)
                try await database.withStore { _ in }
            }
            try await database.run("ALTER TABLE pair DROP CONSTRAINT pair_pkey")
            let error = await #expect(throws: PostgreSQLError.self) { try await database.open() }
            #expect(error?.code == .damaged && error?.message.contains("pair_pkey. ") == true)
            // A newer program's steps may have removed it.
            try await database.run("UPDATE schema SET version = version + 1")
            try await database.withStore { _ in }
        }
    }

    @Test func `servers that start while another makes a step wait with a line of the log, and then serve`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.run("DROP SCHEMA public CASCADE")
            try await database.run("CREATE SCHEMA public")
            let other = try database.connect()
            defer { PQfinish(other) }
            PQclear(PQexec(other, "SELECT pg_advisory_lock(7923006741)"))
            let lines = LogLines()
            try await withThrowingTaskGroup(of: Void.self) { servers in
                for _ in 0..<3 {
                    servers.addTask {
                        let address = try PostgreSQLAddress(database.server.address(of: database.name))
                        try await PostgreSQLStore.open(address, for: .node, logger: lines.logger).close()
                    }
                }
                while lines.all.filter({ $0.contains("Another server brings") }).count < 3 {
                    await Task.yield()
                }
                #expect(try await database.run("SELECT to_regclass('schema') IS NULL") == ["t"])
                PQclear(PQexec(other, "SELECT pg_advisory_unlock(7923006741)"))
                try await servers.waitForAll()
            }
            #expect(try await database.run("SELECT version > 0 FROM schema") == ["t"])
        }
    }

    @Test func `a step waits for a lock in short tries, so that nobody waits behind it`() async throws {
        try await TestDatabase.with { database in
            let reader = try database.connect()
            defer { PQfinish(reader) }
            PQclear(PQexec(reader, "BEGIN; LOCK TABLE account IN ACCESS SHARE MODE"))
            let lines = LogLines()
            let link = database.upkeepLink()
            let schema = SchemaConnection(over: link, logger: lines.logger)
            async let change: Void = schema.transaction { transaction in
                let timeout = "SET LOCAL lock_timeout = \(SchemaConnection.lockTimeout)"
                try await transaction.execute(Statement(once: timeout))
                try await transaction.execute(Statement(once: "ALTER TABLE account ADD COLUMN tried bigint"))
            }
            while !lines.all.contains(where: { $0.contains("another connection uses them") }) {
                await Task.yield()
            }
            // The waits of other readers are those of the lock timeout.
            #expect(
                try await database.run("SET statement_timeout = 1000; SELECT count(*) FROM account") == ["0"]
            )
            PQclear(PQexec(reader, "COMMIT"))
            try await change
            #expect(try await database.run("SELECT count(tried) FROM account") == ["0"])
            await link.close()
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a step whose process is killed ends within seconds, and is made by the next start`() async throws {
        try await TestDatabase.with { database in
            let killed = database.upkeepLink()
            let step = Task {
                try await SchemaConnection(over: killed, logger: Logger(label: "test")).transaction {
                    transaction in
                    try await transaction.execute(Statement(once: "CREATE TABLE half (id bigint)"))
                    try await transaction.execute(Statement(once: "SELECT pg_sleep(3600)"))
                }
            }
            let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(3600)%'"
            let here = " AND datname = current_database()"
            while try await database.run(sleeping + here) != ["1"] { await Task.yield() }
            killed.abandon()
            step.cancel()
            let next = database.upkeepLink()
            _ = try await SchemaConnection(over: next, logger: Logger(label: "test")).transaction {
                transaction in
                try await transaction.execute(Statement(once: "CREATE TABLE half (id bigint)"))
            }
            await next.close()
            _ = try? await step.value
            await killed.close()
        }
    }
}

extension TestDatabase {
    /// A connection beside every store.
    func connect() throws -> OpaquePointer {
        guard let connection = PQconnectdb(server.address(of: name)), PQstatus(connection) == CONNECTION_OK
        else {
            throw DatabaseServer.Failure(message: "The database can't be reached.")
        }
        return connection
    }

    fileprivate func upkeepLink() -> Link {
        // The address was checked when the database was made.
        guard let address = try? PostgreSQLAddress(server.address(of: name)) else {
            preconditionFailure("The address of a test's database can be read.")
        }
        return Link(address, for: .upkeep) { _ in }
    }
}

/// Keeps what is logged.
private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: LogLines
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.lines.withLock { $0.append("\(event.message)") } }
    }
}
#endif
