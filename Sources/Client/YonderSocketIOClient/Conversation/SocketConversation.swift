import YonderLink
import YonderModel
import YonderWire

/// One connection to a namespace, over one Engine.IO session: entering, events, and acknowledgements.
///
/// A plain value, as ``EngineConversation``, whose steps it passes on.
///
/// Invariants:
///
/// 1. An event is sent only in the namespace: after `connected` and before `end`.
/// 2. The caller of an event with an acknowledgement gets one `resume`, also when the connection ends.
/// 3. An event of the server's is acknowledged at most once.
/// 4. A server that refuses the namespace, or disconnects the client from it, ends the conversation for good.
///
/// `SocketIOClient` has one for each connection, calls it on its actor with all that happens, and performs the steps in their
/// order. Only ``emit(_:_:isWritable:at:)`` and `acknowledge` throw, before anything is sent. A packet that breaks the
/// protocol, or has too many values, ends the connection, and the client makes a new one.
///
/// ``patience`` and the limits may change. That no event is sent twice must stay: the client promises *at most once*
/// (`SocketConversationTests`, `RecordedConversationTests` with other projects' servers).
struct SocketConversation<Waiter: Sendable>: Sendable {
    enum Step: Sendable {
        /// A step of the session; never `opened`, `deliver` or `end`.
        case engine(EngineConversation.Step)
        /// The client is in the namespace.
        case connected
        /// An event came, with the identifier for its acknowledgement.
        case event(SocketEvent, id: UInt64?)
        case resume(Waiter, Outcome)
        case end(Ending)
    }

    /// How an event with an acknowledgement ended.
    enum Outcome: Hashable, Sendable {
        /// The server acknowledged it, with these values in JSON.
        case acknowledged([[UInt8]])
        /// The server may have received it, or not.
        case unknown(String)
    }

    /// An event to be sent.
    struct Outgoing: Sendable {
        let name: String
        let arguments: [[UInt8]]
    }

    /// The caller that waits for an acknowledgement.
    struct Request: Sendable {
        /// An identifier that no other event of the connection has.
        let id: UInt64
        let waiter: Waiter
        let timeout: Duration
    }

    /// The longest time from the open session to the namespace.
    static var patience: Duration { .seconds(15) }

    /// The most events of the server's that the client may still acknowledge; beyond, the oldest can't be acknowledged.
    static var unansweredLimit: Int { 1_000 }

    /// The most values of an event or an acknowledgement of the server's.
    static var valueLimit: Int { 1_000 }

    private let settings: ConversationSettings
    private var engine: EngineConversation
    private var isInside = false
    private var entryEnd: Duration?

    /// How the conversation ends, whatever ends the session: set by a refusal.
    private var refusal: Ending?
    private var acknowledgements = Acknowledgements<Waiter>()

    /// The identifiers of the server's events that can be acknowledged, the oldest first.
    private var unanswered: [UInt64] = []

    init(_ settings: ConversationSettings) {
        self.settings = settings
        engine = EngineConversation(settings)
    }

    /// When ``tick(at:)`` is due.
    var deadline: Duration? {
        [engine.deadline, entryEnd, acknowledgements.deadline].compactMap(\.self).min()
    }

    /// Whether packets go over the WebSocket.
    var usesSocket: Bool { engine.usesSocket }

    // MARK: - What the shell calls

    mutating func begin(at now: Duration) -> [Step] { follow(engine.begin(at: now), at: now) }

    mutating func polled(_ answer: Result<LinkAnswer, LinkClosure>, at now: Duration) -> [Step] {
        follow(engine.polled(answer, at: now), at: now)
    }

    mutating func posted(_ answer: Result<LinkAnswer, LinkClosure>, at now: Duration) -> [Step] {
        follow(engine.posted(answer, at: now), at: now)
    }

    mutating func socketOpened(at now: Duration) -> [Step] { follow(engine.socketOpened(), at: now) }

    mutating func socketReceived(_ text: [UInt8], isWritable: Bool = true, at now: Duration) -> [Step] {
        follow(engine.socketReceived(text, isWritable: isWritable, at: now), at: now)
    }

    mutating func socketClosed(_ closure: LinkClosure, at now: Duration) -> [Step] {
        follow(engine.socketClosed(closure, at: now), at: now)
    }

    mutating func tick(at now: Duration) -> [Step] {
        let expired: [Step] = acknowledgements.removeExpired(at: now).map {
            .resume($0, .unknown("No acknowledgement came in time."))
        }
        if let entryEnd, now >= entryEnd {
            return expired + fail("The server didn't answer the entry to \(settings.namespace).", at: now)
        }
        return expired + follow(engine.tick(at: now), at: now)
    }

    /// Leaves the namespace and closes the session.
    mutating func leave(at now: Duration) -> [Step] {
        let packet = SocketPacket(.disconnect, namespace: settings.namespace)
        let steps = isInside ? engine.send(EnginePacket(.message, packet.text)) : []
        return follow(steps + engine.leave(at: now), at: now)
    }

    /// Ends the conversation at once.
    mutating func cut(_ closure: LinkClosure, at now: Duration) -> [Step] {
        follow(engine.end(.closed(closure)), at: now)
    }

    // MARK: - Events

    /// Sends an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - request: The caller that waits for the acknowledgement, or `nil` to ask for none.
    ///   - isWritable: Whether the WebSocket, if there is one, can accept more.
    ///   - now: The time.
    /// - Returns: What to do now.
    /// - Throws: `unavailable`, `tooLarge` or `tooManyRequests`; the event isn't sent then, and the caller gets no `resume`.
    mutating func emit(
        _ event: Outgoing,
        _ request: Request?,
        isWritable: Bool,
        at now: Duration
    ) throws(SharingError) -> [Step] {
        guard isInside else { throw SharingError(.unavailable, "Not connected; the event wasn't sent.") }
        let packet = SocketPacket(
            event: event.name,
            event.arguments,
            id: request?.id,
            namespace: settings.namespace
        )
        let text = packet.text
        try check(text.count, isWritable: isWritable)
        if let request {
            guard !acknowledgements.isFull else {
                throw SharingError(
                    .tooManyRequests,
                    "\(Acknowledgements<Waiter>.limit) events wait for their acknowledgements."
                )
            }
            acknowledgements.add(request.id, request.waiter, until: now + request.timeout)
        }
        return follow(engine.send(EnginePacket(.message, text)), at: now)
    }

    /// Gives up the acknowledgement of an event.
    mutating func giveUp(_ id: UInt64) -> [Step] {
        acknowledgements.remove(id).map { [.resume($0, .unknown("The caller was canceled."))] } ?? []
    }

    /// Acknowledges an event of the server's; nothing if that was done, or if ``unansweredLimit`` later ones came.
    mutating func acknowledge(
        _ id: UInt64,
        with values: [[UInt8]],
        isWritable: Bool,
        at now: Duration
    ) throws(SharingError) -> [Step] {
        guard let index = unanswered.firstIndex(of: id) else { return [] }
        let text = SocketPacket(acknowledging: id, with: values, namespace: settings.namespace).text
        try check(text.count, isWritable: isWritable)
        unanswered.remove(at: index)
        return follow(engine.send(EnginePacket(.message, text)), at: now)
    }

    private func check(_ bytes: Int, isWritable: Bool) throws(SharingError) {
        guard bytes <= engine.packetLimit else {
            throw SharingError(
                .tooLarge,
                "The packet must have at most \(engine.packetLimit) bytes; it has \(bytes)."
            )
        }
        guard engine.usesSocket ? isWritable : engine.hasRoom(for: bytes) else {
            throw SharingError(.tooManyRequests, "The connection can't accept more now.")
        }
    }

    // MARK: - Receiving

    private mutating func follow(_ steps: [EngineConversation.Step], at now: Duration) -> [Step] {
        steps.flatMap { step -> [Step] in
            switch step {
            case .opened: enter(at: now)
            case .deliver(let text): receive(text, at: now)
            case .end(let ending): finish(ending)
            default: [.engine(step)]
            }
        }
    }

    private mutating func enter(at now: Duration) -> [Step] {
        entryEnd = now + Self.patience
        let isMain = settings.namespace == SocketPacket.mainNamespace
        // A server of generation 3 enters a client into the main namespace by itself.
        if settings.version == .three, isMain { return [] }
        let json = settings.version == .four ? settings.auth : []
        let packet = SocketPacket(.connect, namespace: settings.namespace, json: json)
        return follow(engine.send(EnginePacket(.message, packet.text)), at: now)
    }

    private mutating func receive(_ text: [UInt8], at now: Duration) -> [Step] {
        do throws(SocketPacket.Fault) {
            // Attachments follow as binary messages, which the session leaves out.
            return try handle(SocketPacket.read(text).packet, at: now)
        } catch {
            return fail("The server sent a packet that can't be read: \(error.reason)", at: now)
        }
    }

    private mutating func handle(_ packet: SocketPacket, at now: Duration) throws(SocketPacket.Fault)
        -> [Step]
    {
        guard packet.namespace == settings.namespace else { return [] }
        switch packet.kind {
        case .connect where !isInside:
            (isInside, entryEnd) = (true, nil)
            return [.connected]
        case .connect: return []
        case .connectError: return refuse(packet.refusal, at: now)
        case .disconnect: return refuse("The server disconnected this client.", at: now)
        case .event, .binaryEvent:
            let event = try packet.event()
            guard event.arguments.count <= Self.valueLimit else { return refuseValues(at: now) }
            return receive(event, id: packet.id)
        case .acknowledgement, .binaryAcknowledgement:
            let values = try packet.values().map { Array($0) }
            guard values.count <= Self.valueLimit else { return refuseValues(at: now) }
            let waiter = packet.id.flatMap { acknowledgements.remove($0) }
            return waiter.map { [.resume($0, .acknowledged(values))] } ?? []
        }
    }

    private mutating func receive(_ event: SocketEvent, id: UInt64?) -> [Step] {
        guard isInside else { return [] }
        if let id {
            unanswered.removeAll { $0 == id }
            if unanswered.count == Self.unansweredLimit { unanswered.removeFirst() }
            unanswered.append(id)
        }
        return [.event(event, id: id)]
    }

    private mutating func refuseValues(at now: Duration) -> [Step] {
        fail("The server sent a packet of more than \(Self.valueLimit) values.", at: now)
    }

    private mutating func refuse(_ reason: String, at now: Duration) -> [Step] {
        isInside = false
        let error = SharingError(.notAllowed, "\(settings.namespace): \(reason)")
        let ending = Ending.closed(.refused(error))
        // The server may have closed the session in the same answer.
        refusal = ending
        return follow(engine.leave(as: ending, at: now), at: now)
    }

    private mutating func fail(_ reason: String, at now: Duration) -> [Step] {
        follow(engine.end(.closed(.lost(reason))), at: now)
    }

    private mutating func finish(_ ending: Ending) -> [Step] {
        (isInside, entryEnd, unanswered) = (false, nil, [])
        let cut: [Step] = acknowledgements.removeAll().map {
            .resume($0, .unknown("The connection ended before an acknowledgement came."))
        }
        return cut + [.end(refusal ?? ending)]
    }
}

extension SocketConversation.Step: Equatable where Waiter: Equatable {}
