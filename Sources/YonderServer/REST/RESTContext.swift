package import Hummingbird
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
}
