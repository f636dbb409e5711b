import Crypto
import NIOHTTP1
import YonderJSON
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A valid request for a WebSocket, and its answer (RFC 6455, section 4.2).
///
/// Heads are a stranger's: values are compared as bytes, and what isn't valid is `nil`. A body with an upgrade is refused, as its
/// bytes would be taken for frames. The answer's key is RFC 6455's SHA-1.
struct WebSocketHandshake {
    private let key: String

    /// - Returns: `nil` if `head` isn't a valid request for a WebSocket of version 13.
    init?(_ head: HTTPRequestHead) {
        guard head.method == .GET, head.version == .http1_1,
            Self.lists("websocket", head.headers["upgrade"]),
            Self.lists("upgrade", head.headers["connection"]),
            head.headers["sec-websocket-version"].count == 1,
            head.headers.first(name: "sec-websocket-version")?.utf8.is("13") ?? false,
            head.headers["sec-websocket-key"].count == 1,
            let key = head.headers.first(name: "sec-websocket-key"), key.utf8.count == 24,
            Data(base64Encoded: key)?.count == 16,
            !Self.hasBody(head)
        else { return nil }
        self.key = key
    }

    /// Whether a list names a word of lower case, in any case.
    static func lists(_ word: StaticString, _ values: [String]) -> Bool {
        values.contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains { $0.trimmed.isIgnoringCase(word) }
        }
    }

    /// Whether a body follows: it would let time pass between the decision about the request and the WebSocket.
    private static func hasBody(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "transfer-encoding")
            || head.headers["content-length"].contains { !$0.utf8.is("0") }
    }

    /// The response that accepts the WebSocket.
    func acceptance(subprotocol: String?) -> HTTPResponseHead {
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        var headers: HTTPHeaders = [
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Accept": Data(digest).base64EncodedString(),
        ]
        if let subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
        return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    }
}
