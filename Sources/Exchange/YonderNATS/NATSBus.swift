package import Logging
package import NIOCore
import NIOPosix
import Synchronization
package import YonderBus

/// The bus of nodes that send each other frames through NATS.
///
/// Every frame is a message on one subject, `y.CLUSTER.f`; a node doesn't receive its own frames (`echo` is off).
/// `connected` is reported once a server has the subscription, for the first connection and for each later one.
///
/// `BusSettings` makes one for `--bus nats://…`; `NodeLink` starts it, publishes and closes it. A frame that can't be
/// sent is dropped: other nodes miss its number and read the store. While no server is reached, `away` was reported
/// once. The subject's form and `echo` off must stay, since all nodes of a cluster need the same (decision 31,
/// `NATSBusTests`).
package final class NATSBus: Bus {
    private let client: NATSClient
    private let subject: NATSSubject
    private let relay: Relay

    /// Creates a bus that ``start(_:)`` connects.
    ///
    /// - Parameters:
    ///   - settings: The servers, and the proof for them.
    ///   - cluster: The name that all nodes of the cluster have: one token of a subject.
    ///   - eventLoop: The loop on which everything is received.
    ///   - logger: Where failures go.
    /// - Throws: `invalidAddress` for a cluster that is no token, `invalidCertificate`.
    package init(
        _ settings: NATSSettings,
        cluster: String,
        on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next(),
        logger: Logger = Logger(label: "bus")
    ) throws(NATSError) {
        guard let subject = NATSSubject("y.\(cluster).f"), !subject.isPattern, !cluster.contains(".") else {
            throw NATSError(
                .invalidAddress,
                "cluster must be one token of a subject, such as yonder; it is \(cluster.prefix(50))."
            )
        }
        let relay = Relay(logger)
        self.subject = subject
        self.relay = relay
        client = try NATSClient(settings, on: eventLoop) { relay.report($0) }
    }

    package var counts: BusCounts {
        let counts = client.counts
        return BusCounts(
            sent: counts.sent,
            received: counts.received,
            dropped: counts.dropped,
            reconnects: counts.reconnects
        )
    }

    package var isAlone: Bool { false }

    package func start(_ receive: @escaping @Sendable (BusEvent) -> Void) {
        relay.start(receive)
        // Before the connection, so that `connected` is reported after the server has the subscription.
        client.follow(subject) { [relay, subject] in
            relay.refuse(subject)
        } _: {
            receive(.frame(Array($0.payload.readableBytesView)))
        }
        client.start()
    }

    package func publish(_ frame: [UInt8]) {
        client.publish(subject, ByteBuffer(bytes: frame))
    }

    package func close() async {
        await client.close()
    }
}

/// Passes the client's events on as those of a bus.
private final class Relay: Sendable {
    private struct State {
        var receive: (@Sendable (BusEvent) -> Void)?
        var isAway = false

        /// Whether a NATS server refused the subject; this node then receives no frames, even with a connection.
        var isRefused = false
    }

    private let state = Mutex(State())
    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    func start(_ receive: @escaping @Sendable (BusEvent) -> Void) {
        state.withLock { $0.receive = receive }
    }

    func report(_ event: NATSEvent) {
        switch event {
        case .connected: pass(.connected, isAway: false)
        case .disconnected(let error), .failed(let error):
            log(error)
            pass(.away, isAway: true)
        case .complained(let error): log(error)
        // Other nodes miss the numbers of these frames, and read the store.
        case .dropped(let count): logger.warning("Bus: \(count) frames weren't sent")
        }
    }

    /// Reports the bus as away from now on, because a NATS server refuses the subject.
    func refuse(_ subject: NATSSubject) {
        logger.error(
            "Bus: NATS doesn't let this server subscribe to \(subject.text); correct the permissions, and restart the server"
        )
        pass(.away, isAway: true)
        state.withLock { $0.isRefused = true }
    }

    /// Passes an event on, but `away` once for many failures.
    private func pass(_ event: BusEvent, isAway: Bool) {
        let receive: (@Sendable (BusEvent) -> Void)? = state.withLock { state in
            guard !state.isRefused else { return nil }
            defer { state.isAway = isAway }
            return isAway && state.isAway ? nil : state.receive
        }
        receive?(event)
    }

    private func log(_ error: NATSError) {
        logger.warning("Bus: \(error.message)", metadata: ["code": "\(error.code)"])
    }
}
