import GRDB
import YonderGeodesy
import YonderModel
import YonderSQLite

/// Reads a chat's log for one reader, in one snapshot, limited to the messages that the reader may read.
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
        hidden = try ShareRow.hidden(of: chat, at: now, in: database)
    }

    private func shown(_ message: Message) -> Message {
        message.share.map(hidden.contains) ?? false
            ? message.emptied(recalled: false) : message.shown(at: now)
    }

    /// One message.
    func message(_ number: Int64) throws -> Message {
        let id = Message.ID(chat: chat.id, number: number)
        guard reader.mayRead(number), let message = try MessageRow.message(id, in: database) else {
            throw SharingError.unknownMessage(number)
        }
        return shown(message)
    }

    /// The answer to a query.
    func answer(_ query: MessageQuery) throws -> MessageAnswer {
        var messages =
            try query.latest
            ? latest(query) : newest(Conditions(query.filter), of: query, limit: query.limit)
        if query.since > 0 { try addRecalls(to: &messages, query) }
        messages.sort { $0.number > $1.number }
        return answer(messages.prefix(query.limit).reversed(), through: chat.last)
    }

    /// The messages after a number.
    func answer(after since: Int64, _ filter: MessageFilter, limit: Int) throws -> MessageAnswer {
        let conditions = Conditions(filter, orRecall: true)
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
        let conditions = Conditions(query.filter)
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
    private func newest(_ conditions: Conditions, of query: MessageQuery, limit: Int) throws -> [Message] {
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
        for sender in try query.sender.map({ [$0] }) ?? senders() {
            var newest: Message?
            for tag in try query.tag.map({ [$0] }) ?? tags(of: sender) {
                var conditions = Conditions(query.filter)
                (conditions.sender, conditions.tag) = (sender, tag)
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

    /// The newest `Location` of a sender that is left: see ``MessageRow/lastLocation(of:in:now:_:)``.
    private func newestLocation(_ conditions: Conditions, of query: MessageQuery) throws -> Message? {
        var conditions = conditions
        conditions.remaining = .onTime
        var found = try newest(conditions, of: query, limit: 1)
        conditions.remaining = .late
        for span in spans(above: query.since, below: query.before) {
            try prepare(conditions, in: span, isAscending: false, limit: 1).forEachRow { row in
                found.append(try shown(MessageRow.message(row, chat: chat.id)))
            }
        }
        return found.max { $1.isNewer(than: $0) }
    }

    /// Adds every `Recall` above a resuming query's `since`, as the client may have the recalled messages.
    private func addRecalls(to messages: inout [Message], _ query: MessageQuery) throws {
        let known = Set(messages.map(\.number))
        let recalls = Conditions(MessageFilter(chat: chat.id, tag: .recall))
        messages += try newest(recalls, of: query, limit: query.limit)
            .filter { !known.contains($0.number) }
    }

    private func senders() throws -> [UserID] {
        let statement = try RawStatement(database, "SELECT user FROM participant WHERE chat = ?")
        statement.bind(chat.id.rawValue, at: 1)
        var senders: [UserID] = []
        try statement.forEachRow { row in
            if let sender = UserID(row.integer(0)) { senders.append(sender) }
        }
        return senders
    }

    /// The tags that a sender ever used: one index step for each.
    private func tags(of sender: UserID) throws -> [MessageTag] {
        let statement = try RawStatement(
            database,
            "SELECT tag FROM message WHERE chat = ? AND sender = ? AND tag > ? ORDER BY tag LIMIT 1"
        )
        var tags: [MessageTag] = []
        while true {
            statement.bind(chat.id.rawValue, at: 1)
            statement.bind(sender.rawValue, at: 2)
            statement.bind(text: tags.last?.rawValue ?? "", at: 3)
            guard let tag = try statement.first({ MessageTag($0.string(0)) }), let tag else { return tags }
            tags.append(tag)
        }
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
        _ conditions: Conditions,
        in span: ClosedRange<Int64>,
        isAscending: Bool,
        limit: Int64,
        _ wrap: (String) -> String = { $0 }
    ) throws -> RawStatement {
        let sql = conditions.sql(isAscending: isAscending, in: database)
        let statement = try RawStatement(database, wrap(sql))
        statement.bind(chat.id.rawValue, at: 1)
        statement.bind(span.lowerBound, at: 2)
        statement.bind(span.upperBound, at: 3)
        statement.bind(limit, at: 4)
        conditions.bind(to: statement)
        if conditions.remaining != nil { statement.bind(now.milliseconds, at: 9) }
        return statement
    }
}

/// Conditions as SQL: one text for each set of conditions, so that its statement is prepared once.
private struct Conditions {
    var tag: MessageTag?
    var sender: UserID?
    let from: Timestamp?
    let to: Timestamp?
    /// Whether every `Recall` matches, too.
    let orRecall: Bool

    /// Selects positions that are neither recalled nor expired; `nil` selects any message.
    var remaining: Remaining?

    enum Remaining {
        /// The positions that arrived in the order of their times.
        case onTime
        /// The positions that arrived late, newest first.
        case late
    }

    init(_ filter: MessageFilter, orRecall: Bool = false) {
        tag = filter.tag
        sender = filter.sender
        from = filter.from
        to = filter.to
        self.orRecall = orRecall
    }

    func sql(isAscending: Bool, in database: Database) -> String {
        var terms: [String] = []
        if tag != nil { terms.append("tag = ?5") }
        if sender != nil { terms.append("sender = ?6") }
        if from != nil { terms.append("time >= ?7") }
        if to != nil { terms.append("time < ?8") }
        if let remaining {
            terms.append("late IS \(remaining == .late ? "NOT NULL" : "NULL")")
            terms.append("NOT isRecalled AND (expires IS NULL OR expires > ?9)")
        }
        var condition = terms.joined(separator: " AND ")
        // Ordered by number, because an answer after a number is mostly short: otherwise the indexes would
        // have to be merged.
        if orRecall, !terms.isEmpty { condition = "(tag = 'Recall' OR (\(condition)))" }
        return """
            SELECT \(MessageRow.columns) FROM message
            \(remaining == .late ? MessageRow.byLateness(in: database) : "") WHERE chat = ?1 AND number BETWEEN ?2 AND ?3
            \(terms.isEmpty ? "" : "AND \(condition)")
            ORDER BY \(remaining == .late ? "late DESC," : "") number \(isAscending ? "ASC" : "DESC") LIMIT ?4
            """
    }

    func bind(to statement: RawStatement) {
        if let tag { statement.bind(text: tag.rawValue, at: 5) }
        if let sender { statement.bind(sender.rawValue, at: 6) }
        if let from { statement.bind(from.milliseconds, at: 7) }
        if let to { statement.bind(to.milliseconds, at: 8) }
    }
}
