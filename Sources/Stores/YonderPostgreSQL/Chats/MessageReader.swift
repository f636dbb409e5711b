#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// Reads a chat's log for one reader, limited to the messages that the reader may read.
///
/// The chat is read first, in one snapshot. Messages are then read up to its last number, which later commits don't change.
///
/// The store's port (`PostgreSQLStore+Chats.swift`) makes one for each question, on a reader, and asks it once. A refusal is
/// the ``SharingError`` of `ChatRules.present`; what the query throws is passed on. Which messages match is decided by
/// `MessageQuery` and `MessageFilter`, what a reader sees of one by `Message.shown(at:)`, for SQLite, too; the statements
/// are in `MessageConditions`. That nobody reads outside their spans is held by the suite in `TestSupport/Stores`, the cost
/// by `StatementCostTests`.
///
/// Must stay: up to which number a read goes, and the spans. `mostTags` may be changed.
struct MessageReader {
    private let known: ChatTable.Known
    private let reader: Participant
    private let now: Timestamp
    private let query: Query

    private var chat: Chat { known.chat }

    /// Reads the chat.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` or `notParticipant`.
    init(_ chat: ChatID, reader: UserID, now: Timestamp, _ query: @escaping Query) async throws {
        (known, self.reader) = try await ChatTable.known(chat, readBy: reader, at: now, query)
        self.now = now
        self.query = query
    }

    private func shown(_ message: Message) -> Message {
        message.share.map(known.hidden.contains) ?? false
            ? message.emptied(recalled: false) : message.shown(at: now)
    }

    /// One message.
    func message(_ id: Message.ID) async throws -> Message {
        guard let number = id.number, reader.mayRead(number),
            let message = try await MessageTable.message(id, query)
        else {
            throw SharingError.unknownMessage(id.number)
        }
        return shown(message)
    }

    /// The answer to a query.
    func answer(_ asked: MessageQuery) async throws -> MessageAnswer {
        var messages =
            try await asked.latest ? latest(asked) : newest(conditions(asked.filter), of: asked)
        messages = Array(messages.sorted { $0.id > $1.id }.prefix(asked.limit))
        if asked.since > 0 { try await addEmptying(to: &messages, asked) }
        return answer(messages.sorted { $0.id < $1.id }, through: chat.last)
    }

    /// The messages after a number that meet the conditions, and all with one of the other tags.
    func answer(after since: Int64, _ filter: MessageFilter, or others: [MessageTag], limit: Int)
        async throws -> MessageAnswer
    {
        let conditions = try await conditions(filter, or: others)
        var page = MessagePage(limit: limit)
        for span in spans(above: since) {
            try await fill(&page, conditions, in: span)
        }
        return answer(
            page.messages,
            through: page.isFull ? page.messages.last?.number ?? chat.last : chat.last
        )
    }

    /// Reads a hundred at a time, as few long messages fill a page.
    private func fill(_ page: inout MessagePage, _ conditions: MessageConditions, in span: ClosedRange<Int64>)
        async throws
    {
        var first = span.lowerBound
        while !page.isFull, first <= span.upperBound {
            let limit = min(page.room, 100)
            let statement = conditions.messages(isAscending: true)
            let rows = try await rows(statement, conditions, in: first...span.upperBound, limit: limit)
            for row in rows where !page.isFull {
                guard let message = MessageTable.message(row, chat: chat.id) else { continue }
                page.append(shown(message))
            }
            guard rows.count == limit, let last = rows.last?.int(0) else { return }
            first = last + 1
        }
    }

    /// The number above which the newest matches of a query begin.
    func floor(of asked: MessageQuery) async throws -> Int64 {
        let conditions = try await conditions(asked.filter)
        var left = Int64(asked.limit)
        for span in spans(above: asked.since, below: asked.before).reversed() {
            let row = try await rows(conditions.floor, conditions, in: span, limit: Int(left)).first
            left -= row?.int(0) ?? 0
            if left <= 0, let row { return row.int(1) - 1 }
        }
        return asked.since
    }

    /// The most tags that one statement goes through, each by the index: no app of today has more.
    private static let mostTags = 64

    /// The conditions of a filter.
    ///
    /// Those of a sender alone name the tags that the sender ever used, as the index has them by tag.
    private func conditions(_ filter: MessageFilter, or others: [MessageTag] = []) async throws
        -> MessageConditions
    {
        var used: [MessageTag]?
        if filter.tag == nil, let sender = filter.sender {
            let parameters: [Parameter] = [
                .int(chat.id.rawValue), .int(sender.rawValue), .int(Int64(Self.mostTags + 1)),
            ]
            let tags = try await query(MessageConditions.tagsOfSender, parameters)
                .compactMap { MessageTag($0.text(0)) }
            used = tags.count > Self.mostTags ? nil : tags
        }
        return MessageConditions(filter, used: used, or: others, numbers: try await numbers(of: filter))
    }

    /// The numbers among which all messages of a filter's times are; `nil` for a filter without times.
    private func numbers(of filter: MessageFilter) async throws -> Range<Int64>? {
        guard filter.from != nil || filter.to != nil else { return nil }
        let stepBack = try await ChatTable.stepBack(of: chat.id, query)
        let window = TimeWindow(from: filter.from, to: filter.to, stepBack: stepBack)
        return try await MessageTable.numbers(of: window, in: chat, query)
    }

    private func answer(_ messages: [Message], through: Int64) -> MessageAnswer {
        MessageAnswer(messages, of: chat, reader: reader, through: through)
    }

    /// The newest messages that meet the conditions, newest first.
    private func newest(_ conditions: MessageConditions, of asked: MessageQuery) async throws -> [Message] {
        var messages: [Message] = []
        for span in spans(above: asked.since, below: asked.before).reversed()
        where messages.count < asked.limit {
            let statement = conditions.messages(isAscending: false)
            messages += try await read(statement, conditions, in: span, limit: asked.limit - messages.count)
        }
        return messages
    }

    /// The newest message of each sender: a look-up for each, however long the log is.
    private func latest(_ asked: MessageQuery) async throws -> [Message] {
        var people = asked.sender.map { [$0] } ?? []
        if asked.sender == nil { people = try await ChatTable.people(in: chat.id, query) }
        var found: [UserID: Message] = [:]
        for span in spans(above: asked.since, below: asked.before) {
            for (conditions, statement) in try await latestConditions(asked) {
                let messages = try await read(
                    statement,
                    conditions,
                    in: span,
                    limit: 1,
                    [.ints(people.map(\.rawValue))]
                )
                for message in messages where found[message.sender].map({ message.isNewer(than: $0) }) ?? true
                {
                    found[message.sender] = message
                }
            }
        }
        return Array(found.values)
    }

    /// The conditions whose newest are compared: positions on time, late ones, and other messages.
    private func latestConditions(_ asked: MessageQuery) async throws -> [(MessageConditions, Statement)] {
        let filter = MessageFilter(chat: asked.chat, tag: asked.tag, from: asked.from, to: asked.to)
        let numbers = try await numbers(of: filter)
        var kinds: [(MessageConditions, Statement)] = []
        if asked.tag == nil || asked.tag == .location {
            for isLate in [false, true] {
                var conditions = MessageConditions(filter, numbers: numbers)
                conditions.add("P", "tag = 'Location' AND data IS NOT NULL")
                let hidden = Parameter.ints(known.hidden.map(\.rawValue))
                conditions.add("H", "(share IS NULL OR share <> ALL(#::bigint[]))", hidden)
                conditions.add("N", "(expires IS NULL OR expires > #)", .int(now.milliseconds))
                conditions.add(isLate ? "L" : "O", "late IS \(isLate ? "NOT NULL" : "NULL")")
                let order = isLate ? "late DESC, number DESC" : "number DESC"
                kinds.append((conditions, conditions.newest(by: order)))
            }
        }
        if let tag = asked.tag, tag != .location {
            let conditions = MessageConditions(filter, numbers: numbers)
            kinds.append((conditions, conditions.newest(by: "number DESC")))
        } else if asked.tag == nil {
            var conditions = MessageConditions(filter, numbers: numbers)
            conditions.add("Q", "tag <> 'Location'")
            kinds.append((conditions, conditions.newestOfTags))
        }
        return kinds
    }

    /// Adds what can empty others above a resuming query's `since`, as the client may have the emptied messages.
    private func addEmptying(to messages: inout [Message], _ asked: MessageQuery) async throws {
        let known = Set(messages.map(\.number))
        for tag in asked.filter.emptying {
            let conditions = MessageConditions(MessageFilter(chat: chat.id, tag: tag))
            messages += try await newest(conditions, of: asked).filter { !known.contains($0.number) }
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

    private func read(
        _ statement: Statement,
        _ conditions: MessageConditions,
        in span: ClosedRange<Int64>,
        limit: Int,
        _ more: [Parameter] = []
    ) async throws -> [Message] {
        try await rows(statement, conditions, in: span, limit: limit, more)
            .compactMap { MessageTable.message($0, chat: chat.id).map(shown) }
    }

    private func rows(
        _ statement: Statement,
        _ conditions: MessageConditions,
        in span: ClosedRange<Int64>,
        limit: Int,
        _ more: [Parameter] = []
    ) async throws -> [Row] {
        let common: [Parameter] = [
            .int(chat.id.rawValue), .int(span.lowerBound), .int(span.upperBound), .int(Int64(limit)),
        ]
        return try await query(statement, common + conditions.parameters + more)
    }
}
#endif
