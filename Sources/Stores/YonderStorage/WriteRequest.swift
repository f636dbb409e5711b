import YonderRules
import YonderModel

/// The submissions of one call, which wait to be written.
///
/// The functions of the ports make one for each call, `SQLiteStore` queues it and answers it after its commit, exactly
/// once. A request is written whole or refused whole. That removals count as erasing must stay: they are written on a
/// full disk, too (decision 15, `StoreFailureTests`). The estimate of the weight bounds the queue's memory, and may be
/// changed.
///
/// Each completion must be called once.
struct WriteRequest: QueuedRequest {
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
        weight = marks.count * ReadMark.weight
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

extension Submission {
    /// Whether the submission only removes content or a participant.
    var isErasing: Bool {
        switch action {
        case .recall, .leave, .stayOut, .remove, .stopShare, .endShare: true
        case .message, .subject, .lockSubject, .keepPositions, .add, .owner, .startShare, .changeShare: false
        }
    }

    /// Whether bytes of the removed content may remain in the files after the commit.
    var leavesRemains: Bool {
        if case .recall = action { true } else { false }
    }
}

extension ObjectSubmission {
    /// Whether the submission only removes an object.
    var isErasing: Bool {
        if case .delete = action { true } else { false }
    }

    /// Whether bytes of removed or replaced content may remain in the files after the commit.
    var leavesRemains: Bool {
        if case .create = action { false } else { true }
    }
}
