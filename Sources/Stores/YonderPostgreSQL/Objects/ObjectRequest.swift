#if Postgres
import YonderRules
import YonderLibPQ
import YonderModel

/// A call of ``ObjectLog/commit(_:completion:)`` that waits to be written.
///
/// `PostgreSQLStore+Objects.swift` makes one for each call, and answers it exactly once, after its commit. Whole or
/// refused whole. The weight is an estimate that bounds the queue's memory, and may be changed.
struct ObjectRequest: QueuedRequest {
    let submissions: [ObjectSubmission]
    let completion: @Sendable (ObjectCommit) -> Void

    var count: Int { submissions.count }

    let weight: Int

    init(_ submissions: [ObjectSubmission], completion: @escaping @Sendable (ObjectCommit) -> Void) {
        (self.submissions, self.completion) = (submissions, completion)
        weight = submissions.reduce(0) { $0 + $1.weight }
    }

    /// Completes every submission with an error.
    func refuse(_ error: SharingError) {
        completion(ObjectCommit(results: submissions.map { _ in .failure(error) }))
    }
}
#endif
