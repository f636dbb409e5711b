import YonderModel

/// What waits to be written, bounded in number and in bytes.
struct CommitQueue {
    /// How much may wait.
    struct Limits: Hashable, Sendable {
        /// Submissions.
        var count = 100_000
        /// Bytes, as ``Submission/weight`` counts them.
        var bytes = 128 << 20
        /// Submissions in one transaction, so that the first of many doesn't wait for the last.
        var perCommit = 2_000
    }

    /// What one `submit` brought.
    struct Request: Sendable {
        let submissions: [Submission]
        let completion: @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    }

    /// What to do with a request.
    enum Action: Equatable {
        /// Nothing: a commit is on its way and takes it along.
        case wait
        /// Have the writer call ``next()``.
        case schedule
        /// Answer that it can't be taken.
        case refuse
    }

    private let limits: Limits
    private var waiting: [Request] = []
    private var count = 0
    private var bytes = 0
    private var isScheduled = false
    private var isClosed = false

    init(limits: Limits) {
        self.limits = limits
    }

    /// Whether nothing waits and no transaction runs.
    var isIdle: Bool { !isScheduled }

    mutating func append(_ request: Request) -> Action {
        let weight = request.submissions.reduce(0) { $0 + $1.weight }
        guard !isClosed, count + request.submissions.count <= limits.count, bytes + weight <= limits.bytes
        else {
            return .refuse
        }
        waiting.append(request)
        count += request.submissions.count
        bytes += weight
        guard !isScheduled else { return .wait }
        isScheduled = true
        return .schedule
    }

    /// The requests of the next transaction, whole ones; the rest stays for the one after it.
    mutating func next() -> [Request] {
        var taken = 0
        var size = 0
        while taken < waiting.count, size < limits.perCommit {
            size += waiting[taken].submissions.count
            taken += 1
        }
        let requests = Array(waiting[..<taken])
        waiting.removeFirst(taken)
        return requests
    }

    /// Notes that a transaction is over.
    ///
    /// - Returns: Whether to schedule another.
    mutating func finish(_ requests: [Request]) -> Bool {
        for request in requests {
            count -= request.submissions.count
            bytes -= request.submissions.reduce(0) { $0 + $1.weight }
        }
        isScheduled = !waiting.isEmpty
        return isScheduled
    }

    /// Takes nothing more; what waits is still written.
    mutating func close() {
        isClosed = true
    }
}

extension Submission {
    /// About how many bytes it takes in memory.
    var weight: Int {
        switch action {
        case .message(let draft): 256 + draft.content.utf8.count + (draft.data?.bytes.count ?? 0)
        case .subject(let subject): 256 + subject.utf8.count
        case .add(let users): 256 + users.count * 8
        case .recall, .leave: 256
        }
    }
}
