import NIOCore
import NIOPosix
import Synchronization
import YonderGeodesy
import YonderLocation

/// The shell around a ``ReceiverSession``: one event loop, at most one channel, at most one timer.
///
/// May be called from any thread; the effects take place on the event loop, in the order of the calls.
///
/// `GpsdSource` and `NMEASource` have one, pass their calls on, and ``abandon()`` it when they are released; it decides
/// nothing. Late events of an earlier connection are recognized by its number and ignored. No positions are reported after
/// ``stop()`` has returned: this must stay (`SourceConformanceTests`).
///
/// A connection that fails is an event of the session, and nothing is thrown. How a channel is read and the timer is kept may
/// change.
// Safe because all mutable state is used on the event loop alone, except for what the mutex holds.
final class ReceiverLoop<Conversation: ReceiverConversation>: @unchecked Sendable {
    private struct Shared {
        var authorization = LocationAuthorization.notDetermined
        var isOpen = false

        /// Whether the source is started, set before the event loop handles the call, so that a stop takes
        /// effect at once.
        var isStarted = false
        var receiver: (@Sendable (LocationSourceEvent) -> Void)?
    }

    private let eventLoop: any EventLoop
    private let connector: ReceiverConnector
    private let timeOfDay: @Sendable () -> Timestamp
    private let shared = Mutex(Shared())

    private var session: ReceiverSession<Conversation>
    private var channel: (any Channel)?
    private var timer: Scheduled<Void>?

    /// The number of the connection, which identifies late events of an earlier one.
    private var connection = 0

    init(
        _ conversation: Conversation,
        connector: ReceiverConnector,
        timing: ReceiverTiming,
        eventLoopGroup: any EventLoopGroup,
        timeOfDay: @escaping @Sendable () -> Timestamp = Timestamp.timeOfDay
    ) {
        session = ReceiverSession(conversation, timing: timing)
        self.connector = connector
        self.timeOfDay = timeOfDay
        eventLoop = eventLoopGroup.any()
    }

    var authorization: LocationAuthorization {
        shared.withLock { $0.authorization }
    }

    func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        shared.withLock { $0.receiver = receiver }
    }

    func start() {
        shared.withLock { $0.isStarted = true }
        eventLoop.execute { self.perform(self.session.start()) }
    }

    func stop() {
        shared.withLock { $0.isStarted = false }
        eventLoop.execute { self.perform(self.session.stop()) }
    }

    /// Call this when the source was released.
    func abandon() {
        eventLoop.execute { self.perform(self.session.abandon()) }
    }

    func requestAuthorization() {
        eventLoop.execute { self.perform(self.session.requestAuthorization()) }
    }

    /// Whether the receiver can be connected to; tries to connect if there is no connection.
    func isReachable() async -> Bool {
        if shared.withLock({ $0.isOpen }) { return true }
        return await connector.isReachable(eventLoop)
    }
}

// The actions of the session.
extension ReceiverLoop {
    private func perform(_ actions: [ReceiverSession<Conversation>.Action]) {
        eventLoop.assertInEventLoop()
        for action in actions { perform(action) }
    }

    private func perform(_ action: ReceiverSession<Conversation>.Action) {
        switch action {
        case .open: open()
        case .send(let text): send(text)
        case .close: close()
        case .wait(let duration): wait(duration)
        case .retry(let longest): wait(longest * Double.random(in: 0.5...1))
        case .cancelWait: cancelWait()
        case .report(let event): report(event)
        }
    }

    private func open() {
        connection += 1
        let number = connection
        let handler: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ReceiverHandler(self, connection: number))
            }
        }
        connector.connect(eventLoop, handler).whenComplete { result in
            switch result {
            case .success(let channel): self.opened(channel, number)
            case .failure(let error): self.closed(number, error)
            }
        }
    }

    private func send(_ text: String) {
        guard let channel else { return }
        channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
    }

    private func close() {
        connection += 1
        setOpen(false)
        channel.take()?.close(promise: nil)
    }

    private func wait(_ duration: Duration) {
        timer?.cancel()
        timer = eventLoop.scheduleTask(in: TimeAmount(duration)) {
            self.perform(self.session.waited())
        }
    }

    private func cancelWait() {
        timer.take()?.cancel()
    }

    private func report(_ event: LocationSourceEvent) {
        let receiver = shared.withLock { shared -> (@Sendable (LocationSourceEvent) -> Void)? in
            switch event {
            case .authorization(let authorization): shared.authorization = authorization
            case .positions: guard shared.isStarted else { return nil }
            case .failure: break
            }
            return shared.receiver
        }
        receiver?(event)
    }

    private func setOpen(_ isOpen: Bool) {
        shared.withLock { $0.isOpen = isOpen }
    }
}

// The events of the connection.
extension ReceiverLoop {
    private func opened(_ channel: any Channel, _ number: Int) {
        guard number == connection, channel.isActive else {
            channel.close(promise: nil)
            return closed(number, nil)
        }
        self.channel = channel
        setOpen(true)
        perform(session.opened(at: timeOfDay()))
        // Only now, so that no data arrives before the session knows of the connection.
        channel.setOption(.autoRead, value: true).whenFailure { self.closed(number, $0) }
    }

    fileprivate func received(_ bytes: ByteBuffer, _ number: Int) {
        guard number == connection else { return }
        let actions = bytes.withUnsafeReadableBytes { bytes in
            session.received(bytes.bindMemory(to: UInt8.self).span, at: timeOfDay())
        }
        perform(actions)
    }

    fileprivate func closed(_ number: Int, _ error: (any Error)?) {
        guard number == connection else { return }
        close()
        perform(session.closed(connector.failure(error), at: timeOfDay()))
    }
}

/// Passes on the data that a channel reads.
///
/// Belongs to its channel's event loop.
private final class ReceiverHandler<Conversation: ReceiverConversation>: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let loop: ReceiverLoop<Conversation>
    private let connection: Int
    private var error: (any Error)?

    init(_ loop: ReceiverLoop<Conversation>, connection: Int) {
        self.loop = loop
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        loop.received(unwrapInboundIn(data), connection)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.error = error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        loop.closed(connection, error)
    }
}
