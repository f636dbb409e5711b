import NIOCore
package import YonderModel
import YonderWire

/// Chats and presence: queries that answer with a state, and again when it changes.
extension HubLoop {
    /// Answers a subscription with the state as it is, and marks it current.
    func answer(_ subscription: StateSubscription) {
        subscription.isStale = false
        switch subscription.query {
        case .chats: answerChats(subscription)
        case .contacts: answerContacts(subscription)
        case .presence(let chat): answerPresence(subscription, in: chat)
        case .freshness(let chat): answerFreshness(subscription, in: chat)
        case .shares: answerShares(subscription)
        }
    }

    /// Sends a changed chat to its participants' chat lists, and a removal to those of `gone`.
    ///
    /// At most one read of a chat is under way; a change during the read causes another one. So no client is sent an
    /// older state after a newer one.
    func refreshChat(_ chat: ChatID, gone: [UserID]) {
        for user in gone {
            if let topic = topics.chats[user] { topic.send(.chatLeft(topic: topic.number, chat)) }
        }
        guard !topics.chats.isEmpty, refreshes.begin(chat) else { return }
        readChat(chat)
    }

    private func readChat(_ id: ChatID) {
        let chats = exchange.chats
        let (accounts, now) = (exchange.accounts, exchange.now)
        read(in: lane) { () async throws(SharingError) in
            let chat = try await chats.chat(id)
            let reading = try await chats.readings(of: [chat], for: nil, now: now())[id]
            return (chat, try await accounts.names(in: [chat]), reading ?? ChatReading())
        } then: { [unowned self] result in
            if case .success(let (chat, names, reading)) = result { tell(chat, names, reading) }
            if refreshes.end(id) { readChat(id) }
        }
    }

    private func tell(_ chat: Chat, _ names: [UserID: User], _ reading: ChatReading) {
        for participant in chat.participants where participant.isPresent {
            guard let topic = topics.chats[participant.user] else { continue }
            let view = reading.view(of: chat, for: participant)
            topic.send(.chat(topic: topic.number, NamedChat(chat, users: names, view: view)))
        }
    }

    private func answerChats(_ subscription: StateSubscription) {
        guard let user = subscription.session.user?.id else { return }
        let chats = exchange.chats
        let (accounts, now) = (exchange.accounts, exchange.now)
        // What changes from now on may not be in what is read: `SessionTopic.send` marks it stale then.
        subscription.isCurrent = false
        subscription.missed = [:]
        let session = subscription.session
        subscription.read = session.read { () async throws(SharingError) in
            let showsReads = try await accounts.account(user).showsReads
            let mine = try await chats.chats(of: user)
            return (showsReads, try await chats.named(mine, with: accounts, for: user, now: now()))
        } then: { [unowned self] result in
            subscription.read = nil
            guard session.subscriptions.has(subscription) else { return }
            switch result {
            case .failure(let error): session.refuse(subscription, error)
            case .success(let (showsReads, named)):
                if subscription.isStale { return answer(subscription) }
                subscription.isCurrent = true
                subscription.topic.showsReads = showsReads
                let answer = ServerFrame.chats(
                    id: subscription.id,
                    topic: subscription.topic.number,
                    isCurrent: true,
                    named
                )
                for frame in answer.encodedPages() { session.reply(encoded: frame) }
                for activity in subscription.missed.values {
                    session.reply(.activity(topic: subscription.topic.number, activity))
                }
                subscription.missed = [:]
            }
        }
    }

    private func answerPresence(_ subscription: StateSubscription, in chat: ChatID) {
        let session = subscription.session
        withRoster(of: chat, for: session, onRead: { subscription.read = $0 }) { [unowned self] result in
            guard session.subscriptions.has(subscription) else { return }
            guard case .success(let people) = result, let user = session.user, people.contains(user.id) else {
                let error = SharingError(.unknownChat, "No such chat.")
                if case .failure(let cause) = result { return session.refuse(subscription, cause) }
                return session.refuse(subscription, error)
            }
            subscription.isCurrent = true
            let online = exchange.presence.online(among: people).sorted()
            let answer = ServerFrame.presence(
                id: subscription.id,
                topic: subscription.topic.number,
                isCurrent: true,
                online: online
            )
            for frame in answer.encodedPages() { session.reply(encoded: frame) }
        }
    }

    /// Sends to the subscribers of a user's chats that the user came online or went offline.
    func presenceChanged(of user: UserID, online: Bool) {
        for (chat, topic) in topics.presence where rosters.isPresent(user, in: chat) ?? false {
            topic.send(.online(topic: topic.number, user, online))
        }
    }

    /// Passes the participants of a chat to `body`: at once if this loop knows them, else after a read of the store.
    ///
    /// - Parameters:
    ///   - chat: Which chat.
    ///   - session: Whose read it is.
    ///   - onRead: Receives each read of the store that is begun for it, and `nil` when that has ended.
    ///   - body: Receives the people, or why they aren't known.
    func withRoster(
        of chat: ChatID,
        for session: Session,
        onRead: @escaping (PendingRead?) -> Void = { _ in },
        _ body: @escaping (Result<Set<UserID>, SharingError>) -> Void
    ) {
        if let people = rosters.people(in: chat) { return body(.success(people)) }
        let chats = exchange.chats
        let changesBefore = rosters.changes
        let read = session.read { () async throws(SharingError) in
            try await chats.chat(chat)
        } then: { [unowned self] result in
            onRead(nil)
            switch result {
            case .failure(let error): body(.failure(error))
            case .success where rosters.changes != changesBefore:
                withRoster(of: chat, for: session, onRead: onRead, body)
            case .success(let chat):
                rosters.insert(chat)
                body(.success(rosters.people(in: chat.id) ?? []))
            }
        }
        onRead(read)
    }
}

/// The chats, or contacts, whose reads are under way, and which of these must be read once more.
struct RefreshTable<Key: Hashable> {
    private var running: [Key: Bool] = [:]

    /// Called when a chat or contact changed.
    ///
    /// - Returns: Whether to read it now; `false` if a read is under way, which is then repeated.
    mutating func begin(_ key: Key) -> Bool {
        guard running[key] == nil else {
            running[key] = true
            return false
        }
        running[key] = false
        return true
    }

    /// Whether a read of the chat or contact is under way.
    func isRunning(_ key: Key) -> Bool { running[key] != nil }

    /// Called when a read ended.
    ///
    /// - Returns: Whether to read again.
    mutating func end(_ key: Key) -> Bool {
        if running[key] ?? false {
            running[key] = false
            return true
        }
        running[key] = nil
        return false
    }
}

extension AccountStore {
    /// The people of some chats, by id.
    ///
    /// A removed user has no account; their messages stand under ``User/removedName``.
    package func names(in chats: [Chat]) async throws(SharingError) -> [UserID: User] {
        var ids: Set<UserID> = []
        for chat in chats { ids.formUnion(chat.participants.lazy.map(\.user)) }
        var names: [UserID: User] = [:]
        for id in ids { names[id] = User(id: id, name: User.removedName) }
        for user in try await users(ids) { names[user.id] = user }
        return names
    }
}
