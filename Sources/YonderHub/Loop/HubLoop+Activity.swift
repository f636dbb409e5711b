package import YonderGeodesy
package import YonderModel
package import YonderWire

/// Activity in chats, for the subscribers of `chats`: sent once a round, and not for positions.
extension HubLoop {
    /// Collects a message for the chat lists of this loop.
    func noteActivity(_ published: Published) {
        guard !topics.chats.isEmpty, activities.note(published) else { return }
        flushSoon()
    }

    /// Moves a reader's read position forward.
    func noteRead(_ mark: ReadMark, _ outcome: ReadMark.Outcome) {
        guard !topics.chats.isEmpty else { return }
        topics.chats[mark.reader]?.showsReads = outcome.isShown
        activities.note(mark, outcome)
        flushSoon()
    }

    /// Sends what the round brought.
    func distributeActivities() {
        for (chat, entry) in activities.takeAll() { distribute(entry, in: chat) }
    }

    /// Sends what happened in a chat up to now, before its people change.
    func distributeActivity(in chat: ChatID) {
        if let entry = activities.take(chat) { distribute(entry, in: chat) }
    }

    private func distribute(_ entry: ActivityTable.Entry, in chat: ChatID) {
        // A state of the chat that is being read may be older than this.
        if refreshes.isRunning(chat) { _ = refreshes.begin(chat) }
        guard !entry.losesPreview, let people = rosters.people(in: chat) else {
            return readActivity(in: chat)
        }
        let isMutual = people.count <= ChatReading.mutualLimit
        for (user, topic) in subscribers(among: people) {
            let change = entry.change(in: chat, for: user, isMutual: isMutual && topic.showsReads)
            if let change { topic.send(change) }
        }
    }

    /// The topics of those people whose lists are shown here.
    private func subscribers(among people: Set<UserID>) -> [(UserID, SessionTopic)] {
        guard people.count > topics.chats.count else {
            return people.compactMap { user in topics.chats[user].map { (user, $0) } }
        }
        return topics.chats.filter { people.contains($0.key) }.map { ($0.key, $0.value) }
    }

    /// Reads how lists show a chat, where this loop doesn't know its people or its preview; one reading at a time.
    private func readActivity(in id: ChatID) {
        guard activityReads.begin(id) else { return }
        let (chats, now) = (exchange.chats, exchange.now)
        let changesBefore = rosters.changes
        read(in: lane) { () async throws(SharingError) in
            let chat = try await chats.chat(id)
            return (chat, try await chats.readings(of: [chat], for: nil, now: now())[id] ?? ChatReading())
        } then: { [unowned self] result in
            if case .success(let (chat, reading)) = result {
                if rosters.changes == changesBefore { rosters.insert(chat) }
                tell(chat, reading)
            }
            if activityReads.end(id) { readActivity(in: id) }
        }
    }

    private func tell(_ chat: Chat, _ reading: ChatReading) {
        for participant in chat.participants where participant.isPresent {
            guard let topic = topics.chats[participant.user] else { continue }
            let view = reading.view(of: chat, for: participant)
            topic.send(
                ChatActivity(
                    chat: chat.id,
                    written: chat.written,
                    active: chat.active,
                    preview: .some(view.preview),
                    read: view.read,
                    reads: view.reads ?? [:]
                )
            )
        }
    }
}

extension ChatStore {
    /// Chats as one of their participants sees them.
    ///
    /// - Parameters:
    ///   - chats: Which ones, as they are.
    ///   - accounts: Has the people's names.
    ///   - user: The participant; a chat that they aren't in has no view.
    ///   - now: The server's time.
    /// - Returns: The chats, in their order.
    /// - Throws: `unavailable`.
    package func named(
        _ chats: [Chat],
        with accounts: any AccountStore,
        for user: UserID,
        now: Timestamp
    ) async throws(SharingError) -> [NamedChat] {
        let names = try await accounts.names(in: chats)
        let readings = try await readings(of: chats, for: user, now: now)
        return chats.map { chat in
            let participant = chat.participant(user)
            let view = participant.flatMap { readings[chat.id]?.view(of: chat, for: $0) }
            return NamedChat(chat, users: names, view: view)
        }
    }
}
