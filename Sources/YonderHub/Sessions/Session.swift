package import NIOCore
import YonderGeodesy
package import YonderModel
import YonderWire

/// One connection on the stream.
///
/// Belongs to its event loop: every call comes from there.
///
/// The outbox is what the transport hasn't sent yet, up to the transport's bound. When the outbox is full, the
/// session's message subscriptions leave their topics, and catch up from the store once there is room. Reads of
/// the store are bounded, too: ``read(_:then:)``.
package final class Session {
    /// The signed-in user, or `nil` without an account.
    package let user: User?
    let credential: SecretHash?
    let expires: Timestamp?
    unowned let loop: HubLoop
    let transport: any SessionTransport
    let lane: ReadLane
    private var replies = ByteBuffer()
    private var isMarked = false
    private(set) var isClosed = false
    var subscriptions: [Int64: SessionSubscription] = [:]
    var behind: Set<Int64> = []
    var inFlight = 0

    /// The user's write allowance, fetched at the first write.
    lazy var writes = user.map { loop.exchange.writes.allowance(of: $0.id) }

    /// The part of ``writes`` that this session has borrowed and not used.
    var credit = WriteCredit()
    var refusedSend: RefusedSend?

    /// The reads of the store that are queued or under way for this session.
    var reads: [ObjectIdentifier: PendingRead] = [:]

    /// How far its person has read, as far as that isn't stored.
    var marks = ReadMarks()
    var pin: WorldMember?
    var regionMoves: TokenBucket
    var objectCaller: ObjectCaller?

    /// Whether the store is asked for ``objectCaller``.
    var isAskingCaller = false

    init(
        _ transport: any SessionTransport,
        loop: HubLoop,
        user: User?,
        credential: SecretHash?,
        expires: Timestamp?
    ) {
        self.transport = transport
        self.loop = loop
        lane = user.map { loop.lane(of: $0.id) } ?? ReadLane()
        self.user = user
        self.credential = credential
        self.expires = expires
        let rate = loop.settings.regionMovesPerSecond
        regionMoves = TokenBucket(RateLimit(burst: rate, perSecond: rate))
    }

    // MARK: What the connection tells

    /// Receives a text message from the peer.
    package func receive(_ text: ByteBuffer) {
        guard !isClosed else { return }
        do throws(FrameRefusal) {
            let frame = try text.withUnsafeReadableBytes { bytes throws(FrameRefusal) in
                try ClientFrame.parse(bytes)
            }
            handle(frame)
        } catch {
            refuse(error)
        }
    }

    /// Called when the channel becomes writable or unwritable.
    package func writabilityChanged() {
        guard isWritable else { return }
        if let pin { loop.world.refresh(pin) }
        let waiting = behind
        behind = []
        for id in waiting.sorted() { subscriptions[id]?.resume() }
    }

    /// Called when the connection has closed.
    package func closed() {
        guard !isClosed else { return }
        isClosed = true
        if let pin { loop.world.leave(pin) }
        pin = nil
        for subscription in subscriptions.values { loop.remove(subscription) }
        subscriptions = [:]
        cancelReads()
        returnCredit()
        loop.forget(self)
    }

    // MARK: Writing

    /// Whether its outbox has room.
    package var isWritable: Bool { transport.isWritable && !isClosed }

    /// Queues frames that others share.
    @inline(__always)
    func write(_ frames: ByteBuffer) {
        writeReplies()
        transport.write(frames)
        mark()
    }

    /// Queues a frame of its own.
    func reply(_ frame: ServerFrame) {
        reply(encoded: frame.encoded())
    }

    /// Queues a frame that is written already.
    func reply(encoded frame: [UInt8]) {
        guard !isClosed else { return }
        TextFrame.write(frame, into: &replies)
        // So that the transport knows how much is unsent before the round ends.
        if replies.readableBytes >= Self.replyLimit { writeReplies() }
        mark()
    }

    /// Sends what is queued: once a round.
    func flushNow() {
        isMarked = false
        guard !isClosed else { return }
        writeReplies()
        transport.flush()
    }

    /// Ends it with a close frame.
    func close(_ code: UInt16, _ reason: String) {
        guard !isClosed else { return }
        flushNow()
        transport.close(code, reason)
        closed()
    }

    func greet() {
        let limits = StreamLimits(
            frame: Int64(loop.settings.frameLimit),
            subscriptions: Int64(loop.settings.subscriptionLimit)
        )
        let page = loop.settings.page
        reply(
            .hello(
                Hello(user: user?.id, name: user?.name, time: loop.exchange.now(), page: page, limits: limits)
            )
        )
    }

    @inline(__always)
    private func mark() {
        guard !isMarked else { return }
        isMarked = true
        loop.isDirty(self)
    }

    @inline(__always)
    private func writeReplies() {
        guard replies.readableBytes > 0 else { return }
        transport.write(replies)
        replies = ByteBuffer()
    }

    /// How many bytes of replies are gathered before they are written.
    private static let replyLimit = 65_536
}

/// A session's subscription, one case for each kind of query.
enum SessionSubscription {
    case messages(MessageSubscription)
    case state(StateSubscription)
    case world
    case region(RegionSubscription)

    /// Goes on once the session's outbox has room.
    func resume() {
        switch self {
        case .messages(let subscription): CatchUp.resume(subscription)
        case .state(let subscription):
            if subscription.isStale { subscription.session.loop.answer(subscription) }
        case .world: break
        case .region(let subscription): subscription.room?.touch(subscription)
        }
    }
}

extension Session: WorldListener {
    package var worldForm: WorldForm { .stream }

    package func deliver(_ delivery: WorldDelivery) {
        if case .frames(let frames) = delivery { write(frames) }
    }

    /// The round's end flushes every session that was written to; so nothing is left to do here.
    package func flush() {}
}
