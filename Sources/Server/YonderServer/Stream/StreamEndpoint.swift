import NIOCore
package import YonderGeodesy
package import YonderHub
package import YonderModel
package import YonderRules
package import YonderTransport
import YonderWire

/// The stream's end of a WebSocket: who connects to `/v1/stream` becomes a session of the exchange.
///
/// `StreamAdmission` decides who may connect and then calls `accept`; the session opens on the connection's loop, once
/// the WebSocket is there. A connection that the exchange doesn't admit any more, because its sign-in has ended
/// meanwhile, is closed at once. Binary messages end the connection. Path, subprotocol and close codes are promised in
/// `Documentation/stream.md` and must stay; `frameLimit` is a setting.
package struct StreamEndpoint: Sendable {
    /// The stream's path.
    package static let path = "/v1/stream"

    /// The WebSocket subprotocol of the stream.
    package static let subprotocol: StaticString = "yonder.v1"

    private let exchange: Exchange
    private let frameLimit: Int

    /// Creates the endpoint over an exchange; a message of more than `frameLimit` bytes ends a connection with 1009.
    package init(exchange: Exchange, frameLimit: Int) {
        self.exchange = exchange
        self.frameLimit = frameLimit
    }

    /// Opens a session for a connection.
    ///
    /// - Parameters:
    ///   - request: The request for the upgrade.
    ///   - user: The signed-in user, or `nil` without an account.
    ///   - credential: The hash of the session's or token's secret.
    ///   - version: The version of the user's account by which the request was allowed.
    ///   - expires: When the credential expires.
    ///   - network: The network of the client.
    /// - Returns: The acceptance, with the subprotocol if it was offered.
    package func accept(
        _ request: UpgradeRequest,
        user: User?,
        credential: SecretHash? = nil,
        version: Int64 = 0,
        expires: Timestamp? = nil,
        network: String? = nil
    ) -> UpgradeDecision {
        let offered = request.offers(Self.subprotocol)
        return .accept(
            UpgradeDecision.Acceptance(
                subprotocol: offered ? Self.subprotocol.description : nil,
                settings: WebSocketSettings(maxMessageSize: frameLimit)
            ) { [exchange] connection in
                StreamConnection(connection) {
                    // The account may have changed while the connection was being accepted.
                    guard user.map({ exchange.admits($0.id, version: version, by: credential) }) ?? true
                    else { return nil }
                    return exchange.loop(on: connection.eventLoop)?
                        .open(
                            connection,
                            user: user,
                            credential: credential,
                            version: version,
                            expires: expires,
                            network: network
                        )
                }
            }
        )
    }
}

/// Passes a WebSocket's events on to its session.
private final class StreamConnection: WebSocketDelegate {
    private let connection: WebSocketConnection
    private let session: Session?

    init(_ connection: WebSocketConnection, open: () -> Session?) {
        self.connection = connection
        session = open()
        if session == nil { connection.close(WebSocketCloseCode.goingAway, "The server is not ready.") }
    }

    func received(text: ByteBuffer) {
        session?.receive(text)
    }

    func received(binary: ByteBuffer) {
        connection.close(WebSocketCloseCode.unsupportedData, "Send text frames, not binary ones.")
    }

    func writabilityChanged(isWritable: Bool) {
        session?.writabilityChanged()
    }

    func closed() {
        session?.closed()
    }
}

extension WebSocketConnection: SessionTransport {}
