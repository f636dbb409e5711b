#if Postgres
import CLibPQ
import Foundation
import Logging
import TestSupport
import Testing
import YonderModel
import YonderRules

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLUpkeepTests {
    @Test func `each piece of work is due at its own interval`() {
        var plan = UpkeepPlan()
        let start = ContinuousClock.now
        #expect(plan.take(at: start) == [.endStuck, .analyze, .vacuum])
        #expect(plan.take(at: start + .seconds(1)) == [])
        #expect(plan.take(at: start + .seconds(2)) == [.endStuck, .analyze])
        #expect(plan.take(at: start + .seconds(60)) == [.endStuck, .analyze, .vacuum])
        #expect(plan.take(at: start + .seconds(61)) == [])
    }

    @Test func `a server that froze with a chat locked is cut off, and the others write`() async throws {
        try await TestDatabase.with { database in
            try await database.withUpkeep { store, upkeep in
                let home = try await Home(store)
                let frozen = PQconnectdb(
                    database.server.address(of: database.name) + " application_name=yonder"
                )
                defer { PQfinish(frozen) }
                PQclear(PQexec(frozen, "BEGIN"))
                PQclear(PQexec(frozen, "SELECT id FROM chat FOR UPDATE"))
                var ended = 0
                while ended == 0 { ended = try await upkeep.endStuck() }
                #expect(ended == 1)
                #expect(try await store.submit(home.submission("a", key: "1")).message.number == 1)
                #expect(try await upkeep.endStuck() == 0)
            }
        }
    }

    @Test func `what was erased is in no file of the database's tables after the vacuum`() async throws {
        try await TestDatabase.with { database in
            try await database.withUpkeep { store, upkeep in
                let home = try await Home(store)
                let short = "BYTES-OF-A-SHORT-TEXT"
                let long = (0..<400).map { "BYTES-OF-A-LONG-TEXT \($0 * 7_919) " }.joined()
                for (number, text) in [short, long, "kept"].enumerated() {
                    _ = try await store.submit(home.submission(text, key: "\(number)")).message
                }
                try await database.run("CHECKPOINT")
                #expect(try await database.finds(short))
                for number in [Int64(1), 2] {
                    _ = try await store.submit(
                        home.act(.recall(number: number), home.ada, key: "recall \(number)")
                    )
                }
                // Statistics of the recalls reach the server within a second.
                while try await !upkeep.vacuum().contains("message") {}
                try await database.run("CHECKPOINT")
                #expect(try await !database.finds(short))
                #expect(try await !database.finds("BYTES-OF-A-LONG-TEXT"))
                #expect(try await database.finds("kept"))
                #expect(try await !upkeep.vacuum().contains("message"), "At most twice an hour.")
            }
        }
    }

    @Test func `the planner learns of a table that has grown, once for each time that it doubles`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withUpkeep { _, upkeep in
                for (first, last) in [(1, 1_000), (1_001, 4_000)] {
                    try await database.run(
                        "INSERT INTO pair SELECT n, n, n FROM generate_series(\(first), \(last)) n"
                    )
                    // Statistics of the rows reach the server within a second.
                    while try await upkeep.analyze() != ["pair"] {}
                    #expect(
                        try await database.run("SELECT reltuples FROM pg_class WHERE relname = 'pair'") == [
                            "\(last)"
                        ]
                    )
                    #expect(try await upkeep.analyze() == [])
                }
            }
        }
    }

    @Test
    func
        `a table that a dump has locked is left for the next round, the others aren't, and no message waits`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withUpkeep { store, upkeep in
                let home = try await Home(store)
                for number in 0..<3 { _ = try await store.submit(home.submission("a", key: "\(number)")) }
                try await store.setShowsReads(home.ada, false)
                let reader = try database.connect()
                defer { PQfinish(reader) }
                PQclear(PQexec(reader, "BEGIN; LOCK TABLE account, message IN ACCESS SHARE MODE"))
                var slowest = Duration.zero
                var done: Set<String> = []
                var count = 0
                // Statistics reach the server within a second.
                while !done.contains("chat") {
                    async let round = upkeep.vacuum()
                    count += 1
                    let submission = home.submission("b", key: "b\(count)")
                    let took = try await ContinuousClock().measure { _ = try await store.submit(submission) }
                    slowest = max(slowest, took)
                    done.formUnion(try await round)
                }
                #expect(done.isDisjoint(with: ["account", "message"]))
                // Twenty times the time that upkeep waits for a lock, and half of what it was.
                #expect(slowest < .milliseconds(20 * Upkeep.lockTimeout))
                PQclear(PQexec(reader, "COMMIT"))
                while !done.contains("account") { done.formUnion(try await upkeep.vacuum()) }
            }
        }
    }

    @Test func `one server at a time vacuums`() async throws {
        try await TestDatabase.with { database in
            try await database.withUpkeep { store, upkeep in
                let other = store.makeUpkeepLink()
                let lock = Statement(once: "SELECT pg_try_advisory_lock(7923006742)")
                let isLocked = try await other.run(lock).rows.first?.bool(0)
                let tables = try await upkeep.vacuum()
                #expect(isLocked == true && tables.isEmpty)
                await other.close()
            }
        }
    }
}

extension TestDatabase {
    fileprivate func withUpkeep(_ body: (PostgreSQLStore, Upkeep) async throws -> Void) async throws {
        try await withStore { store in
            let upkeep = Upkeep(over: store.makeUpkeepLink(), logger: Logger(label: "test"))
            try await body(store, upkeep)
            await upkeep.close()
        }
    }

    /// Whether the text is in a file of the database's folder.
    fileprivate func finds(_ text: String) async throws -> Bool {
        let oid = try await run("SELECT oid FROM pg_database WHERE datname = current_database()")[0]
        let grep = try ChildProcess(["/usr/bin/grep", "-raqF", text, "\(server.folder)/data/base/\(oid)"])
        await grep.ended()
        return grep.hasSucceeded
    }
}
#endif
