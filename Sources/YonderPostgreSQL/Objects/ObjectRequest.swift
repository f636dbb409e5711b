#if Postgres
import YonderLibPQ
import YonderModel

/// A call of ``ObjectStore/change(_:completion:)`` that waits to be written.
struct ObjectRequest: QueuedRequest {
    let submissions: [ObjectSubmission]
    let completion: @Sendable ([Result<ObjectChange, SharingError>]) -> Void

    var count: Int { submissions.count }

    let weight: Int

    init(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        (self.submissions, self.completion) = (submissions, completion)
        weight = submissions.reduce(0) { $0 + $1.weight }
    }

    /// Completes every submission with an error.
    func refuse(_ error: SharingError) {
        completion(submissions.map { _ in .failure(error) })
    }
}

extension ObjectSubmission {
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
#endif
