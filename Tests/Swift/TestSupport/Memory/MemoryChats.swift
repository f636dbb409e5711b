import YonderGeodesy
import YonderModel
import YonderRules

/// Every chat in memory.
struct MemoryChats: Sendable {
    private struct StartKey: Hashable {
        let creator: UserID
        /// In bytes: `String` takes a composed and a decomposed é for one.
        let bytes: [UInt8]
    }

    private struct Started {
        let chat: ChatID
        let fingerprint: Int64
    }

    private var logs: [ChatID: MemoryLog] = [:]
    private var pairs: [Set<UserID>: ChatID] = [:]
    private var started: [StartKey: Started] = [:]

    func log(_ id: ChatID) throws(SharingError) -> MemoryLog {
        guard let log = logs[id] else { throw .unknownChat }
        return log
    }

    /// Whether a message still has its data.
    func hasData(_ id: Message.ID) -> Bool { logs[id.chat]?.hasData(id.logNumber) ?? false }

    /// The one-to-one chat of two users, or `nil`.
    func pair(_ one: UserID, _ other: UserID) -> ChatID? { pairs[[one, other]] }

    func chats(of user: UserID, after place: ChatPlace?, limit: Int) -> [Chat] {
        let listed = logs.values.filter { $0.chat.isPresent(user) }.map(\.chat)
            .sorted(by: Chat.isListedBefore)
        let behind = listed.filter { chat in
            place.map { (chat.active, $0.chat) < ($0.active, chat.id) } ?? true
        }
        return Array(behind.prefix(max(0, limit)))
    }

    func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting) -> Bool {
        logs.values.map(\.chat).filter { $0.isPresent(reader) }.contains { chat in
            switch meeting {
            case .ever: chat.participant(other) != nil
            case .now: chat.isPresent(other)
            case .inGroup: chat.isPresent(other) && !chat.isOneToOne
            }
        }
    }

    func groups(of user: UserID, ownedBy owner: UserID, limit: Int) -> [ChatID] {
        let owned = logs.values.map(\.chat).filter { chat in
            !chat.isOneToOne && chat.isPresent(user) && chat.isPresent(owner)
                && chat.participant(owner)?.role == .owner
        }
        return Array(owned.map(\.id).sorted().prefix(max(0, limit)))
    }

    func leftGroups(of user: UserID, limit: Int) -> [LeftGroup] {
        let left = logs.values.compactMap { log in
            log.chat.participant(user)?.staysOut.map { (chat: log.chat.id, staysOut: $0) }
        }
        let sorted = left.sorted { ($0.staysOut.since, $0.chat) > ($1.staysOut.since, $1.chat) }
        return sorted.prefix(max(0, limit)).map { LeftGroup(chat: $0.chat, subject: $0.staysOut.subject) }
    }

    mutating func stopStayingOut(of chat: ChatID, by user: UserID) throws(SharingError) {
        guard logs[chat]?.stopStayingOut(user) ?? false else { throw .unknownChat }
    }

    func lastNumbers(of user: UserID) -> [ChatID: Int64] {
        logs.filter { $0.value.chat.isPresent(user) }.mapValues(\.chat.last)
    }

    func readings(of chats: [ChatID], for reader: UserID?, now: Timestamp, isHidden: (UserID) -> Bool)
        -> [ChatID: ChatReading]
    {
        var readings: [ChatID: ChatReading] = [:]
        for chat in chats {
            readings[chat] = logs[chat]?.reading(for: reader, now: now, isHidden: isHidden)
        }
        return readings
    }

    /// Whether two users are in a group.
    func haveCommonGroup(_ one: UserID, _ other: UserID) -> Bool {
        logs.values.contains {
            !$0.chat.isOneToOne && $0.chat.isPresent(one) && $0.chat.isPresent(other)
        }
    }

    mutating func read(_ mark: ReadMark, isHidden: (UserID) -> Bool, _ commit: inout StoreCommit) -> Result<
        ReadMark.Outcome, SharingError
    > {
        do throws(SharingError) {
            guard let (position, hasMoved) = try logs[mark.chat]?.read(mark) else { throw .unknownChat }
            let isShown = !isHidden(mark.reader)
            let outcome = ReadMark.Outcome(position: position, hasMoved: hasMoved, isShown: isShown)
            if hasMoved { commit.reads.append(ReadMove(mark: mark, outcome: outcome)) }
            return .success(outcome)
        } catch {
            return .failure(error)
        }
    }

    mutating func submit(
        _ submission: Submission,
        refusal: SharingError?,
        contacts: Set<UserID>,
        isClosed: (Chat) -> Bool
    ) -> Result<Submission.Acceptance, SharingError> {
        do throws(SharingError) {
            let isClosed = isClosed(try log(submission.chat).chat)
            let acceptance = try logs[submission.chat]?.submit(
                submission,
                refusal: refusal,
                contacts: contacts,
                isClosed: isClosed
            )
            return acceptance.map(Result.success) ?? .failure(.unknownChat)
        } catch {
            return .failure(error)
        }
    }

    mutating func start(
        _ wish: ChatStart,
        contacts: Set<UserID>,
        at time: Timestamp,
        nextID: () -> ChatID,
        _ commit: inout StoreCommit
    ) throws(SharingError) -> ChatStart.Outcome {
        let key = wish.key.map { StartKey(creator: wish.creator, bytes: [UInt8]($0.utf8)) }
        if let key, let known = started[key] {
            guard known.fingerprint == wish.fingerprint else { throw .keyReused }
            let chat = try log(known.chat).chat
            _ = try ChatRules.present(wish.creator, in: chat)
            return ChatStart.Outcome(chat: chat, existed: true)
        }
        try wish.check(contacts: contacts)
        let pair = Set(wish.invitees + [wish.creator])
        let outcome: ChatStart.Outcome
        if wish.isOneToOne, let id = pairs[pair] {
            outcome = try reopen(id, for: wish, at: time, &commit)
        } else {
            let chat = try ChatRules.start(wish, id: nextID(), at: time)
            logs[chat.id] = MemoryLog(chat)
            if wish.isOneToOne { pairs[pair] = chat.id }
            commit.started.append(chat)
            outcome = ChatStart.Outcome(chat: chat, existed: false)
        }
        if let key { started[key] = Started(chat: outcome.chat.id, fingerprint: wish.fingerprint) }
        return outcome
    }

    private mutating func reopen(
        _ id: ChatID,
        for wish: ChatStart,
        at time: Timestamp,
        _ commit: inout StoreCommit
    ) throws(SharingError) -> ChatStart.Outcome {
        let chat = try log(id).chat
        guard !chat.isPresent(wish.creator) else { return ChatStart.Outcome(chat: chat, existed: true) }
        let floor = try log(id).messages.last?.time
        let decision = ChatRules.rejoin(wish.creator, chat, at: time, notBefore: floor)
        let shares = logs[id]?.append(decision) ?? []
        commit.messages.append(decision.acceptance(shares: shares))
        return ChatStart.Outcome(chat: decision.chat, existed: true)
    }

    mutating func expire(at now: Timestamp, limit: Int) -> Int {
        let expired = logs.values.flatMap { $0.expired(at: now) }
            .sorted { ($0.expires ?? now, $0.id) < ($1.expires ?? now, $1.id) }
            .prefix(max(0, limit))
        for message in expired { logs[message.chat]?.expire(message.logNumber) }
        return expired.count
    }

    /// Everyone's shares.
    var shares: [Share] { logs.values.flatMap { $0.shares.values.joined() } }

    /// Ends the shares that sign-ins of their person fed and that none of the others feeds.
    mutating func endShares(_ end: SignInEnd, _ commit: inout StoreCommit) {
        for chat in end.chats {
            for submission in end.due(among: logs[chat]?.shares[end.user] ?? []) {
                let result = submit(submission, refusal: nil, contacts: [], isClosed: { _ in false })
                if case .success(let acceptance) = result { commit.messages.append(acceptance) }
            }
        }
    }

    /// Notes that a sign-in feeds a share.
    ///
    /// - Returns: Whether the share has the sign-in now.
    /// - Throws: `notSignedIn` if that is new and the sign-in is good no longer.
    mutating func feed(_ share: Share, by source: Int64, isSignedIn: Bool, at now: Timestamp)
        throws(SharingError)
        -> Bool
    {
        var log = logs[share.chat]
        if log?.feed(share, by: source, at: now) ?? false {
            guard isSignedIn else { throw .signInEnded }
            logs[share.chat] = log
        }
        return ShareRules.isFed(share.id, by: source, among: log?.shares[share.user] ?? [])
    }

    mutating func erasePositions(at now: Timestamp, limit: Int) -> Int {
        var left = max(0, limit)
        for chat in logs.keys where left > 0 { left -= logs[chat]?.erasePositions(at: now, limit: left) ?? 0 }
        return max(0, limit) - left
    }

    mutating func eraseShares(at now: Timestamp, limit: Int) -> Int {
        for chat in logs.keys {
            if let count = logs[chat]?.eraseShares(at: now, limit: limit), count > 0 { return count }
        }
        return 0
    }

    mutating func trim(_ chat: ChatID, below number: Int64) throws(SharingError) {
        guard logs[chat] != nil else { throw .unknownChat }
        logs[chat]?.trim(below: number)
    }
}
