package import NIOCore
package import NIOHTTP1
import YonderJSON

/// A client's request to upgrade to a WebSocket.
///
/// `FirstRequestHandler` makes one, and the policy of the server decides by it: `StreamAdmission` for the stream,
/// `EngineServer` for Engine.IO. Headers are a stranger's; nothing traps. What makes a request an upgrade is RFC 6455's,
/// version 13 (`UpgradeRequestTests`).
///
/// The peer and the ticket must stay with the request: limits by address rest on them.
package struct UpgradeRequest: Sendable {
    /// The request as received.
    package let head: HTTPRequestHead

    /// The peer of the connection, which may be a proxy.
    package let remoteAddress: SocketAddress?

    /// The connection's entry in the admission rules, which needs to know the user; `nil` if there is none.
    package let ticket: ConnectionTicket?

    package init(head: HTTPRequestHead, remoteAddress: SocketAddress?) {
        self.init(head: head, remoteAddress: remoteAddress, ticket: nil)
    }

    init(head: HTTPRequestHead, remoteAddress: SocketAddress?, ticket: ConnectionTicket?) {
        self.head = head
        self.remoteAddress = remoteAddress
        self.ticket = ticket
    }

    /// The path without the query, as sent.
    package var path: Substring {
        Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    }

    /// Whether the path is this one.
    package func isFor(_ path: String) -> Bool { self.path.utf8.elementsEqual(path.utf8) }

    /// The text after the first question mark, as received; empty if there is none.
    package var query: Substring {
        Substring(target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
    }

    /// Whether the request is meant as an upgrade to a WebSocket of version 13, valid or not.
    package var asksForWebSocket: Bool {
        WebSocketHandshake.lists("websocket", head.headers["upgrade"])
            && head.headers.first(name: "sec-websocket-version")?.utf8.is("13") ?? false
    }

    /// Whether the head is a valid request for a WebSocket: one that isn't can never be accepted.
    package var isValid: Bool { WebSocketHandshake(head) != nil }

    /// Whether the client offers any subprotocol.
    package var offersSubprotocols: Bool {
        head.headers["sec-websocket-protocol"].contains { !$0.utf8.trimmed.isEmpty }
    }

    /// Whether the client offers a subprotocol.
    package func offers(_ subprotocol: StaticString) -> Bool {
        head.headers["sec-websocket-protocol"].contains { list in
            list.utf8.split(separator: UInt8(ascii: ",")).contains { $0.trimmed.is(subprotocol) }
        }
    }

    /// Path and query, also of a target in absolute form (RFC 9112, section 3.2.2).
    private var target: Substring {
        let uri = head.uri.utf8
        let scheme: Int
        if uri.beginsIgnoringCase(with: "http://") {
            scheme = 7
        } else if uri.beginsIgnoringCase(with: "https://") {
            scheme = 8
        } else {
            return head.uri[...]
        }
        let rest = uri.dropFirst(scheme).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return rest.begins(with: "/") ? Substring(rest) : "/" + Substring(rest)
    }
}
