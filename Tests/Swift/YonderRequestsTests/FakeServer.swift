import Synchronization
import YonderLink
import YonderModel

@testable import YonderRequests

/// A server that answers what a test says, and notes what it was asked.
final class FakeServer: RequestLink {
    private struct State {
        var asked: [LinkRequest] = []
        var answers: [Result<LinkAnswer, LinkClosure>] = []
    }

    private let state = Mutex(State())

    /// The requests, in order.
    var asked: [LinkRequest] { state.withLock(\.asked) }

    /// Has the next request answered.
    func answer(_ status: Int, _ body: String = "{}", headers: [LinkHeader] = []) {
        let answer = LinkAnswer(status: status, headers: headers, body: Array(body.utf8))
        state.withLock { $0.answers.append(.success(answer)) }
    }

    /// Has the next request not answered.
    func lose(_ closure: LinkClosure) {
        state.withLock { $0.answers.append(.failure(closure)) }
    }

    func answer(to request: LinkRequest) async throws(LinkClosure) -> LinkAnswer {
        let answer = state.withLock { state in
            state.asked.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw .lost("The test has no answer to \(request.path).") }
        return try answer.get()
    }

    /// Has the next sign-in succeed.
    func signIn(cookie: String = "secret") {
        answer(
            201,
            #"{"user":{"id":"7","name":"Ada"}}"#,
            headers: [
                LinkHeader(
                    "Set-Cookie",
                    "__Host-yonder=\(cookie); Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure"
                ),
                LinkHeader(
                    "Set-Cookie",
                    "__Host-yonder-device=known; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure"
                ),
            ]
        )
    }

    /// A client of this server.
    func client(_ store: any SessionStore = MemorySessionStore()) throws -> RESTClient {
        RESTClient(links: links(try ServerAddress("https://yonder.example")), store: store)
    }

    private func links(_ address: ServerAddress) -> Links {
        Links(address: address, requests: self) { (_, _) async throws(OpenFailure) in throw .notUpgraded }
    }
}
