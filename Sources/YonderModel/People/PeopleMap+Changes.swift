package import YonderGeodesy

/// What happens to people, and who is to be told.
extension PeopleMap {
    /// Whether something in a chat may be of use here; who comes in always may.
    @inline(__always)
    package func concerns(_ chat: ChatID) -> Bool {
        chats[chat] != nil || loading[chat] != nil
    }

    /// Takes in what was committed, in the order of each chat's numbers.
    ///
    /// Costs what watches there; for a change of somebody whom not all viewers could see, the viewers in the chat.
    package func receive(_ change: PeopleChange) {
        if loading[change.chat] != nil {
            loading[change.chat]?.append(change)
            if case .came(let people) = change.event { load(change.chat, for: people) }
        } else if let chat = chats[change.chat] {
            guard change.number > chat.through else { return }
            chat.through = change.number
            apply(change, to: chat)
        } else if case .came(let people) = change.event {
            load(change.chat, for: people)
        }
    }

    /// Takes in that a chat was started, or was there before and somebody came back.
    package func started(_ chat: Chat) {
        if chats[chat.id] == nil { load(chat.id, for: chat.participants.filter(\.isPresent)) }
    }

    /// Takes in that somebody is called something else.
    package func renamed(_ user: UserID) {
        // What is being read may have the old name.
        for chat in chats.values {
            let isAsked = chat.members[user]?.isAsked ?? false
            chat.members[user]?.mustBeAskedAgain = isAsked
            ask(for: user, in: chat, reaching: chat.through)
        }
        for id in loading.keys { loading[id]?.invalidate() }
    }

    /// Takes in what time it is: what has expired by then is no position any more.
    package func expire(at time: Timestamp) {
        now = max(now, time)
        guard nextExpiry <= now else { return }
        for id in expiring where roll[id].sighting?.isExpired(at: now) ?? true {
            guard roll[id].sighting != nil, let chat = chats[roll[id].key.chat] else { continue }
            update(id, in: chat) { $0.sighting = nil }
            ask(for: roll[id].key.user, in: chat, reaching: chat.through)
        }
        expiring = expiring.filter { roll[$0].sighting?.expires != nil }
        nextExpiry = expiring.compactMap { roll[$0].sighting?.expires }.min() ?? Timestamp(milliseconds: .max)
    }

    private func apply(_ change: PeopleChange, to chat: PeopleChat) {
        switch change.event {
        case .located(let user, let sighting):
            // What had expired before it came leaves them where they were.
            if !sighting.isExpired(at: now) { place(user, at: sighting, in: chat) }
        case .came(let people):
            for participant in people { come(participant, change.number, in: chat) }
        case .went(let people):
            for user in people { go(user, in: chat) }
            dropIfUnwatched(chat)
        case .recalled(let number, let user):
            recall(number, of: user, change.number, in: chat)
        case .hidden(let user):
            guard let member = chat.members[user] else { return }
            if let id = member.id, roll[id].sighting != nil { update(id, in: chat) { $0.sighting = nil } }
            ask(for: user, in: chat, reaching: change.number)
        }
    }

    private func come(_ participant: Participant, _ number: Int64, in chat: PeopleChat) {
        chat.members[participant.user] = .init(spans: participant.spans)
        ask(for: participant.user, in: chat, reaching: number)
        if let viewer = viewers[participant.user] { admit(viewer, to: chat, participant.spans) }
    }

    private func go(_ user: UserID, in chat: PeopleChat) {
        if let viewer = chat.viewers[user] {
            tell(viewer, ofAllIn: chat, isVisible: false)
            chat.remove(viewer)
        }
        guard let member = chat.members.removeValue(forKey: user), let id = member.id else { return }
        update(id, in: chat) { $0.sighting = nil }
        roll.retire(id)
    }

    private func recall(_ number: Int64, of user: UserID, _ reached: Int64, in chat: PeopleChat) {
        guard let member = chat.members[user] else { return }
        if let id = member.id, roll[id].sighting?.number == number {
            update(id, in: chat) { $0.sighting = nil }
            ask(for: user, in: chat, reaching: reached)
        } else if member.awaited != nil {
            ask(for: user, in: chat, reaching: reached)
        }
    }

    // MARK: Places

    func place(_ user: UserID, at sighting: Sighting, in chat: PeopleChat) {
        guard let member = chat.members[user] else { return }
        let id = member.id ?? number(user, in: chat)
        // What is late stands in the line and moves nobody.
        if let known = roll[id].sighting, sighting.recency < known.recency { return }
        update(id, in: chat) { $0.sighting = sighting }
    }

    /// Takes in what the store says of somebody, as of a number.
    func settle(
        _ user: UserID,
        at sighting: Sighting?,
        _ name: String,
        asOf last: Int64,
        in chat: PeopleChat
    ) {
        chat.members[user]?.name = name
        guard let id = chat.members[user]?.id else {
            if let sighting { place(user, at: sighting, in: chat) }
            return
        }
        update(id, in: chat) { entry in
            entry.name = name
            // What came behind the answer isn't in it.
            let later = entry.sighting.flatMap { $0.number > last ? $0 : nil }
            entry.sighting = [sighting, later].compactMap(\.self).max { $0.recency < $1.recency }
        }
    }

    private func number(_ user: UserID, in chat: PeopleChat) -> PointIndex.ID {
        let key = Person.Key(chat: chat.id, user: user)
        let entry = PeopleRoll.Entry(key: key, name: chat.members[user]?.name)
        let id = roll.insert(entry)
        chat.members[user]?.id = id
        return id
    }

    /// Changes what is known of somebody, and tells who sees them.
    ///
    /// Live regions ask what may be seen when something enters or leaves: who goes from one place to another does so as
    /// what they were, who disappears too, who appears as what they are.
    private func update(_ id: PointIndex.ID, in chat: PeopleChat, _ change: (inout PeopleRoll.Entry) -> Void)
    {
        let before = roll[id]
        var after = before
        change(&after)
        guard after != before else { return }
        note(expiry: after.sighting?.expires, of: id)
        switch (before.place, after.place) {
        case (nil, nil):
            roll[id] = after
        case (nil, let place?):
            index.insert(id, at: place)
            roll[id] = after
            onEvent(.inserted(id, at: place))
        case (let place?, nil):
            index.remove(id)
            onEvent(.removed(id, at: place))
            roll[id] = after
        case (let from?, let to?):
            index.move(id, to: to)
            onEvent(.moved(id, from: from, to: to))
            roll[id] = after
            if before.name != after.name { onEvent(.changed(id, at: to)) }
            tellWhoseSightChanged(id, from: before, to: after, in: chat)
        }
    }

    private func note(expiry: Timestamp?, of id: PointIndex.ID) {
        guard let expiry else { return }
        expiring.insert(id)
        nextExpiry = min(nextExpiry, expiry)
    }

    /// Tells viewers who couldn't see somebody by their last message, and can by this one, or the reverse.
    private func tellWhoseSightChanged(
        _ id: PointIndex.ID,
        from before: PeopleRoll.Entry,
        to after: PeopleRoll.Entry,
        in chat: PeopleChat
    ) {
        guard let old = before.sighting?.number, let new = after.sighting?.number, let place = after.place,
            min(old, new) < chat.allRead
        else { return }
        for viewer in chat.viewers.values {
            switch (viewer.maySee(before.key, number: old), viewer.maySee(before.key, number: new)) {
            case (false, true): tell(viewer, of: id, at: place, isVisible: true)
            case (true, false): tell(viewer, of: id, at: place, isVisible: false)
            default: break
            }
        }
    }

    /// Tells a viewer of everyone in a chat whom they may see by now: that they do, or are about not to.
    func tell(_ viewer: PeopleViewer, ofAllIn chat: PeopleChat, isVisible: Bool) {
        for id in chat.ids where roll.isVisible(id, to: viewer) {
            if let place = roll[id].place { tell(viewer, of: id, at: place, isVisible: isVisible) }
        }
    }

    private func tell(
        _ viewer: PeopleViewer,
        of id: PointIndex.ID,
        at place: Coordinate.Rounded,
        isVisible: Bool
    ) {
        onSight(Sight(viewer: viewer.user, id: id, place: place, isVisible: isVisible))
    }
}
