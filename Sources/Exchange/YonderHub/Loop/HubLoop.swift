import YonderBus
package import NIOCore
package import YonderModel
package import YonderRules
package import YonderGeodesy
import YonderWire
package import YonderWorld

/// The exchange on one event loop: its sessions, their topics, and the round's end.
///
/// Everything here belongs to the loop. What arrives in a round is gathered; at its end each topic's messages are passed
/// on as one buffer, and each session that got something is flushed once. ``Pacing`` says when a busy loop's round ends.
///
/// It is the shell around owners and values, whose state is private:
///
/// | state | owner |
/// |---|---|
/// | sessions, by user | ``SessionDirectory`` |
/// | topics of messages, and the numbers of all topics | ``TopicTable`` |
/// | live lists | ``ChatLists``, ``ContactLists``, ``PresenceLists``, ``ShareLists`` |
/// | live regions, and the map of people | ``LiveRegions`` |
/// | the participants of chats | ``Rosters`` |
/// | reads of the store, and their lanes | ``StoreReads`` |
/// | batches on their way to the store | ``SubmissionBatches`` |
/// | what the round has to send, and when it ends | ``Round``, ``FlushSchedule`` |
///
/// `Exchange` makes one for each event loop, and passes it commits and what other nodes sent; `StreamEndpoint` opens
/// sessions on it. Nothing throws; a failed read is an answer to those who asked. That a topic's messages are sent in
/// their order, and each session is flushed once a round, must stay (decision 3, `ExchangeTests`, `OrderTests`).
package final class HubLoop {
    package let eventLoop: any EventLoop

    /// The world as seen here.
    package let world: WorldRoom
    unowned let exchange: Exchange
    let settings: HubSettings
    let reads: StoreReads
    let rosters: Rosters
    let chats: ChatLists
    let contacts: ContactLists
    let presence: PresenceLists
    let shares: ShareLists
    let regions: LiveRegions

    private let index: Int
    private var topics = TopicTable()
    private var directory = SessionDirectory()
    private var batches = SubmissionBatches<SendOrigin>()
    private var round = Round()
    private var schedule: FlushSchedule

    init(eventLoop: any EventLoop, index: Int, exchange: Exchange, settings: HubSettings) {
        self.eventLoop = eventLoop
        self.index = index
        self.exchange = exchange
        self.settings = settings
        world = WorldRoom(
            settings: settings.world,
            topic: TopicTable.worldNumber,
            shares: exchange.worldShares,
            uptime: exchange.uptime,
            logger: exchange.logger
        )
        reads = StoreReads(on: eventLoop, of: exchange, limit: settings.readLimit)
        rosters = Rosters(of: exchange)
        chats = ChatLists(of: exchange, reads: reads, rosters: rosters)
        contacts = ContactLists(of: exchange, reads: reads)
        presence = PresenceLists(of: exchange, rosters: rosters)
        shares = ShareLists(of: exchange)
        regions = LiveRegions(on: eventLoop, of: exchange, reads: reads)
        schedule = FlushSchedule(at: eventLoop.now, processor: ThreadClock.nanoseconds())
        world.onDirty = { [unowned self] in worldIsDirty() }
        world.onArrival = { [unowned self] in settleWorldSoon() }
        world.onLocal = { [unowned self] event in self.exchange.sendWorld(event, from: self.index) }
        if !exchange.link.isAlone {
            world.onRound = { [unowned self] events in self.exchange.publishWorld(events) }
            world.onRename = { [unowned self] name in self.exchange.showWorld(name) }
        }
        regions.onDirty = { [unowned self] in flushSoon() }
    }

    // MARK: Sessions

    /// Greets a new connection and answers the session to pass its frames to.
    ///
    /// - Parameters:
    ///   - transport: The connection, on this loop.
    ///   - user: The signed-in user, or `nil` if the connection has no credential.
    ///   - credential: The session or token that signed the user in; the hub's session ends with it.
    ///   - version: The version of the account by which the user was admitted.
    ///   - expires: The time at which the credential expires.
    ///   - network: The network of the client, for which a pin in the world counts if nobody is signed in.
    /// - Returns: The session, which has queued its greeting.
    package func open(
        _ transport: any SessionTransport,
        user: User?,
        credential: SecretHash? = nil,
        version: Int64 = 0,
        expires: Timestamp? = nil,
        network: String? = nil
    ) -> Session {
        eventLoop.assertInEventLoop()
        let session = Session(
            transport,
            loop: self,
            user: user,
            credential: credential,
            version: version,
            expires: expires,
            network: network
        )
        directory.insert(session)
        if let user { exchange.entered(user.id) }
        session.greet()
        return session
    }

    /// Called when a session has closed.
    func forget(_ session: Session) {
        guard directory.remove(session), let user = session.user else { return }
        reads.lanes.leave(user.id)
        exchange.left(user.id)
    }

    /// The sessions of a user on this loop.
    func sessions(of user: UserID) -> [Session] {
        directory.sessions(of: user)
    }

    /// The credentials that signed in the sessions of this loop, each with the versions of its account that sessions know.
    var signIns: [SecretHash: Set<Int64>] {
        let known = directory.all.compactMap { session in session.credential.map { ($0, session.version) } }
        return Dictionary(grouping: known, by: \.0).mapValues { Set($0.map(\.1)) }
    }

    /// Ends the sessions that `isOver` names, as not signed in any longer.
    func end(where isOver: (Session) -> Bool) {
        for session in directory.all where isOver(session) {
            session.close(.signedOut)
        }
    }

    /// Closes the sessions that `isOld` names; their clients connect again, and are admitted by what holds now.
    func renew(where isOld: (Session) -> Bool) {
        for session in directory.all where isOld(session) {
            session.close(.renewed)
        }
    }

    /// Closes the sessions that `isLeft` names, because this server can't reach its store; their clients connect again,
    /// elsewhere.
    func leave(where isLeft: (Session) -> Bool) {
        for session in directory.all where isLeft(session) { session.close(.withoutStore) }
    }

    /// Removes what has expired at `now` from the maps.
    func expire(at now: Timestamp) {
        regions.people?.expire(at: now)
        world.end(at: now)
    }

    // MARK: Topics

    /// The topic of messages, created if there is none.
    func topic(of filter: MessageFilter) -> MessageTopic {
        topics.messages(filter)
    }

    /// Removes a topic without subscriptions.
    func removeIfEmpty(_ topic: MessageTopic) {
        topics.removeIfEmpty(topic)
    }

    /// Gives the number of a new topic.
    func drawTopic() -> Int64 {
        topics.draw()
    }

    /// The chats that a session of this loop shows, or whose participants the loop knows.
    var interest: Set<ChatID> {
        chats.shown.union(topics.chats).union(rosters.chats)
            .union(shares.inChats.byKey.keys.compactMap(\.chat)).union(regions.people?.chats ?? [])
    }

    // MARK: Sending

    /// Gathers a submission; the turn's go to the store together.
    func submit(_ submission: Submission, from origin: SendOrigin) {
        guard batches.append(submission, from: origin) else { return }
        eventLoop.execute { [loop = NIOLoopBound(self, eventLoop: eventLoop)] in loop.value.sendOff() }
    }

    private func sendOff() {
        guard let (batch, submissions) = batches.take() else { return }
        exchange.submit(submissions, from: index, batch: batch)
    }

    // MARK: What was committed

    /// Receives a commit's messages, in the order of their numbers.
    func receive(_ published: [Published]) {
        for message in published { publish(message) }
    }

    /// Receives the answers to a batch of this loop's sends.
    func answer(_ answers: CommitAnswers) {
        let origins = batches.takeOrigins(of: answers.batch)
        for (origin, result) in zip(origins, answers.results) { origin.session.answer(origin, result) }
    }

    /// Passes a message to the topics of its chat.
    func publish(_ published: Published) {
        for topic in topics.messageTopics(of: published.message.chat) where topic.append(published) {
            round.mark(topic)
        }
        regions.people?.receive(published)
        if published.changesChat {
            changed(published)
        } else if chats.note(published) {
            flushSoon()
        }
        if round.hasTopics { flushSoon() }
    }

    /// Receives a read position that moved forward.
    func receive(_ mark: ReadMark, _ outcome: ReadMark.Outcome) {
        if chats.note(mark, outcome) { flushSoon() }
    }

    private func changed(_ published: Published) {
        let chat = published.message.chat
        if !published.moved.isEmpty { chats.distribute(in: chat) }
        rosters.apply(published)
        let gone = published.moved.filter { !$0.isPresent }.map(\.user)
        for user in gone { cutOff(user, from: chat) }
        presence.moved(published.moved, in: chat)
        chats.refresh(chat, gone: gone)
    }

    /// Ends the message subscriptions of a user who left a chat, after their `Leave` was sent.
    private func cutOff(_ user: UserID, from chat: ChatID) {
        let affected = sessions(of: user)
        guard !affected.isEmpty else { return }
        for topic in topics.messageTopics(of: chat) { topic.distribute() }
        for session in affected { session.endSubscriptions(of: chat) }
    }

    // MARK: The round's end

    /// Has a session flushed at the end of the round.
    @inline(__always)
    func isDirty(_ session: Session) {
        round.mark(session)
        flushSoon()
    }

    private func settleWorldSoon() {
        eventLoop.execute { [loop = NIOLoopBound(self, eventLoop: eventLoop)] in loop.value.world.settle() }
    }

    private func worldIsDirty() {
        round.markWorld()
        flushSoon()
    }

    private func flushSoon() {
        guard !schedule.isScheduled, let action = schedule.request(at: eventLoop.now) else { return }
        let loop = NIOLoopBound(self, eventLoop: eventLoop)
        switch action {
        case .soon: eventLoop.execute { loop.value.flush() }
        case .at(let deadline): eventLoop.scheduleTask(deadline: deadline) { loop.value.flush() }
        }
    }

    private func flush() {
        schedule.began()
        for topic in round.takeTopics() { topic.distribute() }
        chats.distribute()
        if round.takeWorld() { world.distribute() }
        regions.distribute()
        for session in round.takeSessions() { session.flushNow() }
        schedule.ended(at: eventLoop.now, processor: ThreadClock.nanoseconds())
    }
}
