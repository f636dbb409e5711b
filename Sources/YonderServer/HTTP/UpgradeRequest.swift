package import HTTPTypes
package import NIOCore

/// A client's request to go on as a WebSocket.
package struct UpgradeRequest: Sendable {
    /// The request as it came.
    package let head: HTTPRequest

    /// The peer of the connection, which may be a proxy.
    package let remoteAddress: SocketAddress?

    /// The connection, to be told who is signed in; `nil` where there is none.
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

    /// What follows the first question mark, as sent; empty if there is none.
    package var query: Substring {
        (head.path ?? "").drop { $0 != "?" }.dropFirst()
    }

    /// The subprotocols the client offers, the one it likes best first.
    package var subprotocols: [Substring] {
        head.headerFields.filter { $0.name.canonicalName == "sec-websocket-protocol" }
            .flatMap { $0.value.split(separator: ",") }
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
    }
}

/// What becomes of a request to go on as a WebSocket.
package enum UpgradeDecision: Sendable {
    /// How a WebSocket begins.
    package struct Acceptance: Sendable {
        /// The subprotocol agreed on, one of those the client offered.
        package var subprotocol: String?

        package var settings: WebSocketSettings

        /// Makes the one who gets the messages, on the connection's event loop.
        ///
        /// It may write at once.
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

    /// The router answers it like any other request, and the connection is closed after that.
    case refuse
}

/// Decides about a request to go on as a WebSocket.
package typealias UpgradePolicy = @Sendable (UpgradeRequest) async -> UpgradeDecision
