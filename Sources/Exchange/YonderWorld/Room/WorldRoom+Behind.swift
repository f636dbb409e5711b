import NIOCore

/// Members that haven't been sent everything: newcomers, clients that poll, and those whose connection takes no more.
///
/// Nothing is queued for them. On the stream a member gets all pins again once it can receive, over Socket.IO what its cursor lacks:
/// a piece at once and one in each round, or one a poll.
extension WorldRoom {
    /// Sends a member that missed events, and can receive again, a new snapshot or what it lacks.
    package func refresh(_ member: WorldMember) {
        // A flush may tell that the connection can receive, before it returns.
        guard member.isBehind, member.isSettled, !member.isRefreshing else { return }
        member.isRefreshing = true
        if member.listener.worldForm == .stream { show(member) } else { bring(member) }
        member.listener.flush()
        member.isRefreshing = false
    }

    /// Lets a member miss the round; what it lacks it is sent when it can receive.
    func passOver(_ member: WorldMember) {
        catchUpLater(member)
        member.firstEvent = 0
        member.ownEvents.removeAll(keepingCapacity: true)
        if member.listener.isWritable, member.listener.worldForm != .stream { refresh(member) }
    }

    /// Marks a member as behind, from the rounds that it was sent.
    func catchUpLater(_ member: WorldMember) {
        guard !member.isBehind else { return }
        member.isBehind = true
        member.cursor = .init(upTo: max(roundStart, member.cursor.seen))
    }

    /// Sends a newcomer to the stream all pins; another member is behind, and is sent the first piece if it can receive.
    func show(_ member: WorldMember) {
        onDirty()
        guard member.listener.worldForm == .stream else {
            member.isBehind = true
            member.cursor = .init(newAt: everyone.last)
            if member.listener.isWritable { bring(member) }
            return
        }
        goOn(member)
        let frames = WorldEncoding.streamSnapshot(
            id: member.subscription,
            topic: topic,
            you: member.id,
            of: everyone
        )
        member.listener.deliver(.frames(frames))
    }

    /// Delivers the next piece of what a member lacks; one that lacks nothing any more is sent the rounds that follow.
    private func bring(_ member: WorldMember) {
        let events = everyone.read(
            &member.cursor,
            without: member.id,
            isOwn: member.ownDepartures.contains,
            limit: Self.pieceLimit
        )
        guard let events else { return member.listener.endWorld() }
        member.ownDepartures.removeAll { $0 <= member.cursor.seen }
        if !events.isEmpty { deliver(events, to: member) }
        guard member.listener.receivesRounds else { return }
        guard everyone.isCurrent(member.cursor) else {
            hasMore = true
            return onDirty()
        }
        goOn(member)
    }

    /// Has a member that has been sent everything get the events that follow.
    private func goOn(_ member: WorldMember) {
        member.isBehind = false
        member.firstEvent = round.count
        member.ownEvents.removeAll()
    }

    private func deliver(_ events: [WorldEvent], to member: WorldMember) {
        guard member.listener.worldForm == .socketIO else { return member.listener.deliver(.events(events)) }
        var frames = ByteBufferAllocator().buffer(capacity: events.count * 64)
        for event in events { WorldEncoding.writeSocketIO(event, into: &frames) }
        member.listener.deliver(.frames(frames))
    }
}
