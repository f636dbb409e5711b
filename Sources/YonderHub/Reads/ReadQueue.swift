import YonderModel
import NIOCore

/// Store reads of one event loop: so many at once, the others wait their turn.
///
/// Its length is bounded by the sessions' subscriptions, each of which has at most one read in it, and by the map of
/// people, which has at most one for each chat that its viewers are in and each person there.
struct ReadQueue {
    private let limit: Int
    private var running = 0
    private var waiting = CircularBuffer<() -> Void>()

    init(limit: Int) {
        self.limit = limit
    }

    /// Answers whether a read may start at once; else keeps it.
    mutating func admit(_ read: @escaping () -> Void) -> Bool {
        guard running < limit else {
            waiting.append(read)
            return false
        }
        running += 1
        return true
    }

    /// Takes in that a read ended, and answers the next one.
    mutating func finished() -> (() -> Void)? {
        guard let next = waiting.popFirst() else {
            running -= 1
            return nil
        }
        return next
    }
}

extension HubLoop {
    /// Reads from the store, and comes back to this loop with what it answered.
    func read<Answer: Sendable>(
        _ ask: @escaping @Sendable () async throws(SharingError) -> Answer,
        then: @escaping (Result<Answer, SharingError>) -> Void
    ) {
        let start = { [unowned self] in
            eventLoop.makeFutureWithTask(ask).assumeIsolated().whenComplete { result in
                then(
                    result.mapError {
                        $0 as? SharingError ?? SharingError(.internalError, "The store failed.")
                    }
                )
                self.reads.finished()?()
            }
        }
        if reads.admit(start) { start() }
    }
}
