#if Postgres
import TestSupport
import Testing
import YonderModel

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLWordTests {
    @Test(arguments: WordRule.all)
    func `a store in PostgreSQL keeps a word that it doesn't know`(rule: WordRule) async throws {
        try await TestDatabase.with { try await rule.check(Words(database: $0)) }
    }

    private struct Words: WordDatabase {
        let database: TestDatabase

        func withStore(_ body: (any Store) async throws -> Void) async throws {
            try await database.withStore { try await body($0) }
        }

        func run(_ sql: String) async throws -> [String] { try await database.run(sql) }
    }
}
#endif
