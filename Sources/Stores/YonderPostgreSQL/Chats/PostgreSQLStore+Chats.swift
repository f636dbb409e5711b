#if Postgres
import YonderLibPQ
package import YonderGeodesy
package import YonderModel
package import YonderRules

// The port `ChatStore`. Submissions and read positions go into the queue of `ChatWriter`; reads go to a reader, each
// question's statements up to the number that the first of them found; rare changes have a transaction of their own. Only
// the choice of these belongs here: statements are in the tables, decisions in `ChatRules`. A read that fails is tried again
// on another reader, and then throws `unavailable`. The suite in `TestSupport/Stores` holds what is answered.
// That the answer of several statements is of one moment must stay: whatever is behind the first number found is left
// out (decision 30).
extension PostgreSQLStore: ChatStore, CommitSource {
    /// See ``ChatStore/submit(_:completion:)``.
    package func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    ) {
        enqueue(WriteRequest(.messages(submissions, completion)))
    }

    /// See ``ChatStore/read(_:completion:)``.
    package func read(
        _ marks: [ReadMark],
        completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
    ) {
        enqueue(WriteRequest(.marks(marks, completion)))
    }

    /// See ``ChatStore/start(_:at:under:)``.
    package func start(_ wish: ChatStart, at time: Timestamp, under warrant: Warrant)
        async throws(SharingError) -> ChatStart.Outcome
    {
        let starting = Starting(wish: wish, time: time, nextID: nextChatID)
        return try await once { transaction in
            try await transaction.judge(warrant)
            return try await starting.perform(transaction)
        }
    }

    /// See ``ChatStore/chat(_:)``.
    package func chat(_ id: ChatID) async throws(SharingError) -> Chat {
        try await answer { try await ChatTable.known(id, $0).chat }
    }

    /// See ``ChatStore/chats(of:after:limit:)``.
    package func chats(of user: UserID, after place: ChatPlace?, limit: Int) async throws(SharingError)
        -> [Chat]
    {
        try await answer { try await ChatTable.chats(of: user, after: place, limit: limit, $0) }
    }

    /// See ``ChatStore/lastNumbers(of:)``.
    package func lastNumbers(of user: UserID) async throws(SharingError) -> [ChatID: Int64] {
        try await answer { try await ChatTable.lastNumbers(of: user, $0) }
    }

    /// See ``ChatStore/meets(_:_:_:)``.
    package func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting) async throws(SharingError)
        -> Bool
    {
        let people: [Parameter] = [.int(reader.rawValue), .int(other.rawValue), .int(meeting.rawValue)]
        return try await answer { try await !$0(ChatTable.meeting, people).isEmpty }
    }

    /// See ``ChatStore/groups(of:ownedBy:limit:)``.
    package func groups(of user: UserID, ownedBy owner: UserID, limit: Int) async throws(SharingError)
        -> [ChatID]
    {
        try await answer { try await ChatTable.groups(of: user, ownedBy: owner, limit: limit, $0) }
    }

    /// See ``ChatStore/leftGroups(of:limit:)``.
    package func leftGroups(of user: UserID, limit: Int) async throws(SharingError) -> [LeftGroup] {
        try await answer { try await ChatTable.left(by: user, limit: limit, $0) }
    }

    /// See ``ChatStore/stopStayingOut(of:by:under:)``.
    package func stopStayingOut(of chat: ChatID, by user: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try await once { transaction in
            try await transaction.judge(warrant)
            try await ChatTable.stopStayingOut(of: chat, by: user, transaction)
        }
    }

    /// See ``ChatStore/readings(of:for:now:)``.
    package func readings(
        of chats: [Chat],
        for reader: UserID?,
        now: Timestamp
    ) async throws(SharingError) -> [ChatID: ChatReading] {
        try await answer { try await ReadingTable.readings(of: chats, for: reader, now: now, $0) }
    }

    /// See ``ChatStore/messages(_:reader:now:)``.
    package func messages(
        _ query: MessageQuery,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try await answer(isLong: true) {
            try await MessageReader(query.chat, reader: reader, now: now, $0).answer(query)
        }
    }

    /// See ``ChatStore/messages(newest:limit:reader:now:)``.
    package func messages(
        newest query: MessageQuery,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try await answer(isLong: true) {
            let messages = try await MessageReader(query.chat, reader: reader, now: now, $0)
            let floor = try await messages.floor(of: query)
            return try await messages.answer(after: floor, query.filter, or: query.emptying, limit: limit)
        }
    }

    /// See ``ChatStore/messages(after:_:limit:reader:now:)``.
    package func messages(
        after since: Int64,
        _ filter: MessageFilter,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try await answer(isLong: true) {
            try await MessageReader(filter.chat, reader: reader, now: now, $0)
                .answer(after: since, filter, or: filter.emptying, limit: limit)
        }
    }

    /// See ``ChatStore/message(_:reader:now:)``.
    package func message(
        _ id: Message.ID,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> Message {
        try await answer { try await MessageReader(id.chat, reader: reader, now: now, $0).message(id) }
    }

    /// See ``ChatStore/lastLocations(in:of:now:)``.
    package func lastLocations(
        in chat: ChatID,
        of users: Set<UserID>?,
        now: Timestamp
    ) async throws(SharingError) -> LastLocations {
        try await answer(isLong: true) { query in
            let known = try await ChatTable.known(chat, at: now, query)
            let present = known.chat.participants.filter(\.isPresent).map(\.user)
            let asked = present.filter { users?.contains($0) ?? true }
            let positions = LastPositions(hidden: known.hidden, now: now, query: query)
            let found = try await positions.messages(of: asked.map { Mover(chat: chat, sender: $0) })
            return LastLocations(
                chat: known.chat,
                messages: asked.compactMap { found[Mover(chat: chat, sender: $0)] }
            )
        }
    }

    /// See ``ChatStore/expire(at:limit:)``.
    @discardableResult
    package func expire(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try await transaction(isRepeatable: true) { try await MessageTable.expire(at: now, limit: limit, $0) }
    }

    /// See ``ChatStore/erasePositions(at:limit:)``.
    ///
    /// A transaction for each thousand messages of a chat.
    @discardableResult
    package func erasePositions(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        var (count, behind) = (0, Int64(-1))
        while count < limit {
            let chats = try await answer {
                try await MessageTable.chatsToErase(behind: behind, at: now, $0)
            }
            guard let last = chats.last else { break }
            behind = last.rawValue
            for chat in chats where count < limit {
                count += try await erasePositions(in: chat, at: now, limit: limit - count)
            }
        }
        return count
    }

    private func erasePositions(in chat: ChatID, at now: Timestamp, limit: Int) async throws(SharingError)
        -> Int
    {
        var count = 0
        while count < limit {
            let left = limit - count
            let step = try await transaction(isRepeatable: true) {
                try await MessageTable.erasePositions(in: chat, at: now, limit: left, $0)
            }
            count += step.count
            guard step.hasMore else { break }
        }
        return count
    }

    /// See ``ChatStore/trim(_:below:)``.
    ///
    /// In transactions of 1 000 messages, so that other writes needn't wait for all of them.
    package func trim(_ chat: ChatID, below number: Int64) async throws(SharingError) {
        var isMore = true
        while isMore {
            isMore = try await transaction(isRepeatable: true) {
                try await ChatTable.trim(chat, below: number, limit: 1_000, $0)
            }
        }
    }
}
#endif
