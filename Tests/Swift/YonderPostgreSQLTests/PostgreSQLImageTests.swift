#if Postgres
import TestSupport
import Testing
import YonderModel

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLImageTests {
    @Test(arguments: ImageRule.all)
    func `a store in PostgreSQL keeps the rule of images`(rule: ImageRule) async throws {
        try await TestDatabase.withStore { try await rule.check($0) }
    }
}
#endif
