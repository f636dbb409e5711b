package import Logging
package import NIOCore
package import YonderHub
package import YonderTransport
import YonderWire

// Assembles the Socket.IO server of the world. `--log-world` has its packets traced, without their content.

extension SocketIOServer {
    /// Creates the server of an exchange's world.
    ///
    /// - Parameters:
    ///   - exchange: The exchange, whose link reaches the sessions of other servers.
    ///   - packetLimit: The most bytes of an event's arguments.
    ///   - packetRate: The packets a second that the world accepts of a connection; one that sends ten times as many, of any kind, is
    ///     closed.
    ///   - perAddress: The most sessions of one address whose clients neither poll nor have a WebSocket.
    ///   - proxies: The proxies whose headers name the client for which a session counts.
    ///   - group: The exchange's event loops.
    ///   - logger: Has a line for each packet, if its level is `trace`.
    /// - Returns: The server.
    package static func world(
        of exchange: Exchange,
        packetLimit: Int,
        packetRate: Int,
        perAddress: Int,
        proxies: TrustedProxies,
        group: any EventLoopGroup,
        logger: Logger
    ) -> SocketIOServer {
        var settings = Settings()
        settings.engine.unpolledPerAddress = perAddress
        settings.engine.proxies = proxies
        // A client that was offline sends at once what it has kept meanwhile: a minute's.
        settings.engine.packetBurst = packetRate * 60
        settings.engine.packetsPerSecond = packetRate * 10
        if logger.logLevel == .trace { settings.engine.trace = { logger.log($0) } }
        let relay = PollRelay(exchange.link)
        let world = WorldNamespace.namespace(of: exchange, packetLimit: packetLimit)
        let server = SocketIOServer(settings: settings, group: group, relay: relay, namespaces: ["/": world])
        relay?.serve(server.engine)
        return server
    }
}

extension Logger {
    /// Logs a packet's kinds and size.
    fileprivate func log(_ packet: PacketTrace) {
        var metadata: Metadata = [
            "session": "\(packet.session)", "kind": "\(packet.kind)", "bytes": "\(packet.bytes)",
        ]
        if let kind = packet.socketKind { metadata["socketIO"] = "\(kind)" }
        trace("An Engine.IO packet was \(packet.way)", metadata: metadata)
    }
}
