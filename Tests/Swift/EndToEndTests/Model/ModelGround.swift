import NIOCore
import NIOPosix
import Synchronization
import YonderHub

/// The event loops of servers in memory, and the servers: each lasts as long as the loops, which call it to the end.
final class ModelGround: Sendable {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    private let exchanges = Mutex<[Exchange]>([])

    /// Keeps a server.
    func keep(_ exchange: Exchange) {
        exchanges.withLock { $0.append(exchange) }
    }

    /// Ends the loops.
    func shutDown() async throws {
        try await group.shutdownGracefully()
    }
}
