package import YonderGeodesy
package import YonderModel

/// The rules for a person's shares in one chat, decided from their current state, without clock or store.
///
/// ``ChatRules`` calls them for submissions, the chats' writers for what a commit leaves, `ShareRoll` for heartbeats; the
/// time is the server's. The same arguments give the same result. A refusal is a ``SharingError``, and changes nothing. A
/// position without a share id may begin an implicit share, which older clients depend on.
///
/// When a share ends, and to which one a late position belongs, is promised in `Documentation/sharing.md` (decision 18) and
/// held by the suite in `TestSupport/Stores`. The limits here may be changed; how fresh a share is, is in `ShareReports`.
package enum ShareRules {
    /// The share that a position belongs to.
    package enum Place: Hashable, Sendable {
        /// A running share, or the one during which it was recorded; `isOver` if its positions can't be read any more.
        case share(ShareID, isOver: Bool)
        /// An implicit share that begins with the position.
        case implicit(Share)
    }

    /// The changes to shares that a store must write.
    package struct Change: Hashable, Sendable {
        /// The share that it is about.
        package let share: Share

        /// Every new or changed share, ``share`` included.
        package let saved: [Share]

        /// The `state` in the `Share` message.
        let state: String
    }

    /// The most people of a chat in which the battery's state is shown by default.
    package static let batteryLimit = 8

    /// Finds the share of a position.
    ///
    /// - Parameters:
    ///   - location: The share and the time in the position's `data`.
    ///   - submission: The session or token, and when the server took it.
    ///   - shares: The sender's shares in the chat.
    ///   - last: The chat's last number.
    /// - Returns: The share.
    /// - Throws: `shareEnded`; `notShared` for a position from before its share, or between two.
    package static func place(
        _ location: SharedLocation,
        of submission: Submission,
        among shares: [Share],
        after last: Int64
    ) throws(SharingError) -> Place {
        let now = submission.time
        if let named = location.share {
            guard let share = shares.first(where: { $0.id == named }) else { throw .shareEnded }
            return try place(location, in: share, at: now)
        }
        if let running = running(for: submission.source, among: shares, at: now) {
            let earlier = shares.first { !$0.isRunning(at: now) && $0.covers(location.time) }
            if let earlier, location.time < running.started {
                return try place(location, in: earlier, at: now)
            }
            // Of an implicit share the program chose no start: until something ended, nothing lies before it.
            if running.isImplicit, shares.allSatisfy({ $0.end == nil }) {
                return .share(running.id, isOver: false)
            }
            return try place(location, in: running, at: now)
        }
        let over = shares.filter { !$0.isRunning(at: now) }
        let ended = over.filter { $0.end?.ending.refusesMore ?? true }
        guard let latest = ended.max(by: { $0.started < $1.started }) else {
            if !over.isEmpty, location.time < now - Message.clockTolerance { throw .notShared }
            // A new session takes the place of the oldest, so that they don't grow without end.
            let implicit = shares.filter { $0.isImplicit && $0.end == nil }
            let oldest = implicit.count < Share.limit ? nil : implicit.min { $0.started < $1.started }
            let share = Share(
                id: oldest?.id ?? .random(),
                chat: submission.chat,
                user: submission.sender,
                started: now,
                source: submission.source ?? 0,
                after: oldest?.after ?? last
            )
            return .implicit(share)
        }
        return try place(location, in: ended.first { $0.covers(location.time) } ?? latest, at: now)
    }

    /// The share that a position naming none belongs to: the newest that was started, else the source's own.
    package static func running(for source: Int64?, among shares: [Share], at now: Timestamp) -> Share? {
        let running = shares.filter { $0.isRunning(at: now) }
        return running.filter { !$0.isImplicit }.max { $0.started < $1.started }
            ?? running.first { $0.source == source ?? 0 }
    }

    private static func place(_ location: SharedLocation, in share: Share, at now: Timestamp)
        throws(SharingError) -> Place
    {
        guard location.time >= share.started - Message.clockTolerance else { throw .notShared }
        guard location.time <= share.until ?? location.time else { throw .shareEnded }
        guard let end = share.endTime(at: now) else { return .share(share.id, isOver: false) }
        guard location.time <= end, now - end <= Share.grace else { throw .shareEnded }
        return .share(share.id, isOver: share.keeping == .expiring)
    }

    /// Decides what a submission does to its sender's shares.
    ///
    /// - Returns: `nil` if it is no action on a share.
    /// - Throws: `invalidField`, `tooMany`, `unknownShare`, `shareEnded`.
    static func decide(_ submission: Submission, among shares: [Share], in chat: Chat)
        throws(SharingError) -> Change?
    {
        let now = submission.time
        switch submission.action {
        case .startShare(let id, let wish): return try start(id, wish, submission, shares, chat)
        case .changeShare(let id, let edit): return try change(id, edit, shares, at: now)
        case .stopShare(let id): return end(try running(id, shares, at: now), .stopped, at: now)
        case .endShare(let id, let ending, let asked):
            guard let share = shares.first(where: { $0.id == id }), share.end == nil,
                share.started <= asked ?? now
            else { throw .shareEnded }
            // Whoever asks may have an older end in mind.
            guard ending != .expired || share.until.map({ $0 <= now }) ?? false else {
                throw SharingError(.invalidField, "until must be over; it was moved, and the share goes on.")
            }
            return end(share, ending, at: min(now, share.until ?? now, asked ?? now))
        case .message, .recall, .subject, .lockSubject, .keepPositions, .add, .leave, .stayOut, .remove,
            .owner:
            return nil
        }
    }

    private static func start(
        _ id: ShareID,
        _ wish: ShareWish,
        _ submission: Submission,
        _ shares: [Share],
        _ chat: Chat
    ) throws(SharingError) -> Change {
        let now = submission.time
        try check(until: wish.until, at: now)
        let running = shares.filter { $0.end == nil }
        guard running.count(where: { !$0.isImplicit }) < Share.limit else {
            throw SharingError(.tooMany, "A person has at most \(Share.limit) running shares in a chat.")
        }
        let implicit = running.filter(\.isImplicit).sorted { $0.started > $1.started }
        let few = chat.participants.count(where: \.isPresent) <= batteryLimit
        var share = Share(
            id: implicit.first?.id ?? id,
            chat: submission.chat,
            user: submission.sender,
            started: now,
            until: wish.until,
            arrival: wish.arrival,
            keeping: wish.keeping,
            showsBattery: wish.showsBattery ?? few,
            after: implicit.first?.after ?? chat.last
        )
        let replaced = implicit.dropFirst().map { $0.ended(.stopped, at: now) }
        for source in [implicit.first?.source, submission.source].compactMap(\.self) {
            share.feeders.add(source, at: now)
        }
        return Change(share: share, saved: [share] + replaced, state: "started")
    }

    private static func change(_ id: ShareID, _ edit: ShareEdit, _ shares: [Share], at now: Timestamp)
        throws(SharingError) -> Change
    {
        var share = try running(id, shares, at: now)
        if let until = edit.until {
            try check(until: until, at: now)
            share.until = until
        }
        // An assignment of the same value would lose a word that this version doesn't know.
        if let keeping = edit.keeping { share.keeping = keeping }
        share.showsBattery = edit.showsBattery ?? share.showsBattery
        if let source = share.source { share.feeders.add(source, at: now) }
        share.source = nil
        return Change(share: share, saved: [share], state: "changed")
    }

    private static func end(_ share: Share, _ ending: Share.Ending, at time: Timestamp) -> Change {
        let ended = share.ended(ending, at: time)
        return Change(share: ended, saved: [ended], state: ending.state)
    }

    private static func running(_ id: ShareID, _ shares: [Share], at now: Timestamp) throws(SharingError)
        -> Share
    {
        guard let share = shares.first(where: { $0.id == id }) else { throw .unknownShare }
        guard share.isRunning(at: now) else { throw .shareEnded }
        return share
    }

    private static func check(until: Timestamp?, at now: Timestamp) throws(SharingError) {
        guard let until else { return }
        guard until > now, until - now <= Share.longest else {
            let message = "until must be a time in the future, at most 366 days from now, or null."
            throw SharingError(.invalidField, message)
        }
    }

    /// A running share as a position or heartbeat leaves it.
    ///
    /// - Parameters:
    ///   - id: The share.
    ///   - source: The number of the session or token that sent the report.
    ///   - shares: The sender's shares in the chat.
    ///   - now: The server's time.
    /// - Returns: `nil` if the sign-in is known to feed the share, or if the share isn't one that was started and runs.
    package static func fed(_ id: ShareID, by source: Int64?, among shares: [Share], at now: Timestamp)
        -> Share?
    {
        guard let source, let share = shares.first(where: { $0.id == id }), !share.isImplicit,
            share.feeders.takes(source, at: now), share.isRunning(at: now)
        else { return nil }
        var fed = share
        fed.feeders.add(source, at: now)
        return fed
    }

    /// Whether a share has a sign-in among those that feed it.
    package static func isFed(_ id: ShareID, by source: Int64, among shares: [Share]) -> Bool {
        shares.first { $0.id == id }?.feeders.sources.contains(source) ?? false
    }

    /// Ends the shares of the participants who left a chat.
    ///
    /// - Returns: The shares that ended.
    package static func ended(by moved: [Participant], at time: Timestamp, _ shares: (UserID) -> [Share])
        -> [Share]
    {
        moved.filter { !$0.isPresent }.flatMap { shares($0.user) }.filter { $0.end == nil }
            .map { $0.ended(.left, at: time) }
    }

    /// The shares of a person as they are after a change, and which of them are forgotten.
    ///
    /// Forgotten is what ended longer ago than ``Share/grace``, but for the newest of those that ended: while it is known,
    /// a position that names no share is refused. Nothing is forgotten whose positions must still be erased.
    package static func applying(_ saved: [Share], to shares: [Share], at now: Timestamp)
        -> (shares: [Share], forgotten: [ShareID])
    {
        let changed = Set(saved.map(\.id))
        let all = shares.filter { !changed.contains($0.id) } + saved
        let ended = all.filter { $0.end != nil }.sorted { $0.endedAt > $1.endedAt }
        let forgotten = ended.enumerated().compactMap { index, share -> ShareID? in
            guard index > 0, share.keeping == .kept || share.isErased else { return nil }
            return index >= endedLimit || now - share.endedAt > Share.grace ? share.id : nil
        }
        return (all.filter { !forgotten.contains($0.id) }, forgotten)
    }

    /// How many ended shares of a person in a chat are remembered.
    private static let endedLimit = 16
}

extension Share {
    /// The same share, over.
    package func ended(_ ending: Ending, at time: Timestamp) -> Share {
        var ended = self
        ended.end = End(time: time, ending: ending)
        ended.arrival = nil
        ended.feeders = ShareFeeders()
        return ended
    }

    /// Whether a moment lies between its start and its end.
    fileprivate func covers(_ time: Timestamp) -> Bool {
        started <= time && time <= end?.time ?? until ?? time
    }

    fileprivate var endedAt: Timestamp { end?.time ?? started }
}

extension Share.Ending {
    /// The `state` in the `Share` message.
    fileprivate var state: String {
        switch self {
        case .stopped, .left, .signedOut: "stopped"
        case .expired, .arrived: "expired"
        }
    }
}

extension SharingError {
    /// A position of a share that is over.
    package static var shareEnded: SharingError {
        SharingError(
            .shareEnded,
            "This share is over; start a share in this chat before you send positions to it."
        )
    }

    /// A position from before its share's start, or between two shares.
    package static var notShared: SharingError {
        SharingError(.notShared, "The position was recorded while this person didn't share; drop it.")
    }

    /// A share that isn't the caller's, or isn't known any more.
    package static var unknownShare: SharingError {
        SharingError(.unknownShare, "No such share of yours in this chat.")
    }
}
