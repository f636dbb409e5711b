#if Postgres
import YonderLibPQ
import Synchronization
import YonderModel

/// Links for transactions, each lent to one transaction at a time, to the longest waiting first.
///
/// `PostgreSQLStore.transaction` borrows one for each transaction with all its attempts. Over the limit of waiting
/// transactions a further one is refused at once, with `storeBusy`; one that waits goes on waiting also if its task is
/// canceled. A body that asks the pool for a second link may wait for ever.
///
/// The longest waiting first must stay. The number of links and of waiting transactions are the store's settings
/// (`PostgreSQLStoreTests`).
final class LinkPool: Sendable {
    private struct State {
        var free: [Link]
        var waiting: [CheckedContinuation<Link, Never>] = []
    }

    private let links: [Link]
    private let limit: Int
    private let state: Mutex<State>

    /// Creates a pool in which at most `limit` transactions wait.
    init(_ links: [Link], limit: Int = 1_000) {
        self.links = links
        self.limit = limit
        state = Mutex(State(free: links))
    }

    /// Runs `body` with a link that is its alone meanwhile.
    ///
    /// - Throws: `storeBusy` if too many wait; what `body` throws.
    func withLink<Value>(_ body: (Link) async throws(SharingError) -> Value) async throws(SharingError)
        -> Value
    {
        guard state.withLock({ $0.waiting.count < limit }) else { throw .storeBusy }
        let link = await withCheckedContinuation { continuation in
            let link = state.withLock { state in
                if let link = state.free.popLast() { return Link?.some(link) }
                state.waiting.append(continuation)
                return nil
            }
            if let link { continuation.resume(returning: link) }
        }
        defer { give(link) }
        return try await body(link)
    }

    private func give(_ link: Link) {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.free.append(link)
                return CheckedContinuation<Link, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: link)
    }

    /// Closes the links; later transactions fail.
    func close() async {
        for link in links { await link.close() }
    }
}
#endif
