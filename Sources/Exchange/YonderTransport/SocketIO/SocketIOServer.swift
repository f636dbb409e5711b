package import NIOCore

/// A Socket.IO server: namespaces over an Engine.IO server, for clients of both generations.
///
/// `WorldServer` makes one, and `ServerAssembly` adds its engine's routes; the engine makes a `SocketIOSession` for each
/// client. Nothing fails. A namespace that isn't in the list is refused by the protocol's own packet
/// (`SocketIOServerTests`).
package struct SocketIOServer: Sendable {
    /// The settings for a Socket.IO server.
    package struct Settings: Sendable {
        package var engine = EngineSettings()

        /// The time allowed for a client to enter a namespace.
        package var connectTimeout: TimeAmount = .seconds(45)

        package init() {}
    }

    /// The Engine.IO server: register its routes, and pass upgrade requests to it.
    package let engine: EngineServer

    /// - Parameters:
    ///   - settings: The settings for sessions.
    ///   - group: The event loops for sessions that begin by polling.
    ///   - relay: Forwards requests to the servers of their sessions; `nil` for a server that is alone.
    ///   - namespaces: The namespaces by name; each name begins with a slash.
    package init(
        settings: Settings = Settings(),
        group: any EventLoopGroup,
        relay: (any EngineRelay)? = nil,
        namespaces: [String: SocketIONamespace]
    ) {
        engine = EngineServer(settings: settings.engine, group: group, relay: relay) { connection in
            SocketIOSession(connection, server: settings, namespaces: namespaces)
        }
    }
}
