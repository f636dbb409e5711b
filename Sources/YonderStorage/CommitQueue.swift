import YonderModel

/// The queue of submissions to be written, bounded in number and in bytes.
struct CommitQueue {
    /// The limits of the queue.
    struct Limits: Hashable, Sendable {
        /// Submissions.
        var count = 100_000
        /// Bytes, as ``Request/weight`` counts them.
        var bytes = 128 << 20
        /// Submissions per transaction, so that the first of many doesn't wait for the last.
        var perCommit = 2_000
    }

    /// The submissions of one call.
    struct Request: Sendable {
        /// The submissions, with the completion that receives the results.
        enum Work: Sendable {
            case messages([Submission], @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void)
            case marks([ReadMark], @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void)
            case objects([ObjectSubmission], @Sendable ([Result<ObjectChange, SharingError>]) -> Void)
        }

        let work: Work

        /// The number of submissions.
        let count: Int

        /// The estimated memory in bytes.
        let weight: Int

        init(
            _ submissions: [Submission],
            completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
        ) {
            work = .messages(submissions, completion)
            count = submissions.count
            weight = submissions.reduce(0) { $0 + $1.weight }
        }

        init(
            _ marks: [ReadMark],
            completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
        ) {
            work = .marks(marks, completion)
            count = marks.count
            weight = marks.count * 64
        }

        init(
            _ submissions: [ObjectSubmission],
            completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
        ) {
            work = .objects(submissions, completion)
            count = submissions.count
            weight = submissions.reduce(0) { $0 + $1.weight }
        }

        /// Whether all submissions only remove content, which needs little room on the disk.
        var isErasing: Bool {
            switch work {
            case .messages(let submissions, _): submissions.allSatisfy(\.isErasing)
            case .marks: false
            case .objects(let submissions, _): submissions.allSatisfy(\.isErasing)
            }
        }

        /// Completes every submission with an error.
        func refuse(_ error: SharingError) {
            switch work {
            case .messages(let submissions, let completion):
                completion(submissions.map { _ in .failure(error) })
            case .marks(let marks, let completion):
                completion(marks.map { _ in .failure(error) })
            case .objects(let submissions, let completion):
                completion(submissions.map { _ in .failure(error) })
            }
        }
    }

    /// The action for a new request.
    enum Action: Equatable {
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

    init(limits: Limits) {
        self.limits = limits
    }

    /// Whether the queue is empty and no transaction runs.
    var isIdle: Bool { !isScheduled }

    mutating func append(_ request: Request) -> Action {
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

    /// The requests of the next transaction, only whole ones; the rest stays queued.
    mutating func next() -> [Request] {
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

    /// Call this when a transaction has ended.
    ///
    /// - Returns: Whether to schedule another.
    mutating func finish(_ requests: [Request]) -> Bool {
        for request in requests {
            count -= request.count
            bytes -= request.weight
        }
        isScheduled = !waiting.isEmpty
        return isScheduled
    }

    /// Refuses further requests; those in the queue are still written.
    mutating func close() {
        isClosed = true
    }
}

extension Submission {
    /// Whether it only removes content or a participant.
    var isErasing: Bool {
        switch action {
        case .recall, .leave, .remove, .stopShare, .endShare: true
        case .message, .subject, .lockSubject, .keepPositions, .add, .owner, .startShare, .changeShare: false
        }
    }

    /// Whether bytes of the removed content may remain in the files after the commit.
    var leavesRemains: Bool {
        if case .recall = action { true } else { false }
    }

    /// The estimated memory in bytes.
    fileprivate var weight: Int {
        switch action {
        case .message(let draft): 256 + draft.content.utf8.count + (draft.data?.bytes.count ?? 0)
        case .subject(let subject): 256 + subject.utf8.count
        case .add(let users): 256 + users.count * 8
        case .lockSubject, .keepPositions, .recall, .leave, .remove, .owner: 256
        case .startShare, .changeShare, .stopShare, .endShare: 256
        }
    }
}

extension ObjectSubmission {
    /// Whether it only removes an object.
    var isErasing: Bool {
        if case .delete = action { true } else { false }
    }

    /// Whether bytes of removed or replaced content may remain in the files after the commit.
    var leavesRemains: Bool {
        if case .create = action { false } else { true }
    }

    /// The estimated memory in bytes.
    fileprivate var weight: Int {
        switch action {
        case .create(let fields, _): fields.values.reduce(256) { $0 + $1.weight }
        case .change(_, let fields, _): fields.values.reduce(256) { $0 + ($1?.weight ?? 64) }
        case .delete: 256
        }
    }
}

extension FieldValue {
    fileprivate var weight: Int {
        switch self {
        case .text(let text): 128 + text.utf8.count
        case .json(let json): 128 + json.bytes.count
        case .location(let location): 192 + (location.address?.utf8.count ?? 0)
        case .number, .date, .boolean, .reference: 64
        }
    }
}
