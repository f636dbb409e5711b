import Foundation
import Logging
import Metrics
import NIOCore

/// Lets a listening channel rest while the system has no descriptors left.
///
/// NIO's own backoff doesn't: a failed `accept` leaves the socket registered for reading, and the event loop is told at
/// once, again and again, that somebody waits.
final class AcceptRestHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let logger: Logger
    private let rests: Counter
    private let setReading: (Bool, any Channel) -> Void
    private var rest = AcceptRest()

    init(
        logger: Logger,
        factory: any MetricsFactory,
        setReading: @escaping (Bool, any Channel) -> Void = AcceptRestHandler.setAutoRead
    ) {
        self.logger = logger
        self.setReading = setReading
        rests = Counter(label: "yonder_accept_rests_total", factory: factory)
    }

    /// Adds one to a channel that listens, before everything that reads.
    static func add(to channel: any Channel, logger: Logger, factory: any MetricsFactory) async {
        // It fails for a closed channel only.
        try? await channel.eventLoop.submit {
            let handler = AcceptRestHandler(logger: logger, factory: factory)
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
        }.get()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let length = rest.accepted(at: .now()) {
            logger.notice(
                "Connections are accepted again",
                metadata: ["after": "\(length.nanoseconds / 1_000_000) ms"]
            )
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError, Self.shortages.contains(failure.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        let pause = rest.failed(at: .now())
        rests.increment()
        if pause.isFirst {
            logger.warning(
                "No connection can be accepted for now; raise the limit of open files, or lower --max-connections",
                metadata: ["error": "\(failure)"]
            )
        }
        let channel = context.channel
        setReading(false, channel)
        context.eventLoop.assumeIsolated().scheduleTask(in: pause.length) { self.setReading(true, channel) }
    }

    private static let shortages: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private static func setAutoRead(_ isReading: Bool, of channel: any Channel) {
        // It fails for a closed channel only, which reads nothing anyway.
        try? channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
}
