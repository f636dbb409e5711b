import NIOCore

/// The first handler of every connection, before TLS: records when the peer sent data, and closes the
/// connection.
///
/// Closing from here frees the descriptor at once, while TLS would wait for the peer's close notification.
///
/// `ClientConnections` adds it to each connection; `ConnectionGate` fires ``ConnectionCut`` to make room. When the
/// server ends, a connection is closed after its patience. It must stay the first handler, before TLS, or closing waits
/// for the peer (`EdgeHandlerTests`). The patience may be changed.
final class EdgeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// How long a connection may continue when the server shuts down.
    struct Patience {
        /// A connection that is idle, or whose request isn't complete.
        var incomplete = TimeAmount.seconds(2)

        /// A connection whose request is complete and being answered.
        var answering = TimeAmount.seconds(6)
    }

    /// The minimum time between two reports to the connection gate, and so the precision of the recorded time.
    private static let granularity = TimeAmount.seconds(5)

    /// Whether a complete request is being answered.
    var isAnswering: () -> Bool = { false }

    private let ticket: ConnectionTicket?
    private let patience: Patience
    private var noted = NIODeadline.now()
    private var cuts: [Scheduled<Void>] = []

    init(ticket: ConnectionTicket?, patience: Patience = Patience()) {
        self.ticket = ticket
        self.patience = patience
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.now()
        if now - noted > Self.granularity {
            noted = now
            ticket?.heard()
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        switch event {
        case is ConnectionCut: context.close(promise: nil)
        case is ChannelShouldQuiesceEvent: cutLater(context)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        for cut in cuts { cut.cancel() }
        cuts.removeAll()
        context.fireChannelInactive()
    }

    private func cutLater(_ context: ChannelHandlerContext) {
        guard cuts.isEmpty, context.channel.isActive else { return }
        let eventLoop = context.eventLoop.assumeIsolated()
        cuts = [
            eventLoop.scheduleTask(in: patience.incomplete) {
                if !self.isAnswering() { context.close(promise: nil) }
            },
            eventLoop.scheduleTask(in: patience.answering) { context.close(promise: nil) },
        ]
    }
}

/// The event by which a connection's handlers close it at once, to make room for another connection.
struct ConnectionCut: Sendable {}
