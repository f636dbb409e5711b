import YonderBus
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

/// The lists of chats that the sessions of one event loop keep current.
///
/// A list changes in two ways: a chat itself changes (its people, its subject), and is read from the store again; or
/// there is activity in the chat (a message, a read position), which is merged and sent once a round. Positions are
/// no activity.
///
/// One read of a chat is under way at a time, and a change meanwhile has it read again: so no client is sent an older state
/// after a newer one. Who has left meanwhile isn't sent what was read before. A client whose list has no room for all of its
/// user's chats is sent a chat whole when something happens in it first. Activity during the read of a session's first
/// answer is sent after that answer.
///
/// `HubLoop` has one and calls all of it on its loop: sessions subscribe, commits are noted, and ``distribute()`` runs
/// at the end of a round. A read that fails has the lists read again a second later; one for a first answer refuses the
/// subscription. How activity is merged is ``ActivityTable``'s, which reads overtake each other `RefreshTable`'s
/// (decision 20, `ChatListsTests`, `ActivityTests`).
///
/// That no client gets an older state after a newer one must stay.
final class ChatLists {
    private unowned let exchange: Exchange
    private let reads: StoreReads
    private let rosters: Rosters

    /// The topics of users' chats.
    let topics = StateTopics<UserID>()

    /// The chats that are read because they changed.
    private var refreshes = RefreshTable<ChatID>()

    /// The activity since the last round.
    private var activities = ActivityTable()

    /// The chats that are read because their activity can't be sent without.
    private var activityReads = RefreshTable<ChatID>()

    init(of exchange: Exchange, reads: StoreReads, rosters: Rosters) {
        self.exchange = exchange
        self.reads = reads
        self.rosters = rosters
    }

    // MARK: Subscriptions

    /// Answers a subscription with the chats of its session's user.
    func answer(_ subscription: StateSubscription) {
        guard let user = subscription.session.user?.id else { return }
        let chats = exchange.chats
        let (accounts, closed, now) = (exchange.accounts, exchange.closed, exchange.now)
        // What changes from now on may not be in what is read: `SessionTopic.send` marks it stale then.
        subscription.isCurrent = false
        subscription.missed = [:]
        let (session, limit) = (subscription.session, subscription.limit)
        subscription.read = session.read { () async throws(SharingError) in
            let showsReads = try await accounts.account(user).showsReads
            let page = try await chats.page(of: user, limit: limit)
            // Changes are sent of every chat, so that all are read once: their chat gates open.
            let all =
                page.next == nil ? page.chats.map(\.id) : Array(try await chats.lastNumbers(of: user).keys)
            let named = try await chats.named(
                page.chats,
                with: accounts,
                for: user,
                isClosed: closed.contains,
                now: now()
            )
            return Listing(chats: named, next: page.next, all: Set(all), showsReads: showsReads)
        } then: { [unowned self] result in
            subscription.read = nil
            guard session.subscriptions.has(subscription) else { return }
            switch result {
            case .failure(let error): session.loop.refuse(subscription, error)
            case .success where subscription.isStale: session.loop.answer(subscription)
            case .success(let listing): reply(subscription, listing)
            }
        }
    }

    /// What a subscription is answered with.
    private struct Listing: Sendable {
        let chats: [NamedChat]
        let next: ChatPlace?
        let all: Set<ChatID>
        let showsReads: Bool
    }

    private func reply(_ subscription: StateSubscription, _ listing: Listing) {
        let (session, topic) = (subscription.session, subscription.topic)
        subscription.isCurrent = true
        subscription.wasAnswered = true
        subscription.sent = listing.next == nil ? nil : Set(listing.chats.map(\.chat.id))
        topic.chats = listing.all
        topic.showsReads = listing.showsReads
        let answer = ServerFrame.chats(
            id: subscription.id,
            topic: topic.number,
            isCurrent: true,
            next: listing.next,
            listing.chats
        )
        for frame in answer.encodedPages() { session.reply(encoded: frame) }
        let missed = subscription.missed
        subscription.missed = [:]
        for (chat, activity) in missed {
            if subscription.sent?.contains(chat) ?? true {
                session.reply(.activity(topic: topic.number, activity))
            } else {
                refresh(chat, gone: [])
            }
        }
    }

    // MARK: Changed chats

    /// Sends a changed chat to its participants' lists, and a removal to those of `gone`.
    func refresh(_ chat: ChatID, gone: [UserID]) {
        refreshes.left(gone, chat)
        activityReads.left(gone, chat)
        for user in gone {
            topics[user]?.sendLeft(chat)
        }
        guard !topics.isEmpty, refreshes.begin(chat) else { return }
        read(chat)
    }

    private func read(_ id: ChatID) {
        let chats = exchange.chats
        let (accounts, now) = (exchange.accounts, exchange.now)
        reads.read(in: reads.ownLane) { () async throws(SharingError) in
            let chat = try await chats.chat(id)
            let reading = try await chats.readings(of: [chat], for: nil, now: now())[id]
            return (chat, try await accounts.names(in: chat), reading ?? ChatReading())
        } then: { [unowned self] result in
            switch result {
            case .success(let (chat, names, reading)): tell(chat, names, reading)
            case .failure(let error): exchange.couldNotRead(error)
            }
            if refreshes.end(id) { read(id) }
        }
    }

    private func tell(
        _ chat: Chat,
        _ names: (live: [UserID: User], partings: Partings),
        _ reading: ChatReading
    ) {
        let isClosed = exchange.closed.contains(chat.id)
        for participant in chat.participants where participant.isPresent {
            guard !refreshes.hasLeft(participant.user, chat.id), let topic = topics[participant.user] else {
                continue
            }
            let view = reading.view(of: chat, for: participant, isClosed: isClosed)
            let users = names.partings.applied(to: names.live, for: participant.user)
            topic.send(NamedChat(chat, users: users, view: view))
        }
    }

    // MARK: Activity

    /// The chats that are in a list.
    var shown: Set<ChatID> { topics.byKey.values.reduce(into: []) { $0.formUnion($1.chats) } }

    /// Receives a message.
    ///
    /// - Returns: Whether ``distribute()`` must be called at the end of the round.
    func note(_ published: Published) -> Bool {
        !topics.isEmpty && activities.note(published)
    }

    /// Moves a reader's read position forward.
    ///
    /// - Returns: Whether ``distribute()`` must be called at the end of the round.
    func note(_ mark: ReadMark, _ outcome: ReadMark.Outcome) -> Bool {
        guard !topics.isEmpty else { return false }
        topics[mark.reader]?.showsReads = outcome.isShown
        activities.note(mark, outcome)
        return true
    }

    /// Sends the round's activity.
    func distribute() {
        for (chat, entry) in activities.takeAll() { distribute(entry, in: chat) }
    }

    /// Sends the activity in a chat up to now, before its people change.
    func distribute(in chat: ChatID) {
        if let entry = activities.take(chat) { distribute(entry, in: chat) }
    }

    private func distribute(_ entry: ActivityTable.Entry, in chat: ChatID) {
        // A state of the chat that is being read may be older than this.
        if refreshes.isRunning(chat) { _ = refreshes.begin(chat) }
        if activityReads.isRunning(chat) { _ = activityReads.begin(chat) }
        guard !entry.losesPreview, let people = rosters.people(in: chat) else {
            if activityReads.begin(chat) { readActivity(in: chat) }
            return
        }
        let isMutual = people.count <= ChatReading.mutualLimit && !exchange.closed.contains(chat)
        var isUnknown = false
        for (user, topic) in subscribers(among: people) {
            let change = entry.change(in: chat, for: user, isMutual: isMutual && topic.showsReads)
            if let change, topic.send(change) { isUnknown = true }
        }
        if isUnknown { refresh(chat, gone: []) }
    }

    /// The topics of those people whose lists are shown here.
    private func subscribers(among people: Set<UserID>) -> [(UserID, SessionTopic)] {
        guard people.count > topics.byKey.count else {
            return people.compactMap { user in topics[user].map { (user, $0) } }
        }
        return topics.byKey.filter { people.contains($0.key) }.map { ($0.key, $0.value) }
    }

    /// Reads how lists show a chat, where this loop doesn't know its people or its preview.
    private func readActivity(in id: ChatID) {
        let (chats, now) = (exchange.chats, exchange.now)
        let changesBefore = rosters.changes
        reads.read(in: reads.ownLane) { () async throws(SharingError) in
            let chat = try await chats.chat(id)
            return (chat, try await chats.readings(of: [chat], for: nil, now: now())[id] ?? ChatReading())
        } then: { [unowned self] result in
            switch result {
            case .success(let (chat, reading)):
                rosters.insert(chat, readAfter: changesBefore)
                tell(chat, reading)
            case .failure(let error): exchange.couldNotRead(error)
            }
            if activityReads.end(id) { readActivity(in: id) }
        }
    }

    private func tell(_ chat: Chat, _ reading: ChatReading) {
        let isClosed = exchange.closed.contains(chat.id)
        var isUnknown = false
        for participant in chat.participants where participant.isPresent {
            guard !activityReads.hasLeft(participant.user, chat.id), let topic = topics[participant.user]
            else { continue }
            let view = reading.view(of: chat, for: participant, isClosed: isClosed)
            let activity = ChatActivity(
                chat: chat.id,
                written: chat.written,
                active: chat.active,
                preview: .some(view.preview),
                read: view.read,
                reads: view.reads ?? [:]
            )
            if topic.send(activity) { isUnknown = true }
        }
        if isUnknown { refresh(chat.id, gone: []) }
    }
}
