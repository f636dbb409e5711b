import Foundation
import Testing
import YonderModel

@testable import YonderLink

/// Requests over `URLSession`, as far as its settings can be seen without a server.
@Suite(.timeLimit(.minutes(1))) struct SystemRequestLinkTests {
    @Test func `a server that isn't there is lost, and not an answer`() async throws {
        let link = SystemRequestLink(try ServerAddress("http://127.0.0.1:1"))
        let error = await #expect(throws: LinkClosure.self) {
            try await link.answer(to: LinkRequest(.get, "/v1/session"))
        }
        guard case .lost? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
}
