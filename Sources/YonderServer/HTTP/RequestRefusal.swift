import HTTPTypes
import NIOCore
import NIOHTTP1
import YonderModel
import YonderJSON

/// The answer to a request that can't be parsed, and so can't be routed.
struct RequestRefusal {
    let status: HTTPResponseStatus
    let error: SharingError

    /// Creates the answer to a request that isn't HTTP/1.1, or is too long.
    init(_ error: HTTPParserError) {
        if error == .headerOverflow {
            status = .requestHeaderFieldsTooLarge
            self.error = SharingError(.tooLarge, "The request line and the header fields must be shorter.")
        } else {
            status = .badRequest
            self.error = SharingError(
                .invalidFrame,
                "The request must be HTTP/1.1; it can't be read: \(error)."
            )
        }
    }

    /// Creates the answer to a head that doesn't name exactly one host (RFC 9112, section 3.2); `nil` if it
    /// does.
    init?(hostsOf head: HTTPRequestHead) {
        let count = head.headers[canonicalForm: "host"].count
        guard count > 1 || (count == 0 && head.version == .http1_1) else { return nil }
        status = .badRequest
        error = SharingError(.invalidFrame, "A request must have one Host field; this one has \(count).")
    }

    /// The answer's head, after which the connection ends.
    var head: HTTPResponseHead {
        let headers: HTTPHeaders = [
            "Connection": "close", "Content-Type": RESTCall.jsonType, "Cache-Control": "no-store",
            "Content-Length": String(body.readableBytes),
        ]
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }

    /// The answer's body.
    var body: ByteBuffer {
        var writer = JSONWriter()
        writer.refusal(error)
        return ByteBuffer(bytes: writer.bytes)
    }
}
