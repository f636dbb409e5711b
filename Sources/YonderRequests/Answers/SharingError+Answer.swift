import Foundation
import YonderLink
import YonderModel

extension SharingError {
    /// The refusal in an answer.
    init(_ answer: LinkAnswer) {
        let wait = answer.values("retry-after").first.flatMap { UInt32($0) }.map {
            Duration.seconds(Int64($0))
        }
        guard let read = try? JSONDecoder().decode(RefusalAnswer.self, from: Data(answer.body)) else {
            // Something before the server answered in its place.
            let code: Code =
                answer.status == 401 ? .notSignedIn : answer.status == 403 ? .notAllowed : .unavailable
            self.init(code, "The server answered with status \(answer.status).", retryAfter: wait)
            return
        }
        let milliseconds = read.error.retryAfter.map { Duration.milliseconds($0) }
        self.init(Code(read.error.code), read.error.message, retryAfter: milliseconds ?? wait)
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

/// A refusal, as in `{"error":{…}}`.
private struct RefusalAnswer: Decodable {
    struct Refusal: Decodable {
        let code: String
        let message: String
        let retryAfter: Int64?
    }

    let error: Refusal
}
