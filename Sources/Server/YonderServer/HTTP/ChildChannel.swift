package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL
package import YonderTransport

/// One client's connection: HTTP through Hummingbird's router, or a WebSocket, depending on its first
/// request.
///
/// Hummingbird calls ``setup(channel:logger:)`` for each accepted connection on its event loop, and
/// ``handle(value:logger:)`` in the server's task group. An error of TLS or the first request closes the connection
/// alone. The order of the handlers must stay: TLS first, then `ClientConnections`, then HTTP's, which leave again when
/// the connection becomes a WebSocket (decision 6, `UpgradeTests`).
package struct ChildChannel: ServerChildChannel, HTTPChannelHandler {
    fileprivate typealias HTTPChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// The result of a connection's first request.
    package struct Value: ServerChildChannelValue {
        fileprivate let connection: ClientConnections.Connection<HTTPChannel>

        package var channel: any Channel { connection.channel }
    }

    package let responder: HTTPChannelHandler.Responder
    private let connections: ClientConnections
    private let certificate: ServerCertificate?

    init(
        responder: @escaping HTTPChannelHandler.Responder,
        connections: ClientConnections,
        certificate: ServerCertificate?
    ) {
        self.responder = responder
        self.connections = connections
        self.certificate = certificate
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let steps = ClientConnections.Steps(
                addTLS: certificate.map { certificate in { try addTLS(certificate, to: channel) } },
                addHTTP: { try addHTTPHandlers(to: channel, logger: logger) },
                leaveHTTP: { leaveHTTP(on: channel) }
            )
            return Value(connection: try connections.open(channel, steps))
        }
    }

    package func handle(value: Value, logger: Logger) async {
        switch await value.connection.language {
        case .http(let channel):
            await value.connection.serve { await handleHTTP(asyncChannel: channel, logger: logger) }
        case .webSocket: await connections.allWebSocketsClosed()
        case nil: value.channel.close(promise: nil)
        }
    }

    private func addTLS(_ certificate: ServerCertificate, to channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
    }

    private func addHTTPHandlers(to channel: any Channel, logger: Logger) throws -> HTTPChannel {
        let pipeline = channel.pipeline.syncOperations
        let idleTimeout = connections.settings.idleTimeout
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    /// Remaining HTTP handlers, if there were any, would close the connection as idle.
    private func leaveHTTP(on channel: any Channel) {
        let pipeline = channel.pipeline.syncOperations
        if let state = try? pipeline.handler(type: HTTPConnectionStateHandler.self) {
            pipeline.removeHandler(state, promise: nil)
        }
    }
}

extension HTTPServerBuilder {
    /// A server for HTTP/1.1 and WebSocket on one port, over TLS if there is a `certificate`.
    ///
    /// Without a connection gate every connection is admitted.
    package static func upgradable(
        settings: ClientConnections.Settings = ClientConnections.Settings(),
        gate: ConnectionGate? = nil,
        certificate: ServerCertificate? = nil,
        policy: @escaping UpgradePolicy
    ) -> HTTPServerBuilder {
        let connections = ClientConnections(settings: settings, gate: gate, policy: policy, answer: \.refusal)
        return HTTPServerBuilder {
            ChildChannel(responder: $0, connections: connections, certificate: certificate)
        }
    }
}
