import ArgumentParser

/// Servers for protocol test suites, made of the product's own protocol code; no part of the product.
@main
struct ProtocolPeer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protocol-peer",
        abstract: "Servers for protocol test suites, made of the product's own protocol code.",
        subcommands: [Echo.self, EngineIO.self, NATSEcho.self, SocketIO.self]
    )
}
