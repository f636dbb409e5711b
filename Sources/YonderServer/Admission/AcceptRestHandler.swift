import Foundation
import Logging
import Metrics
import NIOCore

/// Pauses a listening channel while the process has no file descriptors left.
///
/// NIO has no backoff for this: after a failed `accept` the socket stays registered for reading, so the event
/// loop is notified of the waiting connection again and again.
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

    /// Adds the handler to a listening channel, before every other handler.
    static func add(to channel: any Channel, logger: Logger, factory: any MetricsFactory) async {
        // Adding fails only if the channel is closed.
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
        // Setting fails only if the channel is closed, which reads nothing anyway.
        try? channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
}
