#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel

/// Reads a chat's log for one reader, limited to the messages that the reader may read.
///
/// The chat is read first, in one snapshot. Messages are then read up to its last number, which later commits don't change.
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
    func message(_ number: Int64) async throws -> Message {
        let id = Message.ID(chat: chat.id, number: number)
        guard reader.mayRead(number), let message = try await MessageTable.message(id, query) else {
            throw SharingError.unknownMessage(number)
        }
        return shown(message)
    }

    /// The answer to a query.
    func answer(_ asked: MessageQuery) async throws -> MessageAnswer {
        let conditions = MessageConditions(asked.filter)
        var messages = try await asked.latest ? latest(asked) : newest(conditions, of: asked)
        messages = Array(messages.sorted { $0.number > $1.number }.prefix(asked.limit))
        if asked.since > 0 { try await addEmptying(to: &messages, asked) }
        return answer(messages.sorted { $0.number < $1.number }, through: chat.last)
    }

    /// The messages after a number.
    func answer(after since: Int64, _ conditions: MessageConditions, limit: Int) async throws -> MessageAnswer
    {
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
        let conditions = MessageConditions(asked.filter)
        var left = Int64(asked.limit)
        for span in spans(above: asked.since, below: asked.before).reversed() {
            let row = try await rows(conditions.floor, conditions, in: span, limit: Int(left)).first
            left -= row?.int(0) ?? 0
            if left <= 0, let row { return row.int(1) - 1 }
        }
        return asked.since
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
            for (conditions, order) in latestConditions(asked) {
                let messages = try await read(
                    conditions.newest(by: order),
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
    private func latestConditions(_ asked: MessageQuery) -> [(MessageConditions, String)] {
        let filter = MessageFilter(chat: asked.chat, tag: asked.tag, from: asked.from, to: asked.to)
        var kinds: [(MessageConditions, String)] = []
        if asked.tag == nil || asked.tag == .location {
            for isLate in [false, true] {
                var conditions = MessageConditions(filter)
                conditions.add("P", "tag = 'Location' AND data IS NOT NULL")
                let hidden = Parameter.ints(known.hidden.map(\.rawValue))
                conditions.add("H", "(share IS NULL OR share <> ALL(#::bigint[]))", hidden)
                conditions.add("N", "(expires IS NULL OR expires > #)", .int(now.milliseconds))
                conditions.add(isLate ? "L" : "O", "late IS \(isLate ? "NOT NULL" : "NULL")")
                kinds.append((conditions, isLate ? "late DESC, number DESC" : "number DESC"))
            }
        }
        if asked.tag != .location {
            var conditions = MessageConditions(filter)
            conditions.add("Q", "tag <> 'Location'")
            kinds.append((conditions, "number DESC"))
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
