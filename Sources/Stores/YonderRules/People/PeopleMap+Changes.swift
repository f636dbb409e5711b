package import YonderGeodesy
package import YonderModel

/// Applies committed changes of chats to the people on the map, and notifies the viewers affected.
///
/// `PeopleFeed` of the hub calls it, on its event loop alone: the map has no lock. Each commit is passed once, those of a
/// chat in the order of their numbers; a change that the chat's state already includes is ignored, and one of a chat that is
/// being read is applied behind the answer. Nothing here throws or reads: where the map doesn't know a position any more it
/// asks for one, and `takeRequests()` returns the read. Which message gives a position is decided by `Recency`; what belongs
/// here is whatever a commit changes of the map.
///
/// That a position is hidden from a viewer as soon as its person leaves, blocks or is hidden must stay (decision 13,
/// `PeopleMapTests`).
extension PeopleMap {
    /// Whether the map needs changes of a chat.
    ///
    /// Changes in which users join are always needed.
    @inline(__always)
    package func concerns(_ chat: ChatID) -> Bool {
        chats[chat] != nil || loading[chat] != nil
    }

    /// Applies a committed change.
    ///
    /// Pass the changes of each chat in the order of their numbers.
    ///
    /// - Complexity: The regions nearby, plus the viewers in the chat if not all of them could see the person
    ///   before.
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

    /// Call this when a chat was started, or when a user returned to an existing one.
    package func started(_ chat: Chat) {
        if chats[chat.id] == nil { load(chat.id, for: chat.participants.filter(\.isPresent)) }
    }

    /// Call this when a user's name has changed.
    package func renamed(_ user: UserID) {
        // The answer to a question that is under way may have the old name: then the store is asked again behind it.
        for chat in chats.values {
            let isAsked = chat.members[user]?.isAsked ?? false
            chat.members[user]?.mustBeAskedAgain = isAsked
            ask(for: user, in: chat, reaching: chat.through)
        }
        for id in loading.keys { loading[id]?.invalidate() }
    }

    /// Advances the clock, and removes positions that have expired by then.
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
            // A sighting that was already expired on arrival leaves the participant's position as it was.
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
            // The answer that is awaited may still have the recalled position.
            ask(for: user, in: chat, reaching: reached)
        }
    }

    // MARK: Positions

    /// Moves a participant to a sighting, or puts them on the map, unless a more recent sighting is known.
    func place(_ user: UserID, at sighting: Sighting, in chat: PeopleChat) {
        guard let member = chat.members[user] else { return }
        let id = member.id ?? number(user, in: chat)
        // A position that is older than the shown one doesn't move the person.
        if let known = roll[id].sighting, sighting.recency < known.recency { return }
        update(id, in: chat) { $0.sighting = sighting }
    }

    /// Applies the store's answer about a participant, which is current up to log number `last`.
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
            // A position with a higher number than the answer's last came later, so the answer can't have it.
            let later = entry.sighting.flatMap { $0.number > last ? $0 : nil }
            entry.sighting = [sighting, later].compactMap(\.self).max { $0.recency < $1.recency }
        }
    }

    /// Gives a participant a number on the map.
    private func number(_ user: UserID, in chat: PeopleChat) -> PointIndex.ID {
        let key = Person.Key(chat: chat.id, user: user)
        let entry = PeopleRoll.Entry(key: key, name: chat.members[user]?.name)
        let id = roll.insert(entry)
        chat.members[user]?.id = id
        return id
    }

    /// Changes a person's entry, and notifies the live regions that show the person.
    ///
    /// Live regions query visibility while they handle an event. So a moved or removed person is announced
    /// before the new entry is stored, and a new person after it.
    private func update(_ id: PointIndex.ID, in chat: PeopleChat, _ change: (inout PeopleRoll.Entry) -> Void)
    {
        let before = roll[id]
        var after = before
        change(&after)
        guard after != before else { return }
        note(expiry: after.sighting?.expires, of: id)
        switch (before.coordinate, after.coordinate) {
        case (nil, nil):
            roll[id] = after
        case (nil, let coordinate?):
            index.insert(id, at: coordinate)
            roll[id] = after
            onEvent(.inserted(id, at: coordinate))
        case (let coordinate?, nil):
            index.remove(id)
            onEvent(.removed(id, at: coordinate))
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

    /// Notifies the viewers for whom the new sighting changes whether they may see the person.
    private func tellWhoseSightChanged(
        _ id: PointIndex.ID,
        from before: PeopleRoll.Entry,
        to after: PeopleRoll.Entry,
        in chat: PeopleChat
    ) {
        guard let old = before.sighting?.number, let new = after.sighting?.number,
            let coordinate = after.coordinate,
            min(old, new) < chat.allRead
        else { return }
        for viewer in chat.viewers.values {
            switch (viewer.maySee(before.key, number: old), viewer.maySee(before.key, number: new)) {
            case (false, true): tell(viewer, of: id, at: coordinate, isVisible: true)
            case (true, false): tell(viewer, of: id, at: coordinate, isVisible: false)
            default: break
            }
        }
    }

    /// Notifies a viewer of each visible person in a chat: that the person appears, or is about to disappear.
    func tell(_ viewer: PeopleViewer, ofAllIn chat: PeopleChat, isVisible: Bool) {
        for id in chat.ids where roll.isVisible(id, to: viewer) {
            if let coordinate = roll[id].coordinate {
                tell(viewer, of: id, at: coordinate, isVisible: isVisible)
            }
        }
    }

    private func tell(
        _ viewer: PeopleViewer,
        of id: PointIndex.ID,
        at coordinate: Coordinate.Rounded,
        isVisible: Bool
    ) {
        onSight(Sight(viewer: viewer.user, id: id, coordinate: coordinate, isVisible: isVisible))
    }
}
