import YonderGeodesy
import YonderModel
import YonderRules

/// The shares of all chats, their reports, and the freshness last sent to viewers: a value without clock or store.
///
/// It follows the store: every share that a commit changed is passed to ``update(_:)``. `ShareBoard` holds it behind a
/// mutex. `Exchange+Shares.swift` passes commits and reports, and asks each second what is due; `ShareLists` add and remove
/// viewers. Any call may come twice or late: what is older than what the roll knows changes nothing.
///
/// `ShareReports` and `ShareRules` decide how fresh a share is and when it ends, this type when viewers are sent it
/// (decision 18, `ShareRollTests`). A share must never go back from *ended* or *erased*.
struct ShareRoll: Sendable {
    /// A group of viewers that is sent changes.
    enum Audience: Hashable, Sendable {
        /// The participants of a chat.
        case chat(ChatID)
        /// One person, for their own shares.
        case person(UserID)
    }

    /// A share that the clock or an arrival ends.
    struct Due: Hashable, Sendable {
        let share: Share
        let ending: Share.Ending

        /// When the person asked for it, or `nil` for the present.
        var asked: Timestamp?
    }

    private struct Chat {
        var shares: [UserID: [Share]] = [:]
        /// Whether last positions were read from the store.
        var isSeeded = false
    }

    fileprivate struct Heard {
        var reports: ShareReports
        /// The newest position, not parsed while the share has no viewer.
        var unread: Message?
        var told: Freshness?
    }

    private var chats: [ChatID: Chat] = [:]
    private var heard: [ShareID: Heard] = [:]
    private var chatsByUser: [UserID: Set<ChatID>] = [:]
    /// The running shares that the clock ends.
    private var timed: [ShareID: Share] = [:]
    private var arrived: [ShareID: Share] = [:]
    private var audiences: [Audience: Int] = [:]
    /// The sign-ins that the store is known to have noted.
    var feeders = FeederMemory()

    /// Creates a roll with the shares of a store.
    init(_ shares: [Share] = []) {
        update(shares)
    }

    /// Inserts new shares and replaces changed ones.
    ///
    /// Changes may come twice or late: a share that has ended stays so, and one whose positions were erased, too.
    mutating func update(_ shares: [Share]) {
        for share in shares.map({ feeders.learn($0) }) {
            let known = chats[share.chat]?.shares[share.user] ?? []
            if let before = known.first(where: { $0.id == share.id }) {
                guard before.end == nil || share.end != nil, !before.isErased || share.isErased else {
                    continue
                }
            }
            let time = share.end?.time ?? share.started
            let (kept, forgotten) = ShareRules.applying([share], to: known, at: time)
            chats[share.chat, default: Chat()].shares[share.user] = kept
            chatsByUser[share.user, default: []].insert(share.chat)
            for id in forgotten { heard[id] = nil }
            timed[share.id] = share.end == nil && share.until != nil ? share : nil
            if share.end != nil {
                arrived[share.id] = nil
                heard[share.id] = nil
            }
        }
    }

    // MARK: What is heard

    /// Receives a position.
    ///
    /// - Returns: Whether viewers must be sent the share at once: its state becomes live, or pausing begins or ends.
    mutating func receive(_ message: Message, at now: Timestamp) -> Bool {
        guard let id = message.share, let share = share(id, of: message.sender, in: message.chat),
            share.end == nil
        else { return false }
        var entry = heard[id] ?? Heard(reports: ShareReports(started: share.started))
        entry.reports.receive(reportAt: message.time)
        entry.unread = message
        let isWatched = isWatched(share)
        if isWatched || share.arrival != nil { entry.read() }
        arrives(share, &entry)
        heard[id] = entry
        return isWatched && isBetter(share, entry, at: now)
    }

    /// Receives a heartbeat.
    ///
    /// - Parameters:
    ///   - heartbeat: The phone's report.
    ///   - chat: The chat of the share.
    ///   - user: The person who shares.
    ///   - named: The share, or `nil` for the one that a position without a share id would belong to.
    ///   - source: The number of the session or token.
    ///   - now: The server's time.
    ///   - check: Counts the heartbeat; what it throws leaves the share as it was.
    /// - Returns: The share, and whether viewers must be sent it at once: its state becomes live, or pausing begins or ends.
    /// - Throws: `shareEnded`; the errors of `check`.
    mutating func receive(
        _ heartbeat: ShareHeartbeat,
        in chat: ChatID,
        of user: UserID,
        share named: ShareID?,
        source: Int64?,
        at now: Timestamp,
        check: (ShareID) throws(SharingError) -> Void = { _ in }
    ) throws(SharingError) -> (share: Share, isBetter: Bool) {
        let shares = chats[chat]?.shares[user] ?? []
        let running =
            named.map { id in shares.first { $0.id == id } }
            ?? ShareRules.running(for: source, among: shares, at: now)
        guard let share = running, share.isRunning(at: now) else { throw .shareEnded }
        try check(share.id)
        var entry = heard[share.id] ?? Heard(reports: ShareReports(started: share.started))
        entry.read()
        entry.reports.receive(heartbeat, at: now)
        arrives(share, &entry)
        heard[share.id] = entry
        return (share, isWatched(share) && isBetter(share, entry, at: now))
    }

    private mutating func arrives(_ share: Share, _ entry: inout Heard) {
        if let arrival = share.arrival, entry.reports.arrives(at: arrival) { arrived[share.id] = share }
    }

    private func isBetter(_ share: Share, _ entry: Heard, at now: Timestamp) -> Bool {
        guard let told = entry.told else { return true }
        let (before, after) = (told.state(at: now), entry.reports.freshness(of: share, at: now).state)
        return before != after && after == .live || (before == .paused) != (after == .paused)
    }

    /// Whether the last positions in a chat must still be read from the store.
    func needsSeed(_ chat: ChatID) -> Bool { !(chats[chat]?.isSeeded ?? false) }

    /// Sets the last positions in a chat, for shares without a position since the server started.
    mutating func seed(_ chat: ChatID, _ messages: [Message]) {
        chats[chat, default: Chat()].isSeeded = true
        for message in messages {
            guard let id = message.share, let share = share(id, of: message.sender, in: chat),
                share.end == nil,
                heard[id]?.unread == nil, heard[id]?.reports.fixed == nil
            else { continue }
            var reports = ShareReports(started: share.started)
            reports.receive(reportAt: message.time)
            var entry = Heard(reports: heard[id]?.reports ?? reports)
            entry.unread = message
            entry.read()
            heard[id] = entry
        }
    }

    /// Has the last positions in chats read again before they are shown, because some may have been missed.
    mutating func unseed(_ closed: [ChatID]) {
        for chat in closed {
            chats[chat]?.isSeeded = false
            for shares in (chats[chat]?.shares ?? [:]).values {
                for share in shares { heard[share.id] = nil }
            }
        }
    }

    /// Catches up with the shares of a store that others write, too.
    ///
    /// A share that has ended here stays so: it was read before. Of one that has ended only its erasing is taken over. An end and
    /// an erasing in the store are final, and newer than any other state.
    ///
    /// - Parameters:
    ///   - stored: The store's shares.
    ///   - past: The value of ``all`` before the store was read: what has changed here since is newer.
    /// - Returns: The shares that are new or have changed, and whether the roll now has what the store had: it hasn't if a share
    ///   that differs was left out because it changed here meanwhile. Then the store must be read again.
    mutating func catchUp(_ stored: [Share], since past: [ShareID: Share])
        -> (changed: [Share], isWhole: Bool)
    {
        var changed: [Share] = []
        var isWhole = true
        for share in stored.map(\.withoutFeeders) {
            let known = self.share(share.id, of: share.user, in: share.chat)
            guard known != share, known?.end == nil || share.isErased else { continue }
            if share.end != nil || known == past[share.id] { changed.append(share) } else { isWhole = false }
        }
        update(changed)
        return (changed, isWhole)
    }

    // MARK: Viewers

    /// Adds a viewer.
    mutating func watch(_ audience: Audience) {
        audiences[audience, default: 0] += 1
    }

    /// Removes a viewer.
    mutating func unwatch(_ audience: Audience) {
        let count = (audiences[audience] ?? 0) - 1
        audiences[audience] = count > 0 ? count : nil
    }

    private func isWatched(_ share: Share) -> Bool {
        audiences[.chat(share.chat)] != nil || audiences[.person(share.user)] != nil
    }

    // MARK: Answers

    /// The shares that a chat's participants see: the running ones, and for each person without one the newest kept
    /// share that ended within ``Share/grace``.
    mutating func shown(in chat: ChatID, at now: Timestamp) -> [ShownShare] {
        let shares = (chats[chat]?.shares ?? [:]).values.flatMap { shares in
            let running = visible(shares).filter { $0.isRunning(at: now) }
            return running.isEmpty ? newestEnd(of: shares, at: now).map { [$0] } ?? [] : running
        }
        return show(shares, at: now, toAll: false)
    }

    /// The share whose end is shown of a person without a running one: of equal ends, the one with the greater id.
    private func newestEnd(of shares: [Share], at now: Timestamp) -> Share? {
        func end(_ share: Share) -> Timestamp { share.endTime(at: now) ?? now }
        let recent = shares.filter { $0.keeping == .kept && now - end($0) < Share.grace }
        return recent.max { (end($0), $0.id) < (end($1), $1.id) }
    }

    /// The present versions of shares in a chat, with the ends that are now shown of their people: a *Stop* that waited for a
    /// connection may end a share before one that has ended already.
    func withShownEnds(_ changed: [Share], at now: Timestamp) -> [Share] {
        let known = present(changed)
        let ends = known.compactMap { share -> Share? in
            let theirs = chats[share.chat]?.shares[share.user] ?? []
            return theirs.contains { $0.isRunning(at: now) } ? nil : newestEnd(of: theirs, at: now)
        }
        return Array(Set(known + ends))
    }

    /// A person's shares that haven't ended, but of implicit ones only the one with the newest report.
    ///
    /// Other implicit shares belong to sessions that the person no longer uses.
    private func visible(_ shares: [Share]) -> [Share] {
        let running = shares.filter { $0.end == nil }
        let implicit = running.filter(\.isImplicit)
        guard implicit.count > 1 else { return running }
        func heardOf(_ share: Share) -> Timestamp { heard[share.id]?.reports.reported ?? share.started }
        let latest = implicit.max { heardOf($0) < heardOf($1) }
        return running.filter { !$0.isImplicit || $0.id == latest?.id }
    }

    /// A person's own running shares, in every chat.
    mutating func shown(of user: UserID, at now: Timestamp) -> [ShownShare] {
        let shares = (chatsByUser[user] ?? []).flatMap { chats[$0]?.shares[user] ?? [] }
        return show(shares.filter { $0.isRunning(at: now) }, at: now, toAll: false)
    }

    /// Shares with their freshness, as viewers see them.
    ///
    /// - Parameters:
    ///   - shares: The shares.
    ///   - now: The server's time.
    ///   - toAll: Whether the result is sent to every viewer: then ``outdated(at:)`` compares with it.
    /// - Returns: The shares, in the order in which they were started.
    mutating func show(_ shares: [Share], at now: Timestamp, toAll: Bool) -> [ShownShare] {
        shares.sorted { ($0.started, $0.id) < ($1.started, $1.id) }.map { share in
            if let end = share.end { return ShownShare(share, Freshness(ended: end)) }
            var entry = heard[share.id] ?? Heard(reports: ShareReports(started: share.started))
            entry.read()
            let freshness = entry.reports.freshness(of: share, at: now)
            if toAll || entry.told == nil { entry.told = freshness }
            heard[share.id] = entry
            return ShownShare(share, freshness)
        }
    }

    /// The shares that viewers must be sent now: their freshness differs from the one last sent, or viewers would
    /// downgrade it within ``margin`` although reports have come since.
    mutating func outdated(at now: Timestamp) -> [Share] {
        var shares: [ShareID: Share] = [:]
        for audience in audiences.keys {
            switch audience {
            case .chat(let chat):
                for share in (chats[chat]?.shares ?? [:]).values.flatMap(visible) { shares[share.id] = share }
            case .person(let user):
                for chat in chatsByUser[user] ?? [] {
                    for share in chats[chat]?.shares[user] ?? [] where share.end == nil {
                        shares[share.id] = share
                    }
                }
            }
        }
        return shares.values.filter { isOutdated($0, at: now) }
    }

    private mutating func isOutdated(_ share: Share, at now: Timestamp) -> Bool {
        guard var entry = heard[share.id], let told = entry.told else { return true }
        entry.read()
        heard[share.id] = entry
        let fresh = entry.reports.freshness(of: share, at: now)
        guard fresh.state == told.state, fresh.cause == told.cause, fresh.since == told.since,
            fresh.battery == told.battery, fresh.isCharging == told.isCharging
        else { return true }
        guard let next = told.changes.first, let later = fresh.changes.first else { return false }
        return later.time > next.time && next.time - now <= Self.margin
    }

    /// The time before a viewer's clock would downgrade a freshness by which a newer one is sent.
    private static let margin = Duration.seconds(10)

    // MARK: Ends

    /// The shares that must end now: their time is over, or the person has arrived.
    mutating func due(at now: Timestamp) -> [Due] {
        timed.values.filter { !$0.isRunning(at: now) }.map { Due(share: $0, ending: .expired) }
            + arrived.values.map { Due(share: $0, ending: .arrived) }
    }

    /// A person's running shares, in every chat.
    func running(of user: UserID) -> [Share] {
        (chatsByUser[user] ?? []).flatMap { chats[$0]?.shares[user] ?? [] }.filter { $0.end == nil }
    }

    /// Every share that is known, by its id.
    var all: [ShareID: Share] {
        Dictionary(chats.values.flatMap { $0.shares.values.joined() }.map { ($0.id, $0) }) { $1 }
    }

    /// The running shares of all participants of some chats.
    func running(in chats: [ChatID]) -> [Share] {
        chats.flatMap { self.chats[$0]?.shares.values.joined().filter { $0.end == nil } ?? [] }
    }

    /// A person's share in a chat, running or ended, or `nil` if there is none of this id.
    func share(_ id: ShareID, of user: UserID, in chat: ChatID) -> Share? {
        chats[chat]?.shares[user]?.first { $0.id == id }
    }

    /// The share that an unkept position belongs to.
    ///
    /// - Returns: `nil` if the position names no share and the sender has none in the chat.
    /// - Throws: `shareEnded`, and the errors of reading the position's `data`.
    func place(
        _ draft: MessageDraft,
        in chat: ChatID,
        of user: UserID,
        source: Int64?,
        at now: Timestamp
    )
        throws(SharingError) -> ShareID?
    {
        let location = try SharedLocation(draft.data, arrival: now)
        let submission = Submission(
            chat: chat,
            sender: user,
            key: "",
            action: .message(draft),
            time: now,
            source: source
        )
        let shares = chats[chat]?.shares[user] ?? []
        switch try ShareRules.place(location, of: submission, among: shares, after: 0) {
        case .share(_, isOver: true): throw .shareEnded
        case .share(let id, isOver: false):
            // No viewer needs an unkept position of a share that is over.
            guard shares.first(where: { $0.id == id })?.isRunning(at: now) ?? false else { throw .shareEnded }
            return id
        case .implicit: return nil
        }
    }
}

extension ShareRoll.Heard {
    /// Parses the newest position, and adds it to the reports.
    fileprivate mutating func read() {
        guard let message = unread else { return }
        unread = nil
        guard let position = message.position else { return }
        let isAhead = position.timestamp > message.time + Message.clockTolerance
        reports.receive(
            position.coordinate,
            accuracy: position.horizontalAccuracy,
            at: isAhead ? message.time : position.timestamp,
            time: message.time
        )
    }
}
