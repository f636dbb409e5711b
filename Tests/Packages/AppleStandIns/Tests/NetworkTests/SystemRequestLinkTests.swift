import Foundation
import Testing
import YonderModel

@testable import YonderLink

/// Requests over `URLSession`, as far as its settings can be seen without a server.
@Suite(.timeLimit(.minutes(20))) struct SystemRequestLinkTests {
    @Test func `a server that isn't there is lost, and not an answer`() async throws {
        let link = SystemRequestLink(try ServerAddress("http://127.0.0.1:1"))
        let error = await #expect(throws: LinkClosure.self) {
            try await link.answer(to: LinkRequest(.get, "/v1/session"))
        }
        guard case .lost? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
    @Test func `a task that is canceled before, while or after it asks is told so`() async throws {
        let link = SystemRequestLink(try ServerAddress("http://127.0.0.1:1"))
        for round in 0..<200 {
            let asking = Task { try await link.answer(to: LinkRequest(.get, "/v1/session")) }
            if round.isMultiple(of: 2) { await Task.yield() }
            asking.cancel()
            await #expect(throws: LinkClosure.self) { try await asking.value }
        }
    }
}
