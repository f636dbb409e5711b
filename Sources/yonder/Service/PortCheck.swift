import NIOCore
import NIOPosix

/// Tries whether a server can listen at an address, before anything is opened: a taken port is a sentence, and not a chain of
/// failures.
///
/// Between the check and the server's own listening another program can take the port; the server then ends with the
/// system's words.
enum PortCheck {
    /// Listens at an address for a moment; at port 0 not at all.
    ///
    /// - Throws: ``CommandFailure`` with what to change.
    static func check(_ address: String, _ port: Int) async throws {
        guard port > 0 else { return }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let refusal: (any Error)?
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: address, port: port).get()
            try await channel.close()
            refusal = nil
        } catch {
            refusal = error
        }
        try await group.shutdownGracefully()
        if let refusal { throw CommandFailure(sentence(refusal, address, port)) }
    }

    /// What is wrong, and what to do.
    static func sentence(_ error: any Error, _ address: String, _ port: Int) -> String {
        let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        return switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            """
            Another program listens at \(place): stop that one (ss -ltnp names it), or set another port, as in --port \
            \(port < 65_535 ? port + 1 : port - 1).
            """
        case EACCES:
            """
            The system doesn't let this user listen at \(place). A port below 1024 needs the capability \
            CAP_NET_BIND_SERVICE, or set another port, as in --port 8080.
            """
        case EADDRNOTAVAIL:
            "\(address) is no address of this machine: set --address to one that it has, or to 127.0.0.1."
        default: "\(place) can't be used: \(error)"
        }
    }
}
