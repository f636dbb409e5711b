package import NIOCore
package import NIOHTTP1

/// A client's request to upgrade to a WebSocket.
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
        target.prefix { $0 != "?" }
    }

    /// The text after the first question mark, as received; empty if there is none.
    package var query: Substring {
        target.drop { $0 != "?" }.dropFirst()
    }

    /// The subprotocols offered by the client, in its order of preference.
    package var subprotocols: [Substring] {
        head.headers["sec-websocket-protocol"].flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
    }

    /// Path and query, also of a target in absolute form (RFC 9112, section 3.2.2).
    private var target: Substring {
        let uri = head.uri[...]
        guard let scheme = ["http://", "https://"].first(where: uri.lowercased().hasPrefix) else {
            return uri
        }
        let rest = uri.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
        return rest.first == "/" ? rest : "/" + rest
    }
}
