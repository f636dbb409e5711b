import Logging
public import YonderGeodesy
package import YonderLink
public import YonderModel
import YonderWire

/// A client of a server, which reconnects whenever the connection breaks.
///
/// An app creates one for a person (`SignInModel` does), and runs ``run()``, once at a time, in a task of its own; operations
/// and watches may be called from any task, also before. A sent message stays in an outbox until the server has stored it;
/// each watched query continues where it stopped. A lost connection ends nothing; after an error of ``run()`` create another
/// client. The order in which a new connection is sent stops, queries, messages and read marks must stay
/// (`SharingClientTests`, the SDK's model).
public actor SharingClient {
    // A shell: it carries out what its values decide, and rules belong into these. Its state is private, but for what
    // `SharingClient+Chores.swift` and `SharingClient+Stops.swift` use; other files call the functions at this one's end.

    typealias Waiter = CheckedContinuation<Result<Reply, SharingError>, Never>

    let refused = Mailbox<Refused>(capacity: 100)
    let asked = Mailbox<Question>(capacity: 100)
    let isConnected = CurrentValue(false)
    let logger: Logger

    let outbox: any OutboxStore
    let clock: any Clock<Duration>
    let now: @Sendable () -> Timestamp

    private let loop: ConnectionLoop
    private var isRunning = false

    /// The error with which the server refused this client for good.
    private(set) var refusal: SharingError?

    private var link: (any StreamLink)?
    var chores: AsyncStream<Chore>.Continuation?

    var requests = Requests<Waiter>()
    private var reads = UnsentReads()
    var subscriptions: Subscriptions
    var pin = OwnPin()

    let stopStore: (any StopStore)?
    let waiting = CurrentValue<[WaitingStop]>([])
    var stops: Stops<Waiter>

    /// The callers that are suspended until the server has answered every request.
    private var idlers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastIdler = 0

    /// Creates a client; ``run()`` connects it.
    ///
    /// - Parameters:
    ///   - server: `https://host` or `http://host:port`, with the path in front of `/v1` if there is one.
    ///   - token: A bearer token; without one, only an open world can be watched.
    ///   - outbox: Stores unsent messages, and unsent stops if it is a ``StopStore``; the default outbox in memory loses
    ///     both when the process ends.
    ///   - settings: The client's settings.
    /// - Throws: `invalidField` for an invalid server, token or certificate file.
    public init(
        server: String,
        token: String? = nil,
        outbox: any OutboxStore = MemoryOutboxStore(),
        settings: ClientSettings = ClientSettings()
    ) throws(SharingError) {
        let links = try Links(server: server, certificateAuthority: settings.certificateAuthority)
        if token != nil, !links.address.isSecure, !links.address.isLoopback {
            settings.logger.warning("The token goes to the server without TLS.")
        }
        self.init(outbox: outbox, settings: settings, connect: links.stream(as: try TokenIdentity(token)))
    }

    /// Creates a client over connections that the caller makes.
    package init(
        outbox: any OutboxStore = MemoryOutboxStore(),
        settings: ClientSettings = ClientSettings(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = TimeOfDay.now,
        connect: @escaping LinkFactory
    ) {
        self.outbox = outbox
        stopStore = outbox as? any StopStore
        stops = Stops(isKeeping: stopStore != nil)
        (self.clock, self.now) = (clock, now)
        logger = settings.logger
        loop = ConnectionLoop(
            connect: connect,
            clock: clock,
            backoff: settings.backoff,
            logger: settings.logger
        )
        subscriptions = Subscriptions(readerCapacity: settings.readerCapacity)
    }

    // MARK: - Running

    /// Connects and stays connected until the task is canceled.
    ///
    /// - Throws: The error with which the server refuses this client, such as `invalidCredentials`;
    ///   `unavailable` if the outbox can't be read. Unsent messages stay in the outbox.
    public func run() async throws(SharingError) {
        precondition(!isRunning, "A client runs once at a time.")
        isRunning = true
        let error = await untilEnd()
        isRunning = false
        end(error ?? SharingError(.unavailable, "The client was stopped."))
        if let error { throw error }
    }

    private func untilEnd() async -> SharingError? {
        let (stream, continuation) = AsyncStream.makeStream(of: Chore.self)
        chores = continuation
        defer { chores = nil }
        await readStops()
        do throws(SharingError) {
            if requests.needsOutbox {
                let entries = try await outbox.entries()
                let now = now()
                perform(requests.readOutbox(entries) { stops.refusal(of: $0.draft, in: $0.chat, at: now) })
            }
        } catch {
            return error
        }
        let error = await runUntilEnd(stream)
        await keepStops()
        return error
    }

    private func runUntilEnd(_ stream: AsyncStream<Chore>) async -> SharingError? {
        await withTaskGroup(of: SharingError?.self) { group in
            group.addTask { await self.stayConnected() }
            group.addTask {
                await self.work(stream)
                return nil
            }
            let error = await group.next() ?? nil
            group.cancelAll()
            return error
        }
    }

    private func stayConnected() async -> SharingError? {
        if refusal == nil { refusal = await loop.run { handle($0) } }
        return refusal
    }

    private func handle(_ event: ConnectionLoop.Event) {
        switch event {
        case .received(let frame, let link): receive(frame, from: link)
        case .closed: disconnected()
        }
    }

    private func connected(_ link: any StreamLink, _ hello: Hello) {
        self.link = link
        perform(stops.connected(as: hello.user, serverTime: hello.time, at: now()))
        if pin.isShown { _ = subscriptions.hold(WorldList()) }
        write(subscriptions.connected(hasPartialShares: hello.hasPartialShares))
        perform(pin.connected(isWritable: link.isWritable))
        perform(requests.connected())
        write(reads.connected())
        isConnected.set(true)
    }

    private func disconnected() {
        isConnected.set(false)
        link = nil
        stops.disconnected()
        subscriptions.disconnected()
        pin.disconnected()
        perform(requests.disconnected())
        reads.disconnected()
    }

    private func end(_ error: SharingError) {
        perform(stops.end(error))
        perform(requests.end(error))
        subscriptions.end(error)
        resumeAll()
    }

    // MARK: - Receiving

    private func receive(_ frame: ServerFrame, from link: any StreamLink) {
        switch frame.destination {
        case .connection(let hello): connected(link, hello)
        case .subscription(let id, let topic): write(subscriptions.answered(id, topic: topic, frame))
        case .topic(let topic): write(subscriptions.changed(topic: topic, frame))
        case .ended(let id, let error) where !subscriptions.isEnding(id): receive(FrameRefusal(error, id: id))
        case .unsubscribed(let id): subscriptions.unsubscribed(id)
        case .request(let id, let reply): receive(reply, to: id)
        case .refused(let refusal): receive(refusal)
        case .question(let question): asked.put(question)
        case .ended, nil: break
        }
    }

    private func receive(_ reply: Reply, to id: OutgoingKey) {
        note(reply, to: id)
        perform(stops.answered(id.key, reply))
        perform(requests.answered(id, reply))
    }

    private func receive(_ refusal: FrameRefusal) {
        let error = refusal.error
        if let key = refusal.key {
            if stops.owns(key) { return perform(stops.refused(key, error)) }
            let id = OutgoingKey(key: key, chat: refusal.chat)
            if error.retryDelay == nil { stops.startEnded(id) }
            return perform(requests.refused(id, error))
        }
        switch refusal.id.map({ ($0, subscriptions.refused($0, error)) }) {
        case (_, .later(let wait, let time))?: chores?.yield(.resubscribe(wait, after: time))
        case (_, .ended)?: break
        case (_, .unknown)?, nil:
            logger.info("Refused.", metadata: ["code": "\(error.code)", "message": "\(error.message)"])
        }
    }

    // MARK: - What has no answer

    /// Waits until every request, every stop and every message of the outbox is answered, ``run()`` ends, or the task is
    /// canceled.
    public func waitUntilSent() async {
        guard !isIdle else { return }
        lastIdler += 1
        let idler = lastIdler
        await withTaskCancellationHandler {
            await withCheckedContinuation { idlers[idler] = $0 }
        } onCancel: {
            Task { await self.resume(idler) }
        }
    }

    private func resume(_ idler: Int) { idlers.removeValue(forKey: idler)?.resume() }

    private func resumeAll() { idlers.keys.forEach(resume) }

    /// Marks a chat's messages up to a number as read.
    ///
    /// The server doesn't answer. Without a connection, the client keeps the highest number per chat, for at most 1 000 chats,
    /// and sends these numbers when connected. ``chats()`` returns the number that the server knows.
    public func markRead(_ chat: ChatID, upTo number: Int64) {
        write(reads.mark(chat, upTo: number))
    }

    /// Shows the caller's pin in the world, or moves it.
    ///
    /// The server doesn't answer. After a lost connection the pin is shown again. At most ten positions a
    /// second are sent; of more, the newest.
    public func movePin(to coordinate: Coordinate) {
        write(subscriptions.hold(WorldList()))
        perform(pin.move(to: WorldPosition(coordinate), isWritable: isWritable))
    }

    /// Removes the caller's pin from the world.
    public func removePin() {
        pin.remove()
        write(subscriptions.letGo(.world))
    }

    // MARK: - Performing

    var isWritable: Bool { link?.isWritable ?? false }

    private var isIdle: Bool { requests.isIdle && stops.isIdle }

    func write(_ frames: [ClientFrame]) {
        for frame in frames { link?.write(frame.encoded()) }
    }

    func perform(_ actions: [Requests<Waiter>.Action]) {
        for action in actions {
            switch action {
            case .write(let frame): write([frame])
            case .resume(let waiters, let result): for waiter in waiters { waiter.resume(returning: result) }
            case .forget(let id): chores?.yield(.forget(id))
            case .pause(let pause, let wait): chores?.yield(.resumeSending(pause, after: wait))
            case .report(let chat, let key, let error):
                logger.warning("A message was refused.", metadata: ["code": "\(error.code)"])
                refused.put(Refused(chat: chat, key: key, error: error))
            case .idle: resumeIdlers()
            }
        }
    }

    func perform(_ actions: [OwnPin.Action]) {
        for action in actions {
            switch action {
            case .send(let position): write([.pin(at: position)])
            case .rest: chores?.yield(.restPin)
            }
        }
    }

    /// Waits for the answer to the request that `add` adds.
    private func answer(
        to id: OutgoingKey,
        _ add: (Waiter) -> [Requests<Waiter>.Action]
    ) async throws(SharingError) -> Reply {
        try requests.checkWaiting()
        if let refusal { throw refusal }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { perform(add($0)) }
        } onCancel: {
            Task { await self.cancel(id) }
        }
        return try result.get()
    }

    private func cancel(_ id: OutgoingKey) {
        perform(requests.canceled(id))
    }

    private func read<List: LiveList>(_ opened: Subscriptions.Opened<List>)
        -> LiveUpdates<List.Snapshot, List.Change>
    {
        if let refusal { opened.feed.finish(refusal) }
        write(opened.frames)
        return opened.feed.addReader { Task { await self.release(opened.id) } }
    }

    private func release(_ id: Int64) {
        write(subscriptions.release(id))
    }
}

// MARK: - For the other files of this type

extension SharingClient {
    /// Resumes the callers of ``waitUntilSent()`` if there is nothing to wait for.
    func resumeIdlers() {
        if isIdle { resumeAll() }
    }

    /// Takes a request back that was never written.
    func withdraw(_ id: OutgoingKey) {
        let error = SharingError(.shareEnded, "The share was stopped before it was started.")
        guard let actions = requests.withdraw(id, error) else { return }
        stops.startEnded(id)
        perform(actions)
    }

    /// Sends a request to start a share, and waits for the answer.
    func start(_ id: OutgoingKey, _ frame: ClientFrame, in chat: ChatID) async throws(SharingError) -> Reply {
        try await answer(to: id) {
            stops.starting(id, in: chat, at: now())
            return requests.add(id, frame, for: $0)
        }
    }

    /// Sends a request under a random key, and waits for the answer.
    func answer(
        in chat: ChatID? = nil,
        _ frame: (_ key: String) -> ClientFrame
    ) async throws(SharingError) -> Reply {
        let id = OutgoingKey.random(in: chat)
        let frame = frame(id.key)
        return try await answer(to: id) { requests.add(id, frame, for: $0) }
    }

    /// Sends a message of the outbox, and waits for the answer.
    func answer(to entry: OutboxEntry) async throws(SharingError) -> Reply {
        try await answer(to: OutgoingKey(entry)) { requests.add(entry, for: $0) }
    }

    /// Sends a message of the outbox.
    func post(_ entry: OutboxEntry) {
        perform(requests.add(entry))
    }

    /// Sends a message that isn't stored, and waits for the answer.
    func pass(_ id: OutgoingKey, _ frame: ClientFrame) async throws(SharingError) {
        try requests.checkPassing(isWritable: isWritable)
        _ = try await answer(to: id) { requests.pass(id, frame, for: $0) }
    }

    /// Sends a frame that has no answer, unless there is no connection or it can't accept one now.
    func offer(_ frame: ClientFrame) {
        if isWritable { write([frame]) }
    }

    /// Reads a list that all readers of its query share.
    func watch<List: LiveList>(_ list: List) -> LiveUpdates<List.Snapshot, List.Change> {
        read(subscriptions.open(list))
    }

    /// Subscribes to a live region, and returns its updates; the caller alone reads them, and can move the region.
    func watch<Item>(_ list: RegionList<Item>) -> RegionUpdates<Item> {
        let opened = subscriptions.openAlone(list)
        return RegionUpdates(updates: read(opened)) { [weak feed = opened.feed, id = opened.id] region in
            if let feed { await self.move(id, feed, to: region) }
        }
    }

    private func move<Item>(_ id: Int64, _ feed: LiveFeed<RegionList<Item>>, to region: Region) {
        let move = feed.update { $0.move(to: region) }
        if let move { write([.move(id: id, step: move.step, region: move.region)]) }
    }
}
