package import NIOCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Pauses a listening channel while the process has no file descriptors left.
///
/// NIO has no backoff for this: after a failed `accept` the socket stays registered for reading, so the event
/// loop is notified of the waiting connection again and again.
///
/// `ServerAssembly` adds it to the listening channel when the server runs, and `ConnectionReport` counts its events. An
/// `accept` that fails for lack of descriptors pauses accepting for a while; every other error goes on to the next
/// handler. Without it a full process would take a whole processor (`AcceptRestTests`). The pause may be changed.
package final class AcceptRestHandler: ChannelInboundHandler {
    package typealias InboundIn = any Channel
    package typealias InboundOut = any Channel

    /// A change of the shortage, for logs and metrics.
    package enum Event: Sendable {
        /// A connection couldn't be accepted; `isFirst` if a shortage begins with it.
        case failed(IOError, isFirst: Bool)

        /// Connections are accepted again, after a shortage of that length.
        case recovered(after: TimeAmount)
    }

    private let report: (Event) -> Void
    private let setReading: (Bool, any Channel) -> Void
    private var rest = AcceptRest()

    init(
        setReading: @escaping (Bool, any Channel) -> Void = AcceptRestHandler.setAutoRead,
        report: @escaping (Event) -> Void
    ) {
        self.setReading = setReading
        self.report = report
    }

    /// Adds the handler to a listening channel, before every other handler.
    package static func add(to channel: any Channel, report: @escaping @Sendable (Event) -> Void) async {
        // Adding fails only if the channel is closed.
        try? await channel.eventLoop.submit {
            let handler = AcceptRestHandler(report: report)
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
        }.get()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let length = rest.accepted(at: .now()) {
            report(.recovered(after: length))
        }
        context.fireChannelRead(data)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError, Self.shortages.contains(failure.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        let pause = rest.failed(at: .now())
        report(.failed(failure, isFirst: pause.isFirst))
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
