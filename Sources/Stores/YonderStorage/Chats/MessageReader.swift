import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// Reads a chat's log for one reader, in one snapshot, limited to the messages that the reader may read.
///
/// `SQLiteStore+Chats.swift` makes one for each read of messages, inside the reader's snapshot, and calls one function
/// of it. It throws `unknownChat`, `notParticipant` and `unknownMessage`; another error is the database's. Messages of
/// before the reader came or after they left, and positions of hidden shares, are never returned: this must stay.
///
/// `YonderPostgreSQL` has a reader that must answer alike, which the rules of `StoreRule+Reading.swift` hold for both
/// stores. ``mostTags`` may be changed (`HistoryByTimeTests`, `StatementCostTests`; decision 40).
struct MessageReader {
    private let database: Database
    private let chat: Chat
    private let reader: Participant
    private let now: Timestamp

    /// The shares whose positions can't be read any more.
    private let hidden: Set<ShareID>

    /// - Throws: ``SharingError`` with code `unknownChat` or `notParticipant`.
    init(_ chat: ChatID, reader: UserID, now: Timestamp, in database: Database) throws {
        (self.chat, self.reader) = try ChatRow.chat(chat, readBy: reader, in: database)
        self.database = database
        self.now = now
        hidden = try SQLiteTransaction(database).hiddenShares(of: chat, at: now)
    }

    private func shown(_ message: Message) -> Message {
        isHidden(message) ? message.emptied(recalled: false) : message.shown(at: now)
    }

    private func isHidden(_ message: Message) -> Bool { message.share.map(hidden.contains) ?? false }

    /// One message.
    func message(_ id: Message.ID) throws -> Message {
        guard let number = id.number, reader.mayRead(number),
            let message = try MessageRow.message(id, in: database)
        else {
            throw SharingError.unknownMessage(id.number)
        }
        return shown(message)
    }

    /// The answer to a query.
    func answer(_ query: MessageQuery) throws -> MessageAnswer {
        var messages =
            try query.latest
            ? latest(query) : newest(conditions(query.filter), of: query, limit: query.limit)
        messages = Array(messages.sorted { $0.id > $1.id }.prefix(query.limit))
        if query.since > 0 { try addEmptying(to: &messages, query) }
        return answer(messages.sorted { $0.id < $1.id }, through: chat.last)
    }

    /// The messages after a number that meet the conditions, and all with one of the other tags.
    func answer(after since: Int64, _ filter: MessageFilter, or others: [MessageTag], limit: Int) throws
        -> MessageAnswer
    {
        let conditions = try conditions(filter, or: others)
        var page = MessagePage(limit: limit)
        for span in spans(above: since) where !page.isFull {
            let statement = try prepare(conditions, in: span, isAscending: true, limit: Int64(page.room))
            defer { statement.reset() }
            while !page.isFull, let row = try statement.next() {
                page.append(try shown(MessageRow.message(row, chat: chat.id)))
            }
        }
        return answer(
            page.messages,
            through: page.isFull ? page.messages.last?.number ?? chat.last : chat.last
        )
    }

    /// The number above which the newest matches of a query begin.
    func floor(of query: MessageQuery) throws -> Int64 {
        let conditions = try conditions(query.filter)
        var left = Int64(query.limit)
        for span in spans(above: query.since, below: query.before).reversed() {
            let statement = try prepare(conditions, in: span, isAscending: false, limit: left) {
                "SELECT count(*), min(number) FROM (\($0))"
            }
            let (count, lowest) = try statement.first { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
            left -= count
            if left <= 0 { return lowest - 1 }
        }
        return query.since
    }

    private func answer(_ messages: [Message], through: Int64) -> MessageAnswer {
        MessageAnswer(messages, of: chat, reader: reader, through: through)
    }

    /// The newest messages that meet the conditions, newest first.
    private func newest(_ conditions: MessageConditions, of query: MessageQuery, limit: Int) throws
        -> [Message]
    {
        var messages: [Message] = []
        for span in spans(above: query.since, below: query.before).reversed() where messages.count < limit {
            let limit = Int64(limit - messages.count)
            try prepare(conditions, in: span, isAscending: false, limit: limit).forEachRow { row in
                messages.append(try shown(MessageRow.message(row, chat: chat.id)))
            }
        }
        return messages
    }

    /// The newest message of each sender: one look-up by sender and tag for each, however long the log is.
    private func latest(_ query: MessageQuery) throws -> [Message] {
        var messages: [Message] = []
        let numbers = try numbers(of: query.filter)
        for sender in try query.sender.map({ [$0] }) ?? senders() {
            var newest: Message?
            for tag in try query.tag.map({ [$0] }) ?? tags(of: sender) {
                let conditions = MessageConditions(
                    query.filter,
                    tags: [tag],
                    sender: sender,
                    numbers: numbers
                )
                let found =
                    tag == .location
                    ? try newestLocation(conditions, of: query)
                    : try self.newest(conditions, of: query, limit: 1).first
                if let found, newest.map({ found.isNewer(than: $0) }) ?? true { newest = found }
            }
            if let newest { messages.append(newest) }
        }
        return messages
    }

    /// The newest position of a sender that can be read: see ``MessageRow/lastLocation(of:in:now:_:)``.
    private func newestLocation(_ conditions: MessageConditions, of query: MessageQuery) throws -> Message? {
        var found: [Message] = []
        for remaining in [MessageConditions.Remaining.onTime, .late] {
            var conditions = conditions
            conditions.remaining = remaining
            for span in spans(above: query.since, below: query.before) {
                if let newest = try newestReadable(conditions, in: span) { found.append(newest) }
            }
        }
        return found.max { $1.isNewer(than: $0) }
    }

    /// The first in the conditions' order that isn't of a hidden share: such are erased within a minute.
    private func newestReadable(_ conditions: MessageConditions, in span: ClosedRange<Int64>) throws
        -> Message?
    {
        let any = Int64(-1)
        let limit = hidden.isEmpty ? 1 : any
        let statement = try prepare(conditions, in: span, isAscending: false, limit: limit)
        defer { statement.reset() }
        while let row = try statement.next() {
            let message = try MessageRow.message(row, chat: chat.id)
            if !isHidden(message) { return message }
        }
        return nil
    }

    /// Adds what can empty others above a resuming query's `since`, as the client may have the emptied messages.
    private func addEmptying(to messages: inout [Message], _ query: MessageQuery) throws {
        let known = Set(messages.map(\.number))
        for tag in query.filter.emptying {
            let filter = MessageFilter(chat: chat.id, tag: tag)
            messages += try newest(conditions(filter), of: query, limit: query.limit)
                .filter { !known.contains($0.number) }
        }
    }

    /// The most tags that one statement goes through, each by the index: no app of today has more.
    private static let mostTags = 64

    /// The conditions of a filter.
    ///
    /// Those of a sender alone name the tags that the sender ever used, as the index has them by tag.
    private func conditions(_ filter: MessageFilter, or others: [MessageTag] = []) throws -> MessageConditions
    {
        var tags = filter.tag.map { [$0] }
        if tags == nil, let sender = filter.sender {
            let used = try self.tags(of: sender, limit: Self.mostTags + 1)
            tags = used.count > Self.mostTags ? nil : used
        }
        return MessageConditions(
            filter,
            tags: tags,
            sender: filter.sender,
            or: others,
            numbers: try numbers(of: filter)
        )
    }

    /// The numbers among which all messages of a filter's times are, found by bisection.
    private func numbers(of filter: MessageFilter) throws -> Range<Int64> {
        guard filter.from != nil || filter.to != nil, chat.first <= chat.last else { return 0..<Int64.max }
        let stepBack = try ChatRow.stepBack(of: chat.id, in: database)
        let window = TimeWindow(from: filter.from, to: filter.to, stepBack: stepBack)
        let range = try window.range(in: chat.first...chat.last) { number in
            try MessageRow.time(from: number, of: chat.id, in: database)
        }
        return range.map { $0.lowerBound..<$0.upperBound + 1 } ?? 0..<0
    }

    private func senders() throws -> [UserID] {
        let statement = try Statement(database, "SELECT person FROM participant WHERE chat = ?")
        statement.bind(chat.id.rawValue, at: 1)
        var senders: [UserID] = []
        try statement.forEachRow { row in
            if let sender = UserID(row.integer(0)) { senders.append(sender) }
        }
        return senders
    }

    /// The tags that a sender ever used: one index step for each.
    private func tags(of sender: UserID, limit: Int = .max) throws -> [MessageTag] {
        let index = FrozenReader.owns(database) ? "" : "INDEXED BY messageBySender"
        let statement = try Statement(
            database,
            "SELECT tag FROM message \(index) WHERE chat = ? AND sender = ? AND tag > ? ORDER BY tag LIMIT 1"
        )
        var tags: [MessageTag] = []
        while tags.count < limit {
            statement.bind(chat.id.rawValue, at: 1)
            statement.bind(sender.rawValue, at: 2)
            statement.bind(text: tags.last?.rawValue ?? "", at: 3)
            guard let tag = try statement.first({ MessageTag($0.string(0)) }), let tag else { return tags }
            tags.append(tag)
        }
        return tags
    }

    /// The spans that the reader may read, above one number and below another, lowest first.
    private func spans(above since: Int64, below end: Int64? = nil) -> [ClosedRange<Int64>] {
        reader.readable.compactMap { span in
            let first = max(span.first, since == .max ? .max : since + 1, chat.first)
            let last = min(span.last ?? .max, chat.last, end.map { $0 - 1 } ?? .max)
            return first <= last ? first...last : nil
        }
    }

    private func prepare(
        _ conditions: MessageConditions,
        in span: ClosedRange<Int64>,
        isAscending: Bool,
        limit: Int64,
        _ wrap: (String) -> String = { $0 }
    ) throws -> Statement {
        let sql = conditions.sql(isAscending: isAscending, isIndexed: !FrozenReader.owns(database))
        let statement = try Statement(database, wrap(sql))
        statement.bind(chat.id.rawValue, at: 1)
        statement.bind(limit, at: 4)
        conditions.bind(to: statement, in: span)
        if conditions.remaining != nil { statement.bind(now.milliseconds, at: 8) }
        return statement
    }
}
