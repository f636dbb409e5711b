/// The decision about an upgrade request.
///
/// `StreamAdmission` and `EngineServer` decide, `FirstRequestHandler` performs it on the connection's loop. A request
/// that is refused goes to the router as a plain one, whose answer says why. While a decision takes, nothing more is
/// read from the client (`UpgradeTests`).
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
