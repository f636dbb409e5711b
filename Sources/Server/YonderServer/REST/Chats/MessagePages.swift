import Hummingbird
import NIOCore
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderREST
import YonderWire
import YonderJSON

/// The answer to a query of a chat's messages, read and written in pages so that a long one needs little
/// memory.
///
/// The first page is read before the answer begins, so that a refusal has its status; a later one that can't be read cuts the
/// answer off, which the client notices by its form; so does the end of the reader's right. Each page waits for its turn among
/// the reads of the exchange, and is written in parts, as a client may read one for hours. Where the next answer begins is a
/// part of REST (`Documentation/rest.md`).
struct MessagePages: Sendable {
    /// The end from which a limited answer is filled.
    enum Direction: Sendable {
        /// The oldest messages above `since`, as on the stream; `next` continues.
        case forward
        /// The newest messages; `previous` continues.
        case backward
    }

    private static let pageLimit = 1_000

    /// How many bytes are written at once.
    private static let partLimit = 65_536

    let chats: any ChatStore
    let exchange: Exchange
    let query: MessageQuery
    let direction: Direction
    let reader: UserID
    let now: Timestamp

    /// The reader's right, which may end while a long answer is written.
    let right: OngoingRight

    /// The messages, oldest first, and where the next answer begins.
    ///
    /// With `latest`, the newest message of each sender.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unavailable`.
    func answer() async throws(SharingError) -> RESTAnswer {
        guard !query.latest else {
            let answer = try await read { () async throws(SharingError) in
                try await chats.messages(query, reader: reader, now: now)
            }
            var text = JSONWriter()
            text.raw("{\"messages\":")
            text.list(answer.messages) { $0.object($1) }
            text.end(first: answer.first, through: min(answer.through, lastWanted), last: answer.last)
            return whole(text)
        }
        let page = try await first()
        var progress = Progress(query, direction, page, lastWanted: lastWanted)
        var text = JSONWriter(capacity: 64 * 1024)
        text.raw("{\"messages\":[")
        progress.take(page, to: &text)
        guard !progress.isDone else {
            progress.end(&text)
            return whole(text)
        }
        return .json(streamed: stream(progress, text))
    }

    /// The highest number that the answer may contain.
    private var lastWanted: Int64 { query.before.map { $0 - 1 } ?? .max }

    private func first() async throws(SharingError) -> MessageAnswer {
        switch direction {
        case .forward: try await page(after: query.since, atMost: query.limit)
        case .backward:
            try await read { () async throws(SharingError) in
                try await chats.messages(newest: query, limit: Self.pageLimit, reader: reader, now: now)
            }
        }
    }

    private func page(after since: Int64, atMost limit: Int) async throws(SharingError) -> MessageAnswer {
        let limit = min(limit, Self.pageLimit)
        return try await read { () async throws(SharingError) in
            try await chats.messages(after: since, query.filter, limit: limit, reader: reader, now: now)
        }
    }

    /// Reads a page when it is the reader's turn.
    private func read(_ ask: @escaping @Sendable () async throws(SharingError) -> MessageAnswer)
        async throws(SharingError) -> MessageAnswer
    {
        try await exchange.read(for: reader, ask)
    }

    /// The answer that has this text alone.
    private func whole(_ text: JSONWriter) -> RESTAnswer {
        guard text.bytes.count > Self.partLimit else { return .json(text) }
        let body = ResponseBody(contentLength: text.bytes.count) { [right] writer in
            var right = right
            try await Self.write(text, to: &writer, by: &right)
            try await writer.finish(nil)
        }
        return .json(streamed: body)
    }

    /// Writes a page in parts, before each of which the right is judged if that is due.
    @concurrent private static func write(
        _ text: JSONWriter,
        to writer: inout any ResponseBodyWriter,
        by right: inout OngoingRight
    ) async throws {
        var rest = ByteBuffer(bytes: text.bytes)
        while let part = rest.readSlice(length: min(partLimit, rest.readableBytes)), part.readableBytes > 0 {
            try await right.judgeIfDue()
            try await writer.write(part)
        }
    }

    private func stream(_ progress: Progress, _ text: JSONWriter) -> ResponseBody {
        ResponseBody { writer in
            var (progress, text, right) = (progress, text, right)
            while !progress.isDone {
                try await Self.write(text, to: &writer, by: &right)
                text.removeAll()
                try await right.judge()
                progress.take(try await page(after: progress.through, atMost: progress.room), to: &text)
            }
            progress.end(&text)
            try await Self.write(text, to: &writer, by: &right)
            try await writer.finish(nil)
        }
    }
}

/// The progress of an answer.
private struct Progress: Sendable {
    /// Every match up to this number is written, or was cut off at the front.
    private(set) var through: Int64

    /// The number of further messages that fit.
    var room: Int { direction == .forward ? query.limit - written : .max }

    private let query: MessageQuery
    private let direction: MessagePages.Direction
    private let first: Int64
    private let last: Int64

    /// The last number that the answer may contain: messages sent while it is written belong to the next.
    private let end: Int64
    private var written = 0

    /// The number of messages that meet the conditions; in a backward answer, each `Recall` is added without
    /// being counted.
    private var selected = 0
    private var lowest: Int64?

    init(
        _ query: MessageQuery,
        _ direction: MessagePages.Direction,
        _ page: MessageAnswer,
        lastWanted: Int64
    ) {
        (self.query, self.direction) = (query, direction)
        (first, last, end) = (page.first, page.last, min(lastWanted, page.last))
        through = query.since
    }

    var isDone: Bool { through >= end || room <= 0 }

    /// Writes the messages of the next page.
    mutating func take(_ page: MessageAnswer, to text: inout JSONWriter) {
        through = min(max(page.through, through), end)
        for message in page.messages {
            guard let number = message.number, number <= end else { continue }
            let isSelected = query.filter.selects(message)
            guard isSelected || direction == .forward || message.tag == .recall else { continue }
            if written > 0 { text.raw(",") }
            text.object(message)
            written += 1
            if isSelected { selected += 1 }
            lowest = lowest ?? number
        }
    }

    /// Ends the answer.
    func end(_ text: inout JSONWriter) {
        text.raw("]")
        switch direction {
        case .forward:
            if through < end { text.optional(",\"next\":", through) }
        case .backward:
            if let lowest, selected >= query.limit, lowest > max(first, query.since + 1) {
                text.optional(",\"previous\":", lowest)
            }
        }
        text.end(first: first, through: through, last: last)
    }
}

extension JSONWriter {
    fileprivate mutating func end(first: Int64, through: Int64, last: Int64) {
        raw(",\"first\":")
        integer(first)
        raw(",\"through\":")
        integer(through)
        raw(",\"last\":")
        integer(last)
        raw("}")
    }
}
