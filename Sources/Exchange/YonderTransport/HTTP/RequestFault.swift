package import NIOCore
package import NIOHTTP1

/// A fault of a request that can't be parsed, and so can't be routed.
///
/// It is answered, and the connection closed, before any other handler sees the head. Heads are a stranger's; nothing traps. A
/// request must name one host: proxies and this server could else see two.
package enum RequestFault: Hashable, Sendable {
    /// The request line or the header fields are too long.
    case headTooLong

    /// The bytes aren't a request of HTTP/1.1, for the parser's reason.
    case notHTTP(String)

    /// A field of the head is too long for its kind.
    case field(HeaderExcess)

    /// The head names another number of hosts than one (RFC 9112, section 3.2).
    case hosts(Int)

    /// The path has other characters than ASCII (RFC 3986, section 2).
    case path

    /// The answer's content, after which the connection ends.
    package struct Answer: Sendable {
        package var contentType: String
        package var body: ByteBuffer

        package init(contentType: String, body: ByteBuffer) {
            self.contentType = contentType
            self.body = body
        }
    }

    init(_ error: HTTPParserError) {
        self = error == .headerOverflow ? .headTooLong : .notHTTP("\(error)")
    }

    /// `nil` if the head names exactly one host and a path of ASCII, and each field is as short as its kind must be.
    init?(of head: HTTPRequestHead) {
        if let excess = HeaderExcess(in: head.headers) {
            self = .field(excess)
            return
        }
        guard head.uri.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).allSatisfy({ $0 < 0x80 }) else {
            self = .path
            return
        }
        // A list with commas names several, too.
        let count = head.headers["host"].reduce(0) { count, value in
            value.isEmpty ? count : count + 1 + value.utf8.count { $0 == UInt8(ascii: ",") }
        }
        guard count > 1 || (count == 0 && head.version == .http1_1) else { return nil }
        self = .hosts(count)
    }

    /// The status of the answer.
    package var status: HTTPResponseStatus {
        switch self {
        case .headTooLong: .requestHeaderFieldsTooLarge
        case .field(let excess): excess.isText ? .badRequest : .requestHeaderFieldsTooLarge
        case .notHTTP, .hosts, .path: .badRequest
        }
    }
}
