/// The queue of requests to be written, bounded in number and in bytes: requests that arrive while a commit runs join
/// the next one.
///
/// `SQLiteStore` and `PostgreSQLStore` have one each for chats (the second another for objects), behind a mutex: a call
/// of a port appends, and the store runs commits as the actions say. It is a plain value, and nothing throws. Beyond the
/// limits a request is refused at once, with `unavailable` and a time to wait. A request is never divided between two
/// commits, and the order of requests is that of commits: both must stay (`SQLiteStoreTests`, *a store takes what its
/// queue holds*). The limits may be changed.
package struct CommitQueue<Request: QueuedRequest> {
    /// The limits of the queue.
    package struct Limits: Hashable, Sendable {
        /// The most submissions in the queue.
        package var count: Int
        /// The most bytes in the queue, as ``QueuedRequest/weight`` counts them.
        package var bytes: Int
        /// The submissions from which on a commit gets no further request, so that the first of many doesn't wait for
        /// the last.
        package var perCommit: Int

        package init(count: Int = 100_000, bytes: Int = 128 << 20, perCommit: Int = 1_000) {
            self.count = count
            self.bytes = bytes
            self.perCommit = perCommit
        }
    }

    /// The action for a new request.
    package enum Action: Equatable {
        /// Nothing: a scheduled commit includes the request.
        case wait
        /// Schedule the writer, which calls ``next()``.
        case schedule
        /// Refuse the request: the queue is full or closed.
        case refuse
    }

    private let limits: Limits
    private var waiting: [Request] = []
    private var count = 0
    private var bytes = 0
    private var isScheduled = false
    private var isClosed = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether the queue is empty and no commit runs.
    package var isIdle: Bool { !isScheduled }

    /// Adds a request.
    package mutating func append(_ request: Request) -> Action {
        guard !isClosed, count + request.count <= limits.count, bytes + request.weight <= limits.bytes else {
            return .refuse
        }
        waiting.append(request)
        count += request.count
        bytes += request.weight
        guard !isScheduled else { return .wait }
        isScheduled = true
        return .schedule
    }

    /// The requests of the next commit, only whole ones; the rest stays queued.
    package mutating func next() -> [Request] {
        var taken = 0
        var size = 0
        while taken < waiting.count, size < limits.perCommit {
            size += waiting[taken].count
            taken += 1
        }
        let requests = Array(waiting[..<taken])
        waiting.removeFirst(taken)
        return requests
    }

    /// Call this when a commit has ended.
    ///
    /// - Returns: Whether another commit must follow, and the callers that wait for the last commit.
    package mutating func finish(_ requests: [Request]) -> (
        isMore: Bool, idle: [CheckedContinuation<Void, Never>]
    ) {
        for request in requests {
            count -= request.count
            bytes -= request.weight
        }
        isScheduled = !waiting.isEmpty
        guard !isScheduled else { return (true, []) }
        defer { onIdle = [] }
        return (false, onIdle)
    }

    /// Refuses further requests; those in the queue are still written.
    package mutating func close() {
        isClosed = true
    }

    /// Refuses further requests; those in the queue are still written.
    ///
    /// - Parameter continuation: Resumed by the caller of ``finish(_:)`` after the last commit.
    /// - Returns: Whether the queue is idle; the continuation then isn't resumed, and the caller needn't wait.
    package mutating func close(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        isClosed = true
        guard isScheduled else { return true }
        onIdle.append(continuation)
        return false
    }
}
