#if Postgres
import Testing

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite struct ServerVersionTests {
    @Test func `a server older than PostgreSQL 15 is refused with its version`() throws {
        let error = #expect(throws: PostgreSQLError.self) { try Schema.checkServer(140_012) }
        #expect(error?.code == .tooOld)
        #expect(error?.message.contains("PostgreSQL 14.12") ?? false)
        for number in [Int64(150_000), 150_018, 170_002] { try Schema.checkServer(number) }
    }
}
#endif
