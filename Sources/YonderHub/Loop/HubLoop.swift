package import NIOCore
package import YonderModel
package import YonderGeodesy
import YonderWire

/// The exchange on one event loop: its sessions, their topics, and the round's end.
///
/// Everything here belongs to the loop. What arrives in a round is gathered; at its end each topic's messages are passed
/// on as one buffer, and each session that got something is flushed once. ``Pacing`` says when a busy loop's round ends.
package final class HubLoop {
    package let eventLoop: any EventLoop

    /// The world as seen here.
    package let world: WorldRoom
    unowned let exchange: Exchange
    let settings: HubSettings
    let index: Int
    var topics = TopicTable()
    var reads: ReadQueue
    var rosters: RosterTable
    var refreshes = RefreshTable<ChatID>()
    var activities = ActivityTable()
    var activityReads = RefreshTable<ChatID>()
    var contactReads = RefreshTable<ContactKey>()
    var regions = RegionTable()
    var people: PeopleFeed?

    private(set) var sessions: [ObjectIdentifier: Session] = [:]
    private var sessionsByUser: [UserID: [Session]] = [:]
    private var lanes: [UserID: ReadLane] = [:]

    /// The loop's own reads: what changed in chats, for all who are shown these.
    let lane = ReadLane(limit: 16)
    private var dirtyTopics: [MessageTopic] = []
    private var dirtySessions: [Session] = []
    private var isWorldDirty = false

    private var pacing: Pacing
    private var nextFlush = NIODeadline.uptimeNanoseconds(0)
    private var isFlushScheduled = false

    private var outgoing: [Submission] = []
    private var outgoingOrigins: [SendOrigin] = []
    private var inFlight: [Int: [SendOrigin]] = [:]
    private var nextBatch = 0

    init(eventLoop: any EventLoop, index: Int, exchange: Exchange, settings: HubSettings) {
        self.eventLoop = eventLoop
        self.index = index
        self.exchange = exchange
        self.settings = settings
        world = WorldRoom(
            settings: settings,
            topic: TopicTable.worldNumber,
            uptime: exchange.uptime
        )
        reads = ReadQueue(limit: settings.readLimit)
        rosters = RosterTable(limit: 10_000)
        pacing = Pacing(
            wall: Int64(clamping: eventLoop.now.uptimeNanoseconds),
            processor: ThreadClock.nanoseconds()
        )
        world.onDirty = { [unowned self] in worldIsDirty() }
        world.onArrival = { [unowned self] in settleWorldSoon() }
        world.onLocal = { [unowned self] event in self.exchange.tellWorld(event, from: self.index) }
    }

    // MARK: Sessions

    /// Greets a new connection and answers the session to pass its frames to.
    ///
    /// - Parameters:
    ///   - transport: The connection, on this loop.
    ///   - user: Whose it is, or `nil` without an account.
    ///   - credential: What signed them in, so that ending that ends the session.
    ///   - expires: When that stops being good.
    /// - Returns: The session, which has queued its greeting.
    package func open(
        _ transport: any SessionTransport,
        user: User?,
        credential: SecretHash? = nil,
        expires: Timestamp? = nil
    ) -> Session {
        eventLoop.assertInEventLoop()
        let session = Session(transport, loop: self, user: user, credential: credential, expires: expires)
        sessions[ObjectIdentifier(session)] = session
        if let user {
            sessionsByUser[user.id, default: []].append(session)
            exchange.entered(user.id)
        }
        session.greet()
        return session
    }

    func forget(_ session: Session) {
        guard sessions.removeValue(forKey: ObjectIdentifier(session)) != nil, let user = session.user else {
            return
        }
        sessionsByUser[user.id]?.removeAll { $0 === session }
        if sessionsByUser[user.id]?.isEmpty ?? false {
            sessionsByUser[user.id] = nil
            forgetIfIdle(session.lane)
        }
        exchange.left(user.id)
    }

    /// The lane that all reads of a person's sessions on this loop take.
    func lane(of user: UserID) -> ReadLane {
        let lane = lanes[user] ?? ReadLane(of: user)
        lanes[user] = lane
        return lane
    }

    /// Removes the lane of a person without a session, once the store has answered their last read.
    ///
    /// Until then a person who connects again gets the same lane, so connecting again doesn't allow more reads at once.
    func forgetIfIdle(_ lane: ReadLane) {
        guard let person = lane.person, lanes[person] === lane, lane.isIdle, sessionsByUser[person] == nil
        else {
            return
        }
        lanes[person] = nil
    }

    func sessions(of user: UserID) -> [Session] {
        sessionsByUser[user] ?? []
    }

    /// Ends the sessions that `isOver` names, as not signed in any longer.
    func end(where isOver: (Session) -> Bool) {
        for session in sessions.values where isOver(session) {
            session.close(CloseCode.policyViolation, SharingError.Code.notSignedIn.rawValue)
        }
    }

    // MARK: Sending

    /// Gathers a submission; the round's go to the store together.
    func submit(_ submission: Submission, from origin: SendOrigin) {
        if outgoing.isEmpty {
            eventLoop.execute { [loop = NIOLoopBound(self, eventLoop: eventLoop)] in loop.value.sendOff() }
        }
        outgoing.append(submission)
        outgoingOrigins.append(origin)
    }

    private func sendOff() {
        guard !outgoing.isEmpty else { return }
        let batch = nextBatch
        nextBatch += 1
        inFlight[batch] = outgoingOrigins
        let submissions = outgoing
        outgoing.removeAll(keepingCapacity: true)
        outgoingOrigins.removeAll(keepingCapacity: true)
        exchange.submit(submissions, from: index, batch: batch)
    }

    // MARK: What was committed

    /// Receives a commit's messages, in the order of their numbers, and the answers to this loop's own sends.
    func receive(_ published: [Published], answers: CommitAnswers?) {
        for message in published { publish(message) }
        guard let answers, let origins = inFlight.removeValue(forKey: answers.batch) else { return }
        for (origin, result) in zip(origins, answers.results) { origin.session.answer(origin, result) }
    }

    /// Passes a message to the topics of its chat.
    func publish(_ published: Published) {
        for topic in topics.messageTopics(of: published.message.chat) where topic.append(published) {
            dirtyTopics.append(topic)
        }
        people?.receive(published)
        if published.changesChat { changed(published) } else { noteActivity(published) }
        if !dirtyTopics.isEmpty { flushSoon() }
    }

    private func changed(_ published: Published) {
        if !published.moved.isEmpty { distributeActivity(in: published.message.chat) }
        rosters.apply(published)
        let chat = published.message.chat
        for participant in published.moved where !participant.isPresent {
            cutOff(participant.user, from: chat)
        }
        refreshChat(chat, gone: published.moved.filter { !$0.isPresent }.map(\.user))
    }

    /// Ends the message subscriptions of a user who left a chat, after their `Leave` was sent.
    private func cutOff(_ user: UserID, from chat: ChatID) {
        let affected = sessions(of: user)
        guard !affected.isEmpty else { return }
        for topic in topics.messageTopics(of: chat) { topic.distribute() }
        for session in affected { session.endSubscriptions(of: chat) }
    }

    // MARK: The round's end

    func isDirty(_ session: Session) {
        dirtySessions.append(session)
        flushSoon()
    }

    private func settleWorldSoon() {
        eventLoop.execute { [loop = NIOLoopBound(self, eventLoop: eventLoop)] in loop.value.world.settle() }
    }

    private func worldIsDirty() {
        isWorldDirty = true
        flushSoon()
    }

    func regionsAreDirty(_ room: RegionRoom) {
        regions.mark(room)
        flushSoon()
    }

    func flushSoon() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        let loop = NIOLoopBound(self, eventLoop: eventLoop)
        if eventLoop.now >= nextFlush {
            eventLoop.execute { loop.value.flush() }
        } else {
            eventLoop.scheduleTask(deadline: nextFlush) { loop.value.flush() }
        }
    }

    private func flush() {
        isFlushScheduled = false
        let topics = dirtyTopics
        dirtyTopics.removeAll(keepingCapacity: true)
        for topic in topics { topic.distribute() }
        distributeActivities()
        if isWorldDirty {
            isWorldDirty = false
            world.distribute()
        }
        for room in regions.takeDirty() { room.distribute() }
        let sessions = dirtySessions
        dirtySessions.removeAll(keepingCapacity: true)
        for session in sessions { session.flushNow() }
        pace()
    }

    private func pace() {
        let now = eventLoop.now
        let wait = pacing.flushed(
            wall: Int64(clamping: now.uptimeNanoseconds),
            processor: ThreadClock.nanoseconds()
        )
        nextFlush = now + .nanoseconds(wait)
    }
}

/// The session and the key of a send whose answer is pending.
struct SendOrigin {
    let session: Session
    let key: String
    let chat: ChatID
}

/// The results of a loop's batch, in the order of its submissions.
struct CommitAnswers: Sendable {
    let batch: Int
    let results: [Result<Submission.Acceptance, SharingError>]
}
