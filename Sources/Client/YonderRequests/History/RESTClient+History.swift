import YonderLink
public import YonderGeodesy
public import YonderModel
import YonderWire

// What a chat keeps, read once; `SharingClient.messages(in:)` keeps a list current. `ChatPositions` reads pages with it, and
// apps, from any task. Beside the errors named they throw what every call does (`RESTClient`). An app pages backward with
// ``MessagesPage/previous``, or forward with ``MessagesPage/next``; a message that was recalled meanwhile comes emptied. The
// conditions are REST's parameters (`Documentation/rest.md`, `RESTClientTests`); the byte limit of a page must stay above the
// server's largest. The default of 1 000 may change; a further condition is a property and a parameter.
extension RESTClient {
    /// Messages of a chat that meet all conditions, the oldest first; the newest of them, unless ``MessageConditions/since`` is set.
    ///
    /// - Throws: `unknownChat`; `invalidField` for a limit outside of 1…10 000.
    public func messages(
        in chat: ChatID,
        _ conditions: MessageConditions = MessageConditions()
    ) async throws(SharingError) -> MessagesPage {
        let path = "/v1/chats/\(chat)/messages\(conditions.query.text)"
        let answer = try MessagesAnswer(
            try await answer(to: LinkRequest(.get, path, limit: Self.pageLimit)).body
        )
        return MessagesPage(
            messages: answer.messages,
            first: answer.first,
            through: answer.through,
            last: answer.last,
            next: answer.next,
            previous: answer.previous
        )
    }

    /// One message.
    ///
    /// - Throws: `unknownChat`, `unknownMessage`.
    public func message(_ number: Int64, in chat: ChatID) async throws(SharingError) -> Message {
        let request = LinkRequest(.get, "/v1/chats/\(chat)/messages/\(number)")
        return try MessagesAnswer.message(try await answer(to: request).body)
    }

    /// The most bytes of a page of 10 000 messages.
    private static let pageLimit = 64 << 20
}

/// Which messages of a chat are wanted; only what is set counts.
public struct MessageConditions: Hashable, Sendable {
    /// The tag.
    public var tag: MessageTag?

    /// The sender.
    public var sender: UserID?

    /// Only numbers above this one, the lowest first; every `Recall` above it is among them.
    public var since: Int64?

    /// Only numbers below this one.
    public var before: Int64?

    /// Only messages that the server stored at or after this time.
    public var from: Timestamp?

    /// Only messages that the server stored before this time.
    public var to: Timestamp?

    /// Only the newest of each sender.
    public var isLatest = false

    /// The most messages of an answer, 1…10 000.
    public var limit = 1_000

    /// Creates conditions that every message meets.
    public init() {}

    var query: Query {
        var query = Query()
        query.add("tag", tag?.rawValue)
        query.add("sender", sender)
        query.add("since", since)
        query.add("before", before)
        query.add("from", from?.milliseconds)
        query.add("to", to?.milliseconds)
        if isLatest { query.add("latest", true) }
        query.add("limit", limit)
        return query
    }
}

/// A stretch of a chat's messages.
public struct MessagesPage: Hashable, Sendable {
    /// The messages, the oldest first.
    public let messages: [Message]

    /// The oldest number that the person may read.
    public let first: Int64

    /// Up to where this page reaches.
    public let through: Int64

    /// The chat's last number.
    public let last: Int64

    /// ``MessageConditions/since`` of the next page, or `nil` if there is none.
    public let next: Int64?

    /// ``MessageConditions/before`` of the page in front, or `nil` if there is none.
    public let previous: Int64?
}
