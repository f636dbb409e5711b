import NIOCore
import YonderJSON
import YonderModel
import YonderREST
import YonderTransport

// The answers to requests that can't be parsed, in REST's form; `ServerAssembly` gives them to `ClientConnections`.
// Codes are promised in `Documentation/errors.md`. No text of the request is repeated.

extension RequestFault {
    /// The error for a request that can't be parsed, as JSON.
    var refusal: Answer {
        var writer = JSONWriter()
        writer.refusal(error)
        return Answer(contentType: RESTCall.jsonType, body: ByteBuffer(bytes: writer.bytes))
    }

    private var error: SharingError {
        switch self {
        case .headTooLong: SharingError(.tooLarge, "The request line and the header fields must be shorter.")
        case .notHTTP(let reason):
            SharingError(
                .invalidFrame,
                "The request must be HTTP/1.1; it can't be read: \(reason)."
            )
        case .path:
            SharingError(
                .invalidFrame,
                "The path must be ASCII; write other characters as %XX, byte by byte."
            )
        case .field(let excess) where excess.isText:
            SharingError(.invalidFrame, "\(excess.name) must be ASCII.")
        case .field(let excess):
            SharingError(.tooLarge, "\(excess.name) must have at most \(excess.limit) bytes.")
        case .hosts(let count):
            SharingError(.invalidFrame, "A request must have one Host field; this one has \(count).")
        }
    }
}
