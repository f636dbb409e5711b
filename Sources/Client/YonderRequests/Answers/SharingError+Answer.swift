import YonderLink
import YonderModel

// `RESTClient` turns answers and missing ones into what its calls throw. A code that this version doesn't know is kept
// (`RESTClientTests`).
extension SharingError {
    /// The refusal in an answer.
    init(_ answer: LinkAnswer) {
        let message =
            "The answer of status \(answer.status) isn't the server's own; a proxy or the network may have given it."
        self = answer.refusal ?? SharingError(.unavailable, message, retryAfter: answer.retryAfter)
    }

    /// The refusal that a request without an answer stands for.
    init(closure: LinkClosure) {
        switch closure {
        case .lost(let reason): self.init(.unavailable, "The server can't be reached: \(reason)")
        case .later(let wait, let reason): self.init(.unavailable, reason, retryAfter: wait)
        case .refused(let error): self = error
        }
    }
}
