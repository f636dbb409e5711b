package import NIOCore
import Synchronization

/// A connection to one of the servers of a NATS cluster, kept up: messages out and in, core NATS alone.
///
/// May be called from any thread. Events and messages come on the event loop, in the order in which they happened; a
/// handler must return soon. Nothing is sent back to its sender (`echo` is off), and nothing is promised: messages
/// that were published while there was no connection, or too many of them, may be lost, and counts say so.
///
/// ``close()`` ends a client that was started; until then the client keeps itself.
///
/// `NATSBus` has one: it subscribes, publishes and closes. The socket is the client's, what happens next is decided in
/// ``NATSSession``, what waits to be sent in ``NATSOutbox``. A lost connection is an event, and another address is tried;
/// ``flush()`` throws when it isn't known what the server has.
///
/// That a handler runs on the event loop, and messages in their order, must stay: the bus numbers its frames (decision
/// 31, `NATSClientTests`, `NATSBusTests`). Times and limits are `NATSSettings`.
// Safe because all mutable state is used on the event loop alone, except for what the mutex holds.
package final class NATSClient: @unchecked Sendable {
    package typealias Handler = @Sendable (NATSMessage) -> Void

    private let settings: NATSSettings
    private let eventLoop: any EventLoop
    private let connector: NATSConnector
    private let report: @Sendable (NATSEvent) -> Void
    private let outbox: Mutex<NATSOutbox>

    private var session: NATSSession
    private var handlers: [UInt64: Handler] = [:]
    private var subscribers: [UInt64: EventLoopPromise<Void>] = [:]
    private var flushes: [UInt64: EventLoopPromise<Void>] = [:]
    private var lastFlush: UInt64 = 0
    private var closers: [EventLoopPromise<Void>] = []
    private var isFinished = false
    private var channel: (any Channel)?
    private var handler: NATSHandler?
    private var timer: Scheduled<Void>?

    /// The number of the attempt to connect, which identifies late results of an earlier one.
    private var connection = 0

    /// Creates a client that ``start()`` connects.
    ///
    /// - Throws: `invalidCertificate`.
    package init(
        _ settings: NATSSettings,
        on eventLoop: any EventLoop,
        report: @escaping @Sendable (NATSEvent) -> Void
    ) throws(NATSError) {
        self.settings = settings
        self.eventLoop = eventLoop
        self.report = report
        connector = try NATSConnector(settings)
        session = NATSSession(settings)
        outbox = Mutex(NATSOutbox(limit: settings.unsentLimit))
    }

    /// The counts since the start.
    package var counts: NATSCounts { outbox.withLock { $0.counts } }

    /// The bytes of messages that no connection has taken.
    package var unsentBytes: Int { outbox.withLock { $0.unsent } }

    /// Connects, and goes on doing so until the client is closed.
    package func start() {
        eventLoop.execute { self.perform(self.session.start()) }
    }

    /// Sends a message, now or when there is a connection.
    ///
    /// Costs a copy of the payload and a lock; wakes the event loop once for many messages.
    ///
    /// - Returns: `false` if the message was dropped, because too many wait, because it is longer than the server
    ///   allows, because the subject is a pattern, or because the client was closed.
    @discardableResult package func publish(_ subject: NATSSubject, _ payload: ByteBuffer) -> Bool {
        let outcome = outbox.withLock { $0.publish(subject, payload) }
        if outcome == .wakes || outcome == .dropped(wakes: true) { eventLoop.execute { self.awake() } }
        if case .dropped = outcome { return false }
        return true
    }

    /// Subscribes to a subject or a pattern, and returns once a server has the subscription: messages that others
    /// publish from then on are passed to `handler`, on the event loop.
    ///
    /// The subscription outlives its connection. Without a connection this waits for one.
    ///
    /// - Returns: the subscription's number, for ``unsubscribe(_:)``.
    /// - Throws: `NATSError`: `notAuthorized` if the server refuses the subject, `tooLarge`, `closed`; or
    ///   `CancellationError`, after which there is no subscription.
    package func subscribe(_ subject: NATSSubject, _ handler: @escaping Handler) async throws -> UInt64 {
        let promise = eventLoop.makePromise(of: Void.self)
        let id = try await eventLoop.submit { try self.subscribe(subject, handler, promise) }.get()
        try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            eventLoop.execute { self.end(id, CancellationError()) }
        }
        return id
    }

    /// Subscribes without waiting for a server: before ``start()``, so that `connected` means that a server has the
    /// subscription.
    ///
    /// If the server refuses the subject, the subscription is removed, and `refused` is called.
    package func follow(
        _ subject: NATSSubject,
        refused: @escaping @Sendable () -> Void,
        _ handler: @escaping Handler
    ) {
        let promise = eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenFailure { error in
            if (error as? NATSError)?.code == .notAuthorized { refused() }
        }
        eventLoop.execute { _ = try? self.subscribe(subject, handler, promise) }
    }

    /// Ends a subscription; its handler isn't called after this has returned on the event loop.
    package func unsubscribe(_ id: UInt64) {
        eventLoop.execute { self.end(id, CancellationError()) }
    }

    /// Returns once the server has everything that was published before.
    ///
    /// - Throws: `NATSError`: `unavailable` without a connection or if it ends, `closed`.
    package func flush() async throws {
        let promise = eventLoop.makePromise(of: Void.self)
        eventLoop.execute {
            self.lastFlush += 1
            self.flushes[self.lastFlush] = promise
            self.perform(self.session.flush(self.lastFlush))
        }
        try await promise.futureResult.get()
    }

    /// Sends what waits if there is a connection, and closes it; nothing is reported after this has returned.
    package func close() async {
        let promise = eventLoop.makePromise(of: Void.self)
        eventLoop.execute {
            if self.isFinished { return promise.succeed() }
            self.closers.append(promise)
            self.perform(self.session.close())
        }
        try? await promise.futureResult.get()
    }
}

// What the owner asks for, on the event loop.
extension NATSClient {
    private func subscribe(
        _ subject: NATSSubject,
        _ handler: @escaping Handler,
        _ promise: EventLoopPromise<Void>
    ) throws -> UInt64 {
        do {
            let (id, actions) = try session.subscribe(subject)
            handlers[id] = handler
            subscribers[id] = promise
            perform(actions)
            return id
        } catch {
            promise.fail(error)
            throw error
        }
    }

    private func end(_ id: UInt64, _ error: any Error) {
        handlers[id] = nil
        subscribers.removeValue(forKey: id)?.fail(error)
        perform(session.unsubscribe(id))
    }

    private func awake() {
        outbox.withLock { $0.awake() }
        reportDrops()
        if session.isReady { drain() }
    }

    private func reportDrops() {
        let drops = outbox.withLock { $0.takeDrops() }
        if drops > 0, !isFinished { report(.dropped(drops)) }
    }

    private func drain() {
        guard let channel, let batch = outbox.withLock({ $0.take() }) else { return }
        channel.writeAndFlush(batch.bytes).whenComplete { result in
            let isTaken = if case .success = result { true } else { false }
            self.outbox.withLock { $0.finished(batch, isTaken: isTaken) }
            self.reportDrops()
        }
    }
}

// The actions of the session.
extension NATSClient {
    private func perform(_ actions: [NATSSession.Action]) {
        eventLoop.assertInEventLoop()
        for action in actions { perform(action) }
    }

    private func perform(_ action: NATSSession.Action) {
        switch action {
        case .connect(let address): connect(address)
        case .secure: secure()
        case .send(let commands): send(commands)
        case .drain: drain()
        case .limit(let payload): limit(payload)
        case .confirm(let id): subscribers.removeValue(forKey: id)?.succeed()
        case .refuse(let id, let error): end(id, error)
        case .flushed(let id): flushes.removeValue(forKey: id)?.succeed()
        case .unflushed(let id, let error): flushes.removeValue(forKey: id)?.fail(error)
        case .report(let event): raise(event)
        case .wait(let duration): wait(duration)
        case .retry(let longest): wait(longest * Double.random(in: 0.5...1))
        case .cancelWait: timer.take()?.cancel()
        case .disconnect: disconnect()
        case .finish: finish()
        }
    }

    private func connect(_ address: NATSAddress) {
        connection += 1
        let number = connection
        connector.connect(address, on: eventLoop) { NATSHandler(self) }.whenComplete { result in
            switch result {
            case .success(let channel): self.opened(channel, number)
            case .failure(let error): self.opened(self.error(error), number)
            }
        }
    }

    private func secure() {
        do {
            try handler?.secure(connector.tlsHandler(session.server))
        } catch {
            lost(self.error(error))
        }
    }

    private func send(_ commands: [NATSCommand]) {
        guard let channel else { return }
        var bytes = channel.allocator.buffer(capacity: 512)
        for command in commands { bytes.write(command) }
        channel.writeAndFlush(bytes, promise: nil)
    }

    private func limit(_ payload: Int) {
        outbox.withLock { $0.payloadLimit = payload }
        handler?.payloadLimit = min(payload, settings.payloadLimit)
    }

    private func raise(_ event: NATSEvent) {
        if event == .connected(again: true) { outbox.withLock { $0.reconnected() } }
        report(event)
    }

    private func wait(_ duration: Duration) {
        timer?.cancel()
        timer = eventLoop.scheduleTask(in: TimeAmount(duration)) { self.perform(self.session.waited()) }
    }

    private func disconnect() {
        connection += 1
        handler = nil
        channel.take()?.close(promise: nil)
    }

    private func finish() {
        isFinished = true
        outbox.withLock { $0.close() }
        handlers = [:]
        for promise in closers { promise.succeed() }
        closers = []
    }
}

// The events of the connection.
extension NATSClient {
    private func opened(_ channel: any Channel, _ number: Int) {
        guard number == connection, channel.isActive,
            let handler = try? channel.pipeline.syncOperations.handler(type: NATSHandler.self)
        else {
            channel.close(promise: nil)
            return opened(NATSError(.unavailable, "\(session.server) closed the connection."), number)
        }
        (self.channel, self.handler) = (channel, handler)
        handler.payloadLimit = settings.payloadLimit
        perform(session.connected())
        // Only now, so that no bytes come before the session knows of the connection.
        channel.setOption(.autoRead, value: true).whenFailure { self.opened(self.error($0), number) }
    }

    private func opened(_ error: NATSError, _ number: Int) {
        if number == connection { lost(error) }
    }

    private func lost(_ error: NATSError?) {
        disconnect()
        perform(session.ended(error))
    }

    func received(_ operation: NATSOperation, _ payload: ByteBuffer?, from handler: NATSHandler) {
        guard handler === self.handler else { return }
        guard case .message(let head) = operation else { return perform(session.received(operation)) }
        guard let payload, session.accepts(head) else { return }
        handlers[head.subscription]?(NATSMessage(subject: head.subject, reply: head.reply, payload: payload))
    }

    func closed(_ handler: NATSHandler, _ error: NATSError?) {
        if handler === self.handler { lost(error) }
    }

    /// The reason that an error of the channel stands for.
    func error(_ error: any Error) -> NATSError {
        connector.error(error, session.server, isOpen: session.isReady)
    }

    func counted(messages: Int, bytes: Int) {
        outbox.withLock { $0.received(messages: messages, bytes: bytes) }
    }
}
