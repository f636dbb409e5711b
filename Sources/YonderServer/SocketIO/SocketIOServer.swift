package import NIOCore

/// A Socket.IO server: namespaces over an Engine.IO server, for clients of both generations.
package struct SocketIOServer: Sendable {
    /// How clients are treated.
    package struct Settings: Sendable {
        package var engine = EngineSettings()

        /// How long a client may take to enter a namespace.
        package var connectTimeout: TimeAmount = .seconds(45)

        package init() {}
    }

    /// What carries the packets: add its routes, and ask it about upgrades.
    package let engine: EngineServer

    /// - Parameters:
    ///   - settings: How clients are treated.
    ///   - group: Whose event loops sessions live on that begin by polling.
    ///   - namespaces: Who lets clients in, by the namespace's name, which begins with a slash.
    package init(
        settings: Settings = Settings(),
        group: any EventLoopGroup,
        namespaces: [String: SocketIONamespace]
    ) {
        engine = EngineServer(settings: settings.engine, group: group) { connection in
            SocketIOSession(connection, server: settings, namespaces: namespaces)
        }
    }
}
