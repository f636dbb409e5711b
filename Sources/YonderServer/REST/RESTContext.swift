package import Hummingbird
import Logging
package import NIOCore

/// What goes with a request: the core's own, and who is at the other end of the connection.
package struct RESTContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    /// The peer, or `nil` where there is no socket.
    package let peer: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
    }

    /// Creates the context of a request that the program sends to itself.
    init(logger: Logger) {
        coreContext = CoreRequestContextStorage(source: LoggerSource(logger: logger))
        peer = nil
    }
}

private struct LoggerSource: RequestContextSource {
    let logger: Logger
}
