import Synchronization
import YonderLink

/// Requests to a real server, of which the answers to some arrive when the test says so: late, as on a poor network.
final class HeldRequests: RequestLink {
    private let requests: any RequestLink
    private let isMeant: @Sendable (LinkRequest) -> Bool
    private let isHolding = Mutex(false)
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let release: AsyncStream<Void>
    private let releaser: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - requests: The way to the server.
    ///   - isMeant: Whether the answer to a request is held, between ``hold()`` and ``letGo()``.
    init(over requests: any RequestLink, where isMeant: @escaping @Sendable (LinkRequest) -> Bool) {
        (self.requests, self.isMeant) = (requests, isMeant)
        (arrivals, arrival) = AsyncStream.makeStream()
        (release, releaser) = AsyncStream.makeStream()
    }

    /// Waits until an answer is held.
    func waitUntilHeld() async {
        for await _ in arrivals { return }
    }

    /// Holds answers from now on.
    func hold() { isHolding.withLock { $0 = true } }

    /// Lets the answers that are held go on, and holds none any more.
    func letGo() {
        isHolding.withLock { $0 = false }
        releaser.finish()
    }

    func answer(to request: LinkRequest) async throws(LinkClosure) -> LinkAnswer {
        let answer = try await requests.answer(to: request)
        if isMeant(request), isHolding.withLock({ $0 }) {
            arrival.yield()
            for await _ in release {}
        }
        return answer
    }
}
