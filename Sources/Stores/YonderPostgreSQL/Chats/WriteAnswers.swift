#if Postgres
import YonderLibPQ
import YonderModel
import YonderRules

/// The results of requests, delivered in the order of the requests.
///
/// The outlet receives what was committed before any caller is answered.
///
/// `ChatWriter` makes one for the requests of a commit, sets each result, and calls ``tell()`` and then ``deliver()``
/// after each part that was committed. Neither call fails. The order must stay: first the outlet gets the commit, so
/// that a client that has its answer finds its message in every list; then each request gets its answer, in the order
/// of the requests. Each item gets one result (decision 36, `AppendTests`).
struct WriteAnswers {
    private struct Pending {
        var results: [Result<Submission.Acceptance, SharingError>?]
        var missing: Int
        let completion: @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    }

    private let outlet: CommitOutlet
    private var pending: [Pending] = []

    /// The changes that were committed since the outlet received the last ones.
    private var commit = StoreCommit()
    private var delivered = 0

    /// Every submission of the requests.
    private(set) var items: [WriteItem] = []

    /// Takes the requests with messages.
    init(_ requests: [WriteRequest], outlet: CommitOutlet) {
        self.outlet = outlet
        for request in requests {
            guard case .messages(let submissions, let completion) = request.work else { continue }
            for (place, submission) in submissions.enumerated() {
                items.append(WriteItem(request: pending.count, place: place, submission: submission))
            }
            pending.append(
                Pending(
                    results: Array(repeating: nil, count: submissions.count),
                    missing: submissions.count,
                    completion: completion
                )
            )
        }
        deliver()
    }

    /// Whether an item has its result.
    func has(_ item: WriteItem) -> Bool { pending[item.request].results[item.place] != nil }

    mutating func set(_ result: Result<Submission.Acceptance, SharingError>, for item: WriteItem) {
        guard !has(item) else { return }
        pending[item.request].results[item.place] = result
        pending[item.request].missing -= 1
        if case .success(let acceptance) = result, !acceptance.isRepeat { commit.messages.append(acceptance) }
    }

    /// Tells others of the commit that has just been made.
    mutating func tell() {
        outlet.send(commit)
        commit = StoreCommit()
    }

    /// Completes the next requests that have all of their results.
    mutating func deliver() {
        while delivered < pending.count, pending[delivered].missing == 0 {
            let next = pending[delivered]
            pending[delivered].results = []
            delivered += 1
            next.completion(next.results.compactMap(\.self))
        }
    }
}
#endif
