#if Postgres
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderTables

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLClearingTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    @Test func `rows that an earlier version left are cleared in two passes, on from the mark`() async throws
    {
        try await TestDatabase.with { database in
            // given rows of the version before
            try await database.run(
                "DROP TABLE clearing; DROP TRIGGER message_cleared ON message; DROP FUNCTION cleared_message"
            )
            try await makeOld(in: database, 1...40)
            let step = try #require(
                TableStatement.steps.first { $0.contains { $0.postgreSQL.contains("CREATE TABLE clearing") } }
            )
            for statement in step { try await database.run(statement.postgreSQL) }
            // when two nodes clear in turn, with a restart in between
            try await database.withTwoStores { one, other in
                for store in [one, other, one] {
                    let cleared = try await store.clear(at: now, limit: 7)
                    #expect(!cleared.isDone)
                }
            }
            #expect(try await database.run("SELECT number FROM clearing") == ["21"])
            try await database.withStore { store in
                while try await store.rows(Clearing.mark).first?.isDue(at: now) ?? false {
                    _ = try await store.clear(at: now, limit: 7)
                }
                // then, and what a node of the version before stored meanwhile a day later
                #expect(
                    try await database.run("SELECT count(*) FROM message WHERE fingerprint = 0") == ["20"]
                )
                #expect(try await database.run("SELECT count(*) FROM message WHERE late <> 0") == ["0"])
                #expect(try await database.run("SELECT count(*) FROM message WHERE late = 0") == ["10"])
                try await makeOld(in: database, 41...44)
                let later = now + .seconds(86_400)
                while try await !store.clear(at: later, limit: 7).isDone {}
                #expect(
                    try await database.run("SELECT count(*) FROM message WHERE fingerprint = 0") == ["22"]
                )
                await store.maintain(now: { later }) { if store.isCleared { throw CancellationError() } }
            }
        }
    }

    @Test func `a message that a node of the version before empties loses its fingerprint with its content`()
        async throws
    {
        try await TestDatabase.with { database in
            try await makeOld(in: database, 2...2)
            try await database.run("UPDATE message SET late = 5")
            #expect(try await database.run("SELECT fingerprint <> 0 FROM message") == ["t"])
            try await database.run("UPDATE message SET content = '', data = NULL, recalled = true")
            #expect(try await database.run("SELECT fingerprint FROM message") == ["0"])
            #expect(try await database.run("SELECT late FROM message") == ["0"])
        }
    }

    @Test func `the target of a migration clears all of its rows`() async throws {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                #expect(try await store.clear(at: now).isDone)
                try await store.beginFilling()
                #expect(try await store.rows(Clearing.mark).first?.isDone == false)
                try await store.endFilling()
            }
        }
    }

    /// Each second message keeps its content; the others were emptied, or are starts of shares.
    private func makeOld(in database: TestDatabase, _ numbers: ClosedRange<Int>) async throws {
        try await database.run(
            """
            INSERT INTO message (chat, number, sender, tag, content, time, key, fingerprint, late)
            SELECT 7, n, 1, CASE WHEN n % 4 = 1 THEN 'Location' WHEN n % 8 = 3 THEN 'Share' ELSE 'Text' END,
                CASE WHEN n % 2 = 0 OR n % 8 = 3 THEN 'kept'::bytea ELSE ''::bytea END, 5, n::text::bytea, 4711 + n,
                CASE WHEN n % 4 = 1 THEN n END
            FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
            """
        )
    }
}
#endif
