package import HTTPTypes
package import NIOCore

/// A client's request to upgrade to a WebSocket.
package struct UpgradeRequest: Sendable {
    /// The request as received.
    package let head: HTTPRequest

    /// The peer of the connection, which may be a proxy.
    package let remoteAddress: SocketAddress?

    /// The connection's entry in the admission rules, which needs to know the user; `nil` if there is none.
    let ticket: ConnectionTicket?

    package init(head: HTTPRequest, remoteAddress: SocketAddress?) {
        self.init(head: head, remoteAddress: remoteAddress, ticket: nil)
    }

    init(head: HTTPRequest, remoteAddress: SocketAddress?, ticket: ConnectionTicket?) {
        self.head = head
        self.remoteAddress = remoteAddress
        self.ticket = ticket
    }

    /// The path without the query, as sent.
    package var path: Substring {
        (head.path ?? "").prefix { $0 != "?" }
    }

    /// The text after the first question mark, as received; empty if there is none.
    package var query: Substring {
        (head.path ?? "").drop { $0 != "?" }.dropFirst()
    }

    /// The subprotocols offered by the client, in its order of preference.
    package var subprotocols: [Substring] {
        head.headerFields.filter { $0.name.canonicalName == "sec-websocket-protocol" }
            .flatMap { $0.value.split(separator: ",") }
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
    }
}

/// The decision about an upgrade request.
package enum UpgradeDecision: Sendable {
    /// The settings and the delegate for an accepted WebSocket.
    package struct Acceptance: Sendable {
        /// The chosen subprotocol, one of those offered by the client.
        package var subprotocol: String?

        package var settings: WebSocketSettings

        /// Creates the delegate that receives the messages, on the connection's event loop.
        ///
        /// The delegate may write at once.
        package var start: @Sendable (WebSocketConnection) -> any WebSocketDelegate

        package init(
            subprotocol: String? = nil,
            settings: WebSocketSettings = WebSocketSettings(),
            start: @escaping @Sendable (WebSocketConnection) -> any WebSocketDelegate
        ) {
            self.subprotocol = subprotocol
            self.settings = settings
            self.start = start
        }
    }

    case accept(Acceptance)

    /// Refused: the router answers like any other request, then the connection is closed.
    case refuse
}

/// Decides about an upgrade request.
package typealias UpgradePolicy = @Sendable (UpgradeRequest) async -> UpgradeDecision
