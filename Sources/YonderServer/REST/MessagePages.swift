import Hummingbird
import NIOCore
import YonderGeodesy
import YonderModel
import YonderWire

/// The answer to a query of a chat's messages, read and written in pages so that a long one takes little memory.
struct MessagePages: Sendable {
    /// What an answer to `before` holds at most in `content` and `data`.
    static let byteLimit = 4 * 1024 * 1024

    private static let pageLimit = 1_000

    let chats: any ChatStore
    let query: MessageQuery
    let reader: UserID
    let now: Timestamp

    /// The newest that match.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unavailable`.
    func answer() async throws(SharingError) -> RESTAnswer {
        guard !query.latest else {
            return Self.whole(try await chats.messages(query, reader: reader, now: now))
        }
        let page = try await chats.messages(newest: query, limit: Self.pageLimit, reader: reader, now: now)
        return page.isComplete ? Self.whole(page) : .json(streamed: stream(page))
    }

    /// The newest that match below a number; fewer than asked for if they are long.
    ///
    /// The log is read backward in windows that grow while little in them matches.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unavailable`.
    func answer(before: Int64) async throws(SharingError) -> RESTAnswer {
        var found: [Message] = []
        var bytes = 0
        let newest = try await page(after: Int64.max - 1)
        var end = min(before, newest.last + 1)
        let lowest = max(query.since + 1, newest.first)
        var width = Int64(query.limit)
        while end > lowest, found.count < query.limit, bytes < Self.byteLimit {
            let start = max(lowest, end - width)
            let window = try await messages(from: start, to: end)
            bytes += window.reduce(0) { $0 + $1.content.utf8.count + ($1.data?.bytes.count ?? 0) }
            found = window + found
            end = start
            width = min(width * 2, 10_000)
        }
        let messages = Array(found.suffix(query.limit))
        let answer = MessageAnswer(
            messages: messages,
            first: newest.first,
            through: min(before - 1, newest.last),
            last: newest.last
        )
        return Self.whole(answer)
    }

    private func page(after since: Int64) async throws(SharingError) -> MessageAnswer {
        try await chats.messages(after: since, query.filter, limit: Self.pageLimit, reader: reader, now: now)
    }

    private func messages(from start: Int64, to end: Int64) async throws(SharingError) -> [Message] {
        var messages: [Message] = []
        var since = start - 1
        while since < end - 1 {
            let page = try await page(after: since)
            messages += page.messages.prefix { $0.number < end }
            guard page.through > since, !page.isComplete else { break }
            since = page.through
        }
        return messages
    }

    private func stream(_ first: MessageAnswer) -> ResponseBody {
        ResponseBody { writer in
            var page = first
            var isFirst = true
            try await writer.write(ByteBuffer(string: "{\"messages\":["))
            while true {
                var text = JSONWriter(capacity: 64 * 1024)
                for message in page.messages {
                    if !isFirst { text.raw(",") }
                    isFirst = false
                    text.object(message)
                }
                try await writer.write(ByteBuffer(bytes: text.bytes))
                // What came after the first page was read belongs to the next answer.
                guard page.through < first.last, !page.isComplete else { break }
                page = try await self.page(after: page.through)
            }
            var end = JSONWriter()
            end.end(first: first.first, through: page.through, last: page.last)
            try await writer.write(ByteBuffer(bytes: end.bytes))
            try await writer.finish(nil)
        }
    }

    private static func whole(_ answer: MessageAnswer) -> RESTAnswer {
        .json { writer in
            writer.raw("{\"messages\":[")
            for (index, message) in answer.messages.enumerated() {
                if index > 0 { writer.raw(",") }
                writer.object(message)
            }
            writer.end(first: answer.first, through: answer.through, last: answer.last)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func end(first: Int64, through: Int64, last: Int64) {
        raw("],\"first\":")
        integer(first)
        raw(",\"through\":")
        integer(through)
        raw(",\"last\":")
        integer(last)
        raw("}")
    }
}
