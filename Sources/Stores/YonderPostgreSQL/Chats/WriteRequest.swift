#if Postgres
import YonderRules
import YonderModel

/// A call that waits for the chats' writer.
///
/// The functions of the port make one for each call; `PostgreSQLStore` queues it and answers it exactly once.
/// `YonderStorage` has a type of the same purpose, which knows of erasing. The weight is an estimate and may be changed:
/// it bounds the queue's memory.
struct WriteRequest: QueuedRequest {
    /// The submissions, with the completion that receives the results.
    enum Work: Sendable {
        case messages([Submission], @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void)
        case marks([ReadMark], @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void)
    }

    let work: Work

    var count: Int {
        switch work {
        case .messages(let submissions, _): submissions.count
        case .marks(let marks, _): marks.count
        }
    }

    let weight: Int

    init(_ work: Work) {
        self.work = work
        weight =
            switch work {
            case .messages(let submissions, _): submissions.reduce(0) { $0 + $1.weight }
            case .marks(let marks, _): marks.count * ReadMark.weight
            }
    }

    /// Completes every submission with an error.
    func refuse(_ error: SharingError) {
        switch work {
        case .messages(let submissions, let completion): completion(submissions.map { _ in .failure(error) })
        case .marks(let marks, let completion): completion(marks.map { _ in .failure(error) })
        }
    }
}
#endif
