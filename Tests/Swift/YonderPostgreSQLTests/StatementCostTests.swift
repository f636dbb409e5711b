#if Postgres
import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderPostgreSQL

/// What a server asks costs the same amid a hundred times as many rows that it doesn't ask for.
///
/// The cost is the pages that a statement's run visits, as the module `pg_stat_statements` counts them for each text, those inside
/// functions included: whether they came from memory or the disk makes no difference.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct StatementCostTests {
    /// The texts whose cost may grow with what isn't asked for, each with the reason.
    private static let growing: [(text: String, reason: String)] = [
        ("WITH RECURSIVE search(place, bound", "bisection looks once more for each doubling of the log"),
        (
            "late IS NULL",
            "positions of an expiring share that is over are passed until they are erased, within a minute"
        ),
        ("SELECT id FROM chat c WHERE positions <>", "every chat is looked at once an hour"),
        (
            "AND (content <> $4 OR data IS NOT NULL) FROM message WHERE chat",
            "a thousand messages are read at a time"
        ),
        ("max(created)", "asked once, at the start"),
        ("latitude IS NOT NULL", "all objects with a place are asked for"),
    ]

    /// The texts that no question runs, each with the reason.
    private static let unasked: [(text: String, reason: String)] = [
        ("FROM pg_control_system", "reads no rows; a store asks it once in a while, so a quick run doesn't"),
        ("pg_advisory_xact_lock", "a lock reads no rows"),
        ("SELECT person FROM leaving WHERE person", "a removal is asked for a second time"),
    ]

    @Test
    func `each statement visits as many pages amid a hundred times as many rows that it doesn't ask for`()
        async throws
    {
        var asked: Set<String> = []
        try await TestDatabase.with { one in
            try await TestDatabase.with { other in
                let databases = (Costs(one), Costs(other))
                try await one.withStore { first in
                    try await other.withStore { second in
                        let small = try await CostWorld(first, noise: 20)
                        let large = try await CostWorld(second, noise: 2_000)
                        for database in [databases.0, databases.1] { try await database.settle() }
                        for question in StoreQuestion.all {
                            let base = try await databases.0.pages { try await question.ask(small) }
                            let grown = try await databases.1.pages { try await question.ask(large) }
                            asked.formUnion(grown.keys)
                            for (text, pages) in grown {
                                Self.expect(pages, atMost: base[text] ?? 0, text, in: question)
                            }
                        }
                    }
                }
            }
        }
        try await Self.expectAsked(asked)
        try await TestDatabase.with { database in
            try await database.run("CREATE EXTENSION pg_stat_statements")
            let dropped = try await database.run("SELECT dealloc FROM pg_stat_statements_info")
            #expect(dropped == ["0"], "The module had no room for the counts of all texts.")
        }
    }

    private static func expect(_ pages: Int, atMost base: Int, _ text: String, in question: StoreQuestion) {
        guard !growing.contains(where: { text.contains($0.text) }) else { return }
        // An index of two thousand rows is a level higher than one of twenty.
        #expect(pages <= base * 3 / 2 + 14, "\(question.testDescription): \(base) → \(pages) pages: \(text)")
    }

    /// Expects that every text that the rules of stores run is one that a question runs.
    private static func expectAsked(_ asked: Set<String>) async throws {
        var run: Set<String> = []
        func note(_ body: (PostgreSQLStore) async throws -> Void) async throws {
            try await TestDatabase.with { database in
                let costs = Costs(database)
                try await database.withStore { store in
                    try run.formUnion(await costs.pages { try await body(store) }.keys)
                }
            }
        }
        for rule in StoreRule.all { try await note { try await rule.check($0) } }
        let missing = run.filter { text in
            !asked.contains(text) && !unasked.contains { text.contains($0.text) }
        }
        for text in missing.sorted() { Issue.record("No question runs this: \(text)") }
    }
}

/// The pages that statements visit in a database.
private struct Costs {
    let database: TestDatabase

    init(_ database: TestDatabase) {
        self.database = database
    }

    /// Has the planner know how many rows there are.
    func settle() async throws {
        try await database.run("VACUUM ANALYZE")
    }

    /// The pages that each text visits while `body` runs, on average over its runs.
    func pages(_ body: () async throws -> Void) async throws -> [String: Int] {
        try await database.run("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        try await database.run(
            "SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()), 0)"
        )
        try await body()
        let rows = try await database.run(
            """
            SELECT (shared_blks_hit + shared_blks_read) / calls || ' ' || regexp_replace(query, '[[:space:]]+', ' ', 'g')
            FROM pg_stat_statements
            WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND query ~* '^[[:space:]]*(SELECT|INSERT|UPDATE|DELETE|WITH)' AND query !~ 'pg_stat_statements|pg_database'
            """
        )
        let pairs = rows.compactMap { row in
            row.firstIndex(of: " ").map { (String(row[row.index(after: $0)...]), Int(row[..<$0]) ?? 0) }
        }
        return Dictionary(pairs, uniquingKeysWith: max)
    }
}
#endif
