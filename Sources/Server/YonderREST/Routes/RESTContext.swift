package import Hummingbird
package import Logging
package import NIOCore

/// The context of a request: Hummingbird's own, and the connection's peer.
///
/// Hummingbird makes one for each request; `RESTRoutes` and the middlewares read it. `LocalConsole` makes one without a
/// connection, whose peer is `nil`. The most bytes of a body are each endpoint's, not the context's.
package struct RESTContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    /// The peer, or `nil` without a socket.
    package let peer: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
    }

    /// Creates the context of a request that the program sends to itself.
    package init(logger: Logger) {
        coreContext = CoreRequestContextStorage(source: LoggerSource(logger: logger))
        peer = nil
    }
}

private struct LoggerSource: RequestContextSource {
    let logger: Logger
}
