import NIOCore

/// What a client does next: one connection after another to one of the addresses, and the subscriptions that each gets.
///
/// Has no socket, clock or thread. ``NATSClient`` has one, calls it on its event loop, and carries the actions out in
/// their order; at most one timer runs at a time. ``start()`` begins and ``close()`` ends it; subscriptions may be added
/// before. The connection's events, the timer's and the owner's calls may come in any order. A call that doesn't fit the
/// state returns no actions, but for four: ``flush(_:)`` without a connection returns `unflushed`, ``subscribe(_:)``
/// after ``close()`` throws, a `PING` is answered in every state, and an `INFO` is read in every state. No timer runs
/// while an attempt to connect does: the connector ends each attempt itself.
///
/// A connection that fails, breaks, doesn't greet in time or leaves several pings unanswered is reported, and another
/// address is tried after a wait that grows; its subscriptions go to the next connection, its flushes fail. A
/// subscription that the server refuses ends alone. After `finish` nothing more is done.
///
/// Times and limits are in ``NATSSettings``, waits in `NATSBackoff`. The order of what is sent must stay, as NATS's protocol
/// has it: TLS, `CONNECT`, the subscriptions, and a `PING` whose answer says that all before was accepted (decision 31,
/// `NATSSessionTests`).
struct NATSSession {
    enum Action: Hashable {
        /// Connect to this address.
        case connect(NATSAddress)

        /// Begin TLS on the connection; what is sent after it is encrypted.
        case secure

        /// Send these commands, behind all that was sent before.
        case send([NATSCommand])

        /// Send the messages that wait.
        case drain

        /// The server takes payloads of at most so many bytes.
        case limit(payload: Int)

        /// The server has this subscription.
        case confirm(UInt64)

        /// The server won't have this subscription.
        case refuse(UInt64, NATSError)

        /// The server has handled everything in front of this flush.
        case flushed(UInt64)

        /// It isn't known what the server has of the messages in front of this flush.
        case unflushed(UInt64, NATSError)

        /// Send this event to the client's owner.
        case report(NATSEvent)

        /// Call ``NATSSession/waited()`` after this time, and not after an earlier one.
        case wait(Duration)

        /// The same after a random time between half of this and all of it.
        case retry(Duration)

        /// Cancel the wait, if one runs.
        case cancelWait

        /// Close the connection, of which nothing more is reported.
        case disconnect

        /// Nothing will be done any more.
        case finish
    }

    /// From `idle` to `closed`; each lost connection leads back to `waiting`.
    private enum Phase {
        /// Not started.
        case idle
        /// The timer ends the wait for the next attempt.
        case waiting
        /// An attempt to connect runs.
        case connecting
        /// Connected; the server's `INFO` is awaited.
        case greeting
        /// `CONNECT` and the subscriptions were sent; the answer is awaited.
        case opening
        /// Messages go both ways.
        case ready
        /// What waits was sent; the last answer is awaited.
        case closing
        /// For good.
        case closed
    }

    /// The meaning of a `PONG`: each `PING` that is sent adds one, and each `PONG` answers the oldest.
    private enum Expectation {
        case opened(subscriptions: UInt64)
        case alive
        case subscribed(UInt64)
        case flushed(UInt64)
        case closed
    }

    private let settings: NATSSettings
    private var phase = Phase.idle
    private var backoff: NATSBackoff
    private var address: NATSAddress
    private var wasConnected = false
    private var expected = CircularBuffer<Expectation>()

    /// The pings of the timer without an answer.
    private var unanswered = 0

    /// The server's last complaint, which is the reason if the connection ends after it.
    private var complaint: NATSError?

    /// The subscriptions by number; numbers aren't used again.
    private var subscriptions: [UInt64: NATSSubject] = [:]

    /// The subscriptions that no server has confirmed yet.
    private var unconfirmed: Set<UInt64> = []
    private var lastID: UInt64 = 0

    init(_ settings: NATSSettings) {
        self.settings = settings
        backoff = NATSBackoff(addresses: settings.addresses.count, timing: settings.timing)
        // `NATSSettings` has at least one address.
        address = settings.addresses[0]
    }

    /// Whether messages can be sent.
    var isReady: Bool { phase == .ready }

    /// Whether a message belongs to a subscription; none does before the server has them, or before TLS.
    func accepts(_ head: NATSMessageHead) -> Bool {
        (phase == .ready || phase == .opening) && subscriptions[head.subscription] != nil
    }

    /// The address of the connection, or of the last attempt.
    var server: NATSAddress { address }
}

// What the owner asks for.
extension NATSSession {
    /// Begins with the first address; does nothing after the first call.
    mutating func start() -> [Action] {
        guard phase == .idle else { return [] }
        address = settings.addresses[backoff.next().address]
        phase = .connecting
        return [.connect(address)]
    }

    /// Adds a subscription, which every connection gets from now on; `confirm` or `refuse` follows.
    ///
    /// - Throws: `closed`, or `tooLarge` beyond the limit of subscriptions.
    mutating func subscribe(_ subject: NATSSubject) throws(NATSError) -> (id: UInt64, actions: [Action]) {
        guard phase != .closing, phase != .closed else { throw Self.closedError }
        guard subscriptions.count < settings.subscriptionLimit else {
            throw NATSError(
                .tooLarge,
                "A NATS client has at most \(settings.subscriptionLimit) subscriptions."
            )
        }
        lastID += 1
        subscriptions[lastID] = subject
        unconfirmed.insert(lastID)
        guard phase == .opening || phase == .ready else { return (lastID, []) }
        expected.append(.subscribed(lastID))
        return (lastID, [.send([.subscribe(subject, id: lastID), .ping])])
    }

    /// Ends a subscription; does nothing for one that has ended.
    mutating func unsubscribe(_ id: UInt64) -> [Action] {
        guard subscriptions.removeValue(forKey: id) != nil else { return [] }
        unconfirmed.remove(id)
        guard phase == .opening || phase == .ready else { return [] }
        return [.send([.unsubscribe(id: id)])]
    }

    /// Asks the server for an answer behind everything that was published before; `flushed` or `unflushed` follows, with the
    /// caller's number.
    mutating func flush(_ id: UInt64) -> [Action] {
        guard phase == .ready else {
            let error = NATSError(.unavailable, "There is no connection to a NATS server.")
            return [.unflushed(id, phase == .closing || phase == .closed ? Self.closedError : error)]
        }
        expected.append(.flushed(id))
        return [.drain, .send([.ping])]
    }

    /// Sends what waits, and ends once the server has it or after a time.
    mutating func close() -> [Action] {
        switch phase {
        case .closing, .closed: return []
        case .ready:
            phase = .closing
            expected.append(.closed)
            return [.drain, .send([.ping]), .wait(settings.timing.closing)]
        case .idle, .waiting, .connecting, .greeting, .opening: return finish()
        }
    }

    private mutating func finish() -> [Action] {
        phase = .closed
        let flushes = failFlushes(Self.closedError)
        let refused = subscriptions.keys.sorted().map { Action.refuse($0, Self.closedError) }
        subscriptions = [:]
        unconfirmed = []
        return [.cancelWait, .disconnect] + flushes + refused + [.finish]
    }

    private static let closedError = NATSError(.closed, "The NATS client was closed.")
}

// What happens to the connection.
extension NATSSession {
    /// The connection is open; the server speaks first.
    mutating func connected() -> [Action] {
        guard phase == .connecting else { return [] }
        phase = .greeting
        return [.wait(settings.timing.greeting)]
    }

    /// The connection has ended, or there was none.
    mutating func ended(_ reason: NATSError?) -> [Action] {
        switch phase {
        case .idle, .waiting, .closed: return []
        case .closing: return finish()
        case .connecting, .greeting, .opening, .ready: break
        }
        let error =
            complaint ?? reason
            ?? NATSError(.unavailable, "The NATS server \(address) closed the connection.")
        let event: NATSEvent = phase == .ready ? .disconnected(error) : .failed(error)
        let flushes = failFlushes(error)
        phase = .waiting
        let next = backoff.next()
        address = settings.addresses[next.address]
        return [.disconnect] + flushes + [.report(event), .retry(next.wait)]
    }

    /// The time of the last ``Action/wait(_:)`` or ``Action/retry(_:)`` is over.
    mutating func waited() -> [Action] {
        switch phase {
        case .idle, .connecting, .closed: return []
        case .waiting:
            phase = .connecting
            return [.connect(address)]
        case .greeting, .opening:
            return ended(NATSError(.unresponsive, "The NATS server \(address) didn't greet in time."))
        case .closing: return finish()
        case .ready:
            guard unanswered < settings.timing.missedPings else {
                return ended(
                    NATSError(
                        .unresponsive,
                        "The NATS server \(address) answered \(unanswered) pings no more."
                    )
                )
            }
            unanswered += 1
            expected.append(.alive)
            return [.send([.ping]), .wait(settings.timing.ping)]
        }
    }

    /// The server sent this.
    mutating func received(_ operation: NATSOperation) -> [Action] {
        switch operation {
        case .info(let info): return greeted(info)
        // Passed to its subscription without an action, if it is accepted.
        case .message: return []
        case .ping: return [.send([.pong])]
        case .pong: return answered()
        case .ok: return []
        case .error(let text): return complained(text)
        }
    }

    private mutating func failFlushes(_ error: NATSError) -> [Action] {
        let failed = expected.compactMap { expectation -> Action? in
            if case .flushed(let id) = expectation { .unflushed(id, error) } else { nil }
        }
        expected.removeAll()
        unanswered = 0
        complaint = nil
        return failed
    }
}

// The server's operations.
extension NATSSession {
    private mutating func greeted(_ info: NATSServerInfo) -> [Action] {
        guard phase == .greeting else { return [.limit(payload: info.maxPayload)] }
        let usesTLS = address.requiresTLS || info.requiresTLS || (info.offersTLS && !address.isLoopback)
        guard usesTLS || address.isLoopback, !usesTLS || info.offersTLS else {
            return ended(
                NATSError(.insecure, "The NATS server \(address) offers no TLS; only one on loopback may.")
            )
        }
        do {
            let greeting = try greeting(info, usesTLS: usesTLS)
            phase = .opening
            expected.append(.opened(subscriptions: lastID))
            let all = subscriptions.sorted { $0.key < $1.key }.map {
                NATSCommand.subscribe($0.value, id: $0.key)
            }
            return [.limit(payload: info.maxPayload)] + (usesTLS ? [.secure] : [])
                + [.send([.connect(greeting)] + all + [.ping])]
        } catch {
            return ended(error)
        }
    }

    private func greeting(_ info: NATSServerInfo, usesTLS: Bool) throws(NATSError) -> NATSGreeting {
        var greeting = NATSGreeting(name: settings.name, usesTLS: usesTLS, credentials: address.credentials)
        if let key = settings.key, let nonce = info.nonce {
            greeting.signature = .init(publicKey: key.publicKey, signature: try key.sign(nonce))
        }
        return greeting
    }

    private mutating func answered() -> [Action] {
        switch expected.popFirst() {
        case .opened(let last): return opened(last)
        case .alive:
            unanswered -= 1
            return []
        case .subscribed(let id): return unconfirmed.remove(id) == nil ? [] : [.confirm(id)]
        case .flushed(let id): return [.flushed(id)]
        case .closed: return finish()
        // A server that answers what it wasn't asked does no harm.
        case nil: return []
        }
    }

    private mutating func opened(_ last: UInt64) -> [Action] {
        phase = .ready
        complaint = nil
        backoff.reset()
        let confirmed = unconfirmed.filter { $0 <= last }.sorted()
        unconfirmed.subtract(confirmed)
        defer { wasConnected = true }
        return confirmed.map { .confirm($0) }
            + [.report(.connected(again: wasConnected)), .drain, .wait(settings.timing.ping)]
    }

    private mutating func complained(_ text: String) -> [Action] {
        let error = NATSError(complaint: text)
        if let id = refusedSubscription(text) {
            subscriptions[id] = nil
            unconfirmed.remove(id)
            return [.refuse(id, error), .report(.complained(error))]
        }
        guard phase == .ready || phase == .closing else { return ended(error) }
        // Most complaints are followed by the end of the connection, which then has this reason.
        complaint = error
        return [.report(.complained(error))]
    }

    /// The subscription that a complaint is about, as in `Permissions Violation for Subscription to "a.b"`.
    private func refusedSubscription(_ text: String) -> UInt64? {
        let opening = "permissions violation for subscription to \""
        guard text.lowercased().hasPrefix(opening) else { return nil }
        let subject = text.dropFirst(opening.count).prefix { $0 != "\"" }
        return subscriptions.filter { $0.value.text == subject }.keys.max()
    }
}
