import YonderRules
import YonderModel

/// The submissions of one event loop: those of a turn are gathered into one batch, and each batch's origins wait for
/// the answers.
///
/// `HubLoop` has one: it gathers the submissions of a turn, passes a batch to the store, and finds the origins again
/// when the answers come, on the loop. It is a plain value, and nothing fails, and an answer of an unknown batch is
/// dropped. Answers have the order of the submissions: this must stay (`SubmissionBatchesTests`).
struct SubmissionBatches<Origin> {
    private var submissions: [Submission] = []
    private var origins: [Origin] = []
    private var waiting: [Int: [Origin]] = [:]
    private var nextBatch = 0

    /// Adds a submission.
    ///
    /// - Returns: Whether it is the first of a batch, which must be taken at the end of the turn.
    mutating func append(_ submission: Submission, from origin: Origin) -> Bool {
        submissions.append(submission)
        origins.append(origin)
        return submissions.count == 1
    }

    /// Removes and returns the batch that was gathered; `nil` if it is empty.
    mutating func take() -> (batch: Int, submissions: [Submission])? {
        guard !submissions.isEmpty else { return nil }
        defer {
            nextBatch += 1
            submissions.removeAll(keepingCapacity: true)
            origins.removeAll(keepingCapacity: true)
        }
        waiting[nextBatch] = origins
        return (nextBatch, submissions)
    }

    /// Removes and returns the origins of an answered batch, in the order of its submissions; empty if they were taken.
    mutating func takeOrigins(of batch: Int) -> [Origin] {
        waiting.removeValue(forKey: batch) ?? []
    }
}

/// The session and the key of a send whose answer is pending.
struct SendOrigin {
    let session: Session
    let key: String
    let chat: ChatID

    /// What was counted for the frame, to be given back if it changes nothing.
    var charge: PersonLedger.Charge?

    /// Whether it starts a share.
    var isStart = false
}

/// The results of a loop's batch, in the order of its submissions.
struct CommitAnswers: Sendable {
    let batch: Int
    let results: [Result<Submission.Acceptance, SharingError>]
}
