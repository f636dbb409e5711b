package import YonderGeodesy
package import YonderModel
package import YonderRules

/// A store of chats whose reads open chat gates: the reader then receives every later commit, in order.
///
/// For a node of a cluster. A session that shows a chat reads it first, and follows the commits from there. So the chat's
/// gate begins to hold messages before the read, and opens behind the number that was read.
///
/// `Exchange` puts one before its store if it has gates; sessions and the hub's lists then read through it. A read whose
/// gate another read has opened behind a later number is made again. A read that fails throws the store's error, and its
/// gate stays closed. Reads of a single message, of shares and all writes open no gate: nobody follows commits from
/// them.
///
/// That the gate begins to hold messages before the read, not after, must stay: otherwise a commit between the two is
/// lost (decision 32, `NodesTests`). A new function of `ChatStore` is passed on here.
package struct GatedChats: ChatStore {
    private let chats: any ChatStore
    private let gates: ChatGates
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let deliver: @Sendable ([Published]) -> Void

    /// Creates a store over another.
    ///
    /// - Parameters:
    ///   - chats: The store that is read.
    ///   - gates: The gates of this node.
    ///   - uptime: The monotonic time.
    ///   - deliver: Called with the messages that arrived during a read, inside the mutex of the gates.
    package init(
        _ chats: any ChatStore,
        gates: ChatGates,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        deliver: @escaping @Sendable ([Published]) -> Void
    ) {
        self.chats = chats
        self.gates = gates
        self.uptime = uptime
        self.deliver = deliver
    }

    /// Reads a chat with its gate open, again if another read opened the gate behind a later number.
    private func reading<Answer: Sendable>(
        _ chat: ChatID,
        _ read: () async throws(SharingError) -> Answer,
        last: (Answer) -> Int64
    ) async throws(SharingError) -> Answer {
        while true {
            let opening = gates.begin([chat])
            do throws(SharingError) {
                let answer = try await read()
                if gates.end(opening, lasts: [chat: last(answer)], at: uptime(), deliver) { return answer }
            } catch {
                _ = gates.end(opening, lasts: [:], at: uptime(), deliver)
                throw error
            }
        }
    }

    package func chat(_ id: ChatID) async throws(SharingError) -> Chat {
        try await reading(id) { () async throws(SharingError) in
            try await chats.chat(id)
        } last: {
            $0.last
        }
    }

    package func chats(
        of user: UserID,
        after place: ChatPlace?,
        limit: Int
    ) async throws(SharingError) -> [Chat] {
        try await reading { () async throws(SharingError) in
            try await chats.chats(of: user, after: place, limit: limit)
        } lasts: { chats in
            Dictionary(chats.map { ($0.id, $0.last) }) { first, _ in first }
        }
    }

    package func lastNumbers(of user: UserID) async throws(SharingError) -> [ChatID: Int64] {
        try await reading { () async throws(SharingError) in
            try await chats.lastNumbers(of: user)
        } lasts: {
            $0
        }
    }

    /// Reads chats that aren't known before; the gates of those that were closed open around another read.
    private func reading<Answer: Sendable>(
        _ read: () async throws(SharingError) -> Answer,
        lasts: (Answer) -> [ChatID: Int64]
    ) async throws(SharingError) -> Answer {
        var answer = try await read()
        while !gates.wereOpen(lasts(answer)) {
            let opening = gates.begin(Array(lasts(answer).keys))
            do throws(SharingError) {
                answer = try await read()
            } catch {
                _ = gates.end(opening, lasts: [:], at: uptime(), deliver)
                throw error
            }
            _ = gates.end(opening, lasts: lasts(answer), at: uptime(), deliver)
        }
        return answer
    }

    package func messages(_ query: MessageQuery, reader: UserID, now: Timestamp) async throws(SharingError)
        -> MessageAnswer
    {
        try await reading(query.chat) { () async throws(SharingError) in
            try await chats.messages(query, reader: reader, now: now)
        } last: {
            $0.last
        }
    }

    package func messages(
        newest query: MessageQuery,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try await reading(query.chat) { () async throws(SharingError) in
            try await chats.messages(newest: query, limit: limit, reader: reader, now: now)
        } last: {
            $0.last
        }
    }

    package func messages(
        after since: Int64,
        _ filter: MessageFilter,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try await reading(filter.chat) { () async throws(SharingError) in
            try await chats.messages(after: since, filter, limit: limit, reader: reader, now: now)
        } last: {
            $0.last
        }
    }

    package func lastLocations(in chat: ChatID, of users: Set<UserID>?, now: Timestamp)
        async throws(SharingError)
        -> LastLocations
    {
        try await reading(chat) { () async throws(SharingError) in
            try await chats.lastLocations(in: chat, of: users, now: now)
        } last: {
            $0.chat.last
        }
    }

    // MARK: Calls that open no gate

    package func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting) async throws(SharingError)
        -> Bool
    {
        try await chats.meets(reader, other, meeting)
    }

    package func groups(of user: UserID, ownedBy owner: UserID, limit: Int) async throws(SharingError)
        -> [ChatID]
    {
        try await chats.groups(of: user, ownedBy: owner, limit: limit)
    }

    package func leftGroups(of user: UserID, limit: Int) async throws(SharingError) -> [LeftGroup] {
        try await chats.leftGroups(of: user, limit: limit)
    }

    package func stopStayingOut(of chat: ChatID, by user: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try await chats.stopStayingOut(of: chat, by: user, under: warrant)
    }

    package func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    ) {
        chats.submit(submissions, completion: completion)
    }

    package func start(_ wish: ChatStart, at time: Timestamp, under warrant: Warrant)
        async throws(SharingError) -> ChatStart.Outcome
    {
        try await chats.start(wish, at: time, under: warrant)
    }

    package func readings(of chats: [Chat], for reader: UserID?, now: Timestamp) async throws(SharingError)
        -> [ChatID: ChatReading]
    {
        try await self.chats.readings(of: chats, for: reader, now: now)
    }

    package func read(
        _ marks: [ReadMark],
        completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
    ) {
        chats.read(marks, completion: completion)
    }

    package func message(_ id: Message.ID, reader: UserID, now: Timestamp) async throws(SharingError)
        -> Message
    {
        try await chats.message(id, reader: reader, now: now)
    }

    package func expire(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try await chats.expire(at: now, limit: limit)
    }

    package func erasePositions(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try await chats.erasePositions(at: now, limit: limit)
    }

    package func trim(_ chat: ChatID, below number: Int64) async throws(SharingError) {
        try await chats.trim(chat, below: number)
    }

    package func shares() async throws(SharingError) -> [Share] {
        try await chats.shares()
    }

    package func endedShares(among ids: [ShareID]) async throws(SharingError) -> [Share] {
        try await chats.endedShares(among: ids)
    }

    package func feed(_ share: Share, by signIn: SecretHash, at now: Timestamp) async throws(SharingError)
        -> Bool
    {
        try await chats.feed(share, by: signIn, at: now)
    }

    package func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try await chats.eraseShares(at: now, limit: limit)
    }
}
