#if Postgres
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct LastPositionPlanTests {
    @Test(arguments: [false, true])
    func `the last positions of a sender are found by an index that has no emptied position`(isFilled: Bool)
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                let home = try await Home(store)
                if isFilled {
                    try await database.run(
                        """
                        INSERT INTO message (chat, number, sender, tag, content, data, time, fingerprint, late)
                        SELECT \(home.chat.rawValue), n, \(home.ada.rawValue), 'Location', '', CASE n WHEN 9 THEN '{}'::bytea END,
                            1, 1, CASE WHEN n % 2 = 0 THEN n END
                        FROM generate_series(1, 4000) n
                        """
                    )
                    try await database.run("ANALYZE message")
                }
                for statement in [LastPositions.onTime, LastPositions.late] {
                    let plan = try await store.plan(of: statement, in: home).joined(separator: "\n")
                    #expect(plan.contains("using message_by_position"), "\(plan)")
                    #expect(!plan.contains("Rows Removed") && !plan.contains("Sort"), "\(plan)")
                }
            }
        }
    }
}

extension PostgreSQLStore {
    /// The plan by which a statement is run on a reader, and what it went through.
    fileprivate func plan(of statement: Statement, in home: Home) async throws -> [String] {
        let parameters: [Parameter] = [
            .int(home.now.milliseconds), .ints([]), .ints([home.chat.rawValue]), .ints([home.ada.rawValue]),
            .ints([statement.name == LastPositions.onTime.name ? .max : .min]),
        ]
        return try await answer { query in
            try await query(Statement(once: "EXPLAIN ANALYZE \(statement.sql)"), parameters).map {
                $0.text(0)
            }
        }
    }
}
#endif
