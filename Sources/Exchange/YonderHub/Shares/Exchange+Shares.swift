import Synchronization
import YonderBus
package import YonderRules
import YonderGeodesy
package import YonderModel
package import YonderWire

// Shares across all loops: what sessions, endpoints and other nodes ask of them, and the clock that ends them. `ShareRoll`
// decides, inside the board's mutex, and `ShareRules` in the store; here is only submitted, published and passed on. An end
// that the store refuses for now is submitted again by a later tick. A share that ended is never sent as running again
// (decision 18).
// `Exchange.run()` calls ``tickShares(_:)`` each second. `ShareEndpoints` and `Session+Shares.swift` pass heartbeats,
// stops and questions. `ShareStreamTests` and `ShareNodesTests` hold it.
extension Exchange {
    /// Ends the running shares of a person that a stop means; those that are over already are as the person wants them.
    ///
    /// - Returns: Which ended, now or while they were being ended.
    /// - Throws: `notSignedIn` if the right has ended; `unavailable`; some may have ended.
    package func stopShares(of user: UserID, _ stop: ShareStop = ShareStop(), under warrant: Warrant)
        async throws(SharingError) -> [ShareID]
    {
        let running = shares { $0.running(of: user) }.filter(stop.ends)
        let due = running.map { ShareRoll.Due(share: $0, ending: .stopped, asked: stop.before) }
        let results = await end(due, at: now(), under: warrant)
        for case .failure(let error) in results where error.code != .shareEnded { throw error }
        return running.map(\.id)
    }

    /// The shares in a chat, as a participant sees them.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unavailable`.
    package func shares(in chat: ChatID, for reader: UserID) async throws(SharingError) -> [ShownShare] {
        let users: Set<UserID>? = shares { $0.needsSeed(chat) } ? nil : []
        let last = try await chats.lastLocations(in: chat, of: users, now: now())
        _ = try ChatRules.present(reader, in: last.chat)
        if users == nil { shares { $0.seed(chat, last.messages) } }
        return shares.shown(in: chat)
    }

    /// Receives a heartbeat of a share.
    ///
    /// Viewers are sent the share at once if its state becomes live, or if pausing begins or ends.
    ///
    /// - Throws: `notParticipant` or `unknownChat` if the person isn't in the chat, `shareEnded`, `tooManyRequests`.
    package func receive(
        _ heartbeat: ShareHeartbeat,
        in chat: ChatID,
        of user: UserID,
        share: ShareID?,
        signIn: SecretHash?
    ) throws(SharingError) {
        let now = now()
        let (share, isBetter) = try shares { roll throws(SharingError) in
            try roll.receive(
                heartbeat,
                in: chat,
                of: user,
                share: share,
                source: signIn?.source,
                at: now,
                check: useHeartbeat
            )
        }
        feed(share, by: signIn)
        if isBetter { sharesChanged([share]) }
        link.publish(.heartbeat(heartbeat, share: share.id, user: user, chat: chat))
    }

    /// Has the store note that a sign-in feeds a share, unless it is known to have; after a failure with the next report.
    func feed(_ share: Share, by signIn: SecretHash?) {
        guard let signIn, !share.isImplicit, shares({ $0.feeders.begins(share.id, signIn.source) }) else {
            return
        }
        soon { exchange in
            let isNoted = try? await exchange.chats.feed(share, by: signIn, at: exchange.now())
            if !(isNoted ?? false) { exchange.shares { $0.feeders.forget(share.id, signIn.source) } }
        }
    }

    /// Uses one of the heartbeats that a share may have.
    private func useHeartbeat(of share: ShareID) throws(SharingError) {
        guard let wait = heartbeats?.withLock({ $0.take([share], at: uptime()) }) else { return }
        let limit = personal.limits.heartbeatsPerHour
        throw SharingError(
            .tooManyRequests,
            "A share may have \(limit) heartbeats an hour; send the next one after retryAfter.",
            retryAfter: wait
        )
    }

    /// Receives a heartbeat that another node has accepted; it is one of those that the share may have.
    ///
    /// A share that isn't known here yet misses it: phones send the next one 15 s later.
    func receive(_ heartbeat: ShareHeartbeat, of share: ShareID, by user: UserID, in chat: ChatID) {
        let now = now()
        heartbeats?.withLock { $0.charge(1, to: share, at: uptime()) }
        let received = try? shares { roll throws(SharingError) in
            try roll.receive(heartbeat, in: chat, of: user, share: share, source: nil, at: now)
        }
        if let received, received.isBetter { sharesChanged([received.share]) }
    }

    /// Ends the shares that are due, and sends changed ones to their viewers.
    func tickShares(_ now: Timestamp) {
        let closed = closed.all
        let (due, outdated) = shares { roll in
            // A block ends them at once, unless the server stopped in between.
            let blocked = roll.running(in: closed).map { ShareRoll.Due(share: $0, ending: .stopped) }
            return (roll.due(at: now) + blocked, roll.outdated(at: now))
        }
        // What is under way isn't submitted again, however long the store takes.
        let new = ending.withLock { ending in due.filter { ending.insert($0.share.id).inserted } }
        if !new.isEmpty {
            chats.submit(new.map { Submission(ending: $0, at: now) }) { [self] _ in
                ending.withLock { $0.subtract(new.map(\.share.id)) }
            }
        }
        sharesChanged(outdated)
    }

    /// Reads which running shares have ended in the store without a frame, as those of `yonder user --store` have.
    func readEnds() async {
        let known = shares { $0.all }
        let running = known.values.filter { $0.end == nil }.map(\.id)
        for start in stride(from: 0, to: running.count, by: Self.endsLimit) {
            let page = Array(running[start..<min(start + Self.endsLimit, running.count)])
            guard let ended = try? await chats.endedShares(among: page) else { return }
            let caughtUp = shares { $0.catchUp(ended, since: known) }
            sharesChanged(caughtUp.changed)
        }
    }

    /// The most shares of one query.
    private static let endsLimit = 1_000

    /// Stores the end of these shares, and sends each chat the `Share` message that says so.
    func end(_ shares: [ShareRoll.Due], at now: Timestamp, under warrant: Warrant = .server) async
        -> [Result<Submission.Acceptance, SharingError>]
    {
        guard !shares.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            chats.submit(shares.map { Submission(ending: $0, at: now, under: warrant) }) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Takes over shares that changed without a message, and has viewers sent them.
    func changed(_ shares: [Share]) {
        take(shares)
        sharesChanged(shares)
    }

    /// Applies the shares that a commit changed to the board.
    func take(_ changed: [Share]) {
        if !changed.isEmpty { shares { $0.update(changed) } }
    }

    /// Makes every loop send these shares to their viewers.
    func sharesChanged(_ shares: [Share]) {
        guard !shares.isEmpty else { return }
        onEachLoop { $0.shares.changed(shares) }
    }

    /// Adds positions to the reports of their shares; called on one loop only.
    func heard(_ published: [Published]) {
        var better: [Share] = []
        for message in published.lazy.map(\.message) {
            guard let id = message.share else { continue }
            let share = shares { roll in
                roll.receive(message, at: message.time)
                    ? roll.share(id, of: message.sender, in: message.chat) : nil
            }
            if let share { better.append(share) }
        }
        sharesChanged(better)
    }

    /// Passes a question on to a participant, and keeps nothing.
    func ask(_ user: UserID, in chat: ChatID, by asker: UserID) {
        askHere(user, in: chat, by: asker)
        link.publishNow(.asked(user, chat: chat, by: asker))
    }

    /// Passes a question on to the sessions of a participant on this node.
    func askHere(_ user: UserID, in chat: ChatID, by asker: UserID) {
        onEachLoop { loop in
            for session in loop.sessions(of: user) { session.reply(.asked(chat: chat, user: asker)) }
        }
    }
}

extension Submission {
    /// The end of a share, in its person's name.
    fileprivate init(ending due: ShareRoll.Due, at now: Timestamp, under warrant: Warrant = .server) {
        self.init(
            chat: due.share.chat,
            sender: due.share.user,
            key: "",
            action: .endShare(due.share.id, due.ending, before: due.asked),
            time: now,
            under: warrant
        )
    }
}
