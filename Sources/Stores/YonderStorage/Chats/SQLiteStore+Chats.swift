package import YonderGeodesy
package import YonderModel
package import YonderRules
import YonderSQLite
import YonderTables

// The functions of the port `ChatStore`, called by the hub, endpoints and upkeep on any thread. Writes go by
// ``SQLiteStore/write(isErasing:_:)`` or the queue of submissions, reads by ``SQLiteStore/read(_:isLong:_:)``, which
// first moves the chats' recent messages; decisions are in `ChatRules`, statements in the files `…Row.swift`. Errors are
// the port's.
//
// What erases content must be written as erasing, so that a full disk doesn't refuse it, and must call `noteErasure()`
// (decision 15). The conformance suite in `TestSupport/Stores` holds every function.
extension SQLiteStore: ChatStore, CommitSource {
    /// See ``ChatStore/start(_:at:under:)``.
    package func start(_ wish: ChatStart, at time: Timestamp, under warrant: Warrant)
        async throws(SharingError) -> ChatStart.Outcome
    {
        try await write { [nextChatID] database, writer in
            try WarrantTable.judge(warrant, SQLiteTransaction(database))
            return try writer.start(wish, at: time, nextID: nextChatID, in: database)
        }
    }

    /// See ``ChatStore/chat(_:)``.
    package func chat(_ id: ChatID) async throws(SharingError) -> Chat {
        try await read([id]) { try ChatRow.chat(id, in: $0) }
    }

    /// See ``ChatStore/chats(of:after:limit:)``.
    package func chats(
        of user: UserID,
        after place: ChatPlace?,
        limit: Int
    ) async throws(SharingError) -> [Chat] {
        let ids = try await file.read { try ChatRow.ids(of: user, in: $0) }
        return try await read(ids) { try ChatRow.chats(of: user, after: place, limit: limit, in: $0) }
    }

    /// See ``ChatStore/lastNumbers(of:)``.
    package func lastNumbers(of user: UserID) async throws(SharingError) -> [ChatID: Int64] {
        let ids = try await file.read { try ChatRow.ids(of: user, in: $0) }
        return try await read(ids) { try ChatRow.lastNumbers(of: user, in: $0) }
    }

    /// See ``ChatStore/meets(_:_:_:)``.
    package func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting) async throws(SharingError)
        -> Bool
    {
        try await file.read { try ChatRow.meets(reader, other, meeting, in: $0) }
    }

    /// See ``ChatStore/groups(of:ownedBy:limit:)``.
    package func groups(of user: UserID, ownedBy owner: UserID, limit: Int) async throws(SharingError)
        -> [ChatID]
    {
        try await file.read { try ChatRow.groups(of: user, ownedBy: owner, limit: limit, in: $0) }
    }

    /// See ``ChatStore/leftGroups(of:limit:)``.
    package func leftGroups(of user: UserID, limit: Int) async throws(SharingError) -> [LeftGroup] {
        try await file.read { try ChatRow.left(by: user, limit: limit, in: $0) }
    }

    /// See ``ChatStore/stopStayingOut(of:by:under:)``.
    package func stopStayingOut(of chat: ChatID, by user: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try await write { database, writer in
            try WarrantTable.judge(warrant, SQLiteTransaction(database))
            try writer.stopStayingOut(of: chat, by: user, in: database)
        }
    }

    /// See ``ChatStore/readings(of:for:now:)``.
    package func readings(
        of chats: [Chat],
        for reader: UserID?,
        now: Timestamp
    ) async throws(SharingError) -> [ChatID: ChatReading] {
        try await read(chats.map(\.id)) {
            try ReadingRow.readings(of: chats, for: reader, now: now, $0)
        }
    }

    /// See ``ChatStore/messages(_:reader:now:)``.
    package func messages(
        _ query: MessageQuery,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try await read([query.chat], isLong: true) {
            try MessageReader(query.chat, reader: reader, now: now, in: $0).answer(query)
        }
    }

    /// See ``ChatStore/messages(newest:limit:reader:now:)``.
    package func messages(
        newest query: MessageQuery,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try await read([query.chat], isLong: true) { database in
            let messages = try MessageReader(query.chat, reader: reader, now: now, in: database)
            let floor = try messages.floor(of: query)
            return try messages.answer(after: floor, query.filter, or: query.emptying, limit: limit)
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
        try await read([filter.chat], isLong: true) { database in
            try MessageReader(filter.chat, reader: reader, now: now, in: database)
                .answer(after: since, filter, or: filter.emptying, limit: limit)
        }
    }

    /// See ``ChatStore/message(_:reader:now:)``.
    package func message(
        _ id: Message.ID,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> Message {
        try await read([id.chat]) {
            try MessageReader(id.chat, reader: reader, now: now, in: $0).message(id)
        }
    }

    /// See ``ChatStore/lastLocations(in:of:now:)``.
    package func lastLocations(
        in chat: ChatID,
        of users: Set<UserID>?,
        now: Timestamp
    ) async throws(SharingError) -> LastLocations {
        try await read([chat], isLong: true) { database in
            let chat = try ChatRow.chat(chat, in: database)
            let present = chat.participants.lazy.filter(\.isPresent).map(\.user)
            let hidden = try SQLiteTransaction(database).hiddenShares(of: chat.id, at: now)
            let messages = try present.filter { users?.contains($0) ?? true }.compactMap { user in
                try MessageRow.lastLocation(of: user, in: chat.id, hidden: hidden, now: now, database)
            }
            return LastLocations(chat: chat, messages: messages)
        }
    }

    /// See ``ChatStore/expire(at:limit:)``.
    @discardableResult
    package func expire(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        let count = try await write(isErasing: true) { database, writer in
            try writer.settleExpiring(in: database)
            return try MessageRow.expire(at: now, limit: limit, in: database)
        }
        if count > 0 { noteErasure() }
        return count
    }

    /// See ``ChatStore/erasePositions(at:limit:)``.
    @discardableResult
    package func erasePositions(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        let count = try await write(isErasing: true) { database, writer in
            try writer.erasePositions(at: now, limit: max(0, limit), in: database)
        }
        if count > 0 { noteErasure() }
        return count
    }

    /// See ``ChatStore/trim(_:below:)``.
    ///
    /// In transactions of 1 000 messages, so that other writes needn't wait for all of them.
    package func trim(_ chat: ChatID, below number: Int64) async throws(SharingError) {
        while try await erase({ try $1.trim(chat, below: number, limit: 1_000, in: $0) }) {}
    }
}
