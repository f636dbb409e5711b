package import YonderBus
package import YonderTransport
import NIOCore
import NIOHTTP1

/// Forwards polls of Socket.IO clients to the nodes of their sessions: a session's key begins with the number of its node.
///
/// No answer in time, or none, is that of an unknown session, and the client connects again. A client that is gone gives back its
/// place here and on its session's node at once. The node's number in a session's key must stay while two versions run side by side.
package struct PollRelay: EngineRelay {
    private let link: NodeLink

    /// Creates the relay of a node; `nil` for a node that is alone.
    package init?(_ link: NodeLink) {
        guard !link.isAlone else { return nil }
        self.link = link
    }

    package var keyPrefix: String { String(link.node, radix: 16) + "." }

    /// The node whose number begins a session's key; `nil` for a key without one.
    static func node(of session: String) -> UInt64? {
        session.firstIndex(of: ".").flatMap { UInt64(session[..<$0], radix: 16) }
    }

    package func respond(
        to request: EngineServer.PollRequest,
        body: [UInt8],
        of session: String,
        within timeout: Duration
    ) async -> EngineServer.PollResponse? {
        guard let node = Self.node(of: session), node != link.node else { return nil }
        let relayed = RelayedPoll(method: request.method.rawValue, query: String(request.query), body: body)
        let answer = await link.ask(node, relayed.encoded(), within: timeout)
        if answer == nil, Task.isCancelled, request.method == .GET {
            link.tell(node, RelayedPoll(abandoning: request).encoded())
        }
        guard let answer else { return nil }
        return (try? RelayedAnswer(answer))?.response
    }

    /// Answers the polls that other nodes forward, with the sessions of an engine.
    package func serve(_ engine: EngineServer) {
        link.requests.serve { [weak engine] bytes in
            guard let engine, let poll = try? RelayedPoll(bytes) else { return nil }
            guard !poll.isAbandoned else {
                engine.abandon(poll.request)
                return nil
            }
            return RelayedAnswer(await engine.respond(to: poll.request)).encoded()
        }
    }
}
