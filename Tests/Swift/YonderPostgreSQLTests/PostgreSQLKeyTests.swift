#if Postgres
import TestSupport
import Testing
import YonderModel

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLKeyTests {
    @Test(arguments: KeyRule.all)
    func `a store in PostgreSQL keeps the rule of keys`(rule: KeyRule) async throws {
        try await TestDatabase.withStore { try await rule.check($0) }
    }
}
#endif
