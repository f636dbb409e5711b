package import YonderGeodesy
package import YonderModel

// What every store does alike, so that two answers differ in nothing: orders of lists, limits of pages and of what a user
// may have. Each store calls these, and so does `MemoryStore`; the suite in `TestSupport/Stores` compares them. None of them
// fails. A rule that one store alone needs belongs into that store. The orders must stay: a list's next page begins where
// the last one ended.

// `StoreRule+Reading.swift` and `StoreRule+People.swift` compare them; a limit that `Documentation/rest.md` names must
// be changed there, too.
extension User {
    /// The order of lists of users: by name, then by id.
    package static func isListedBefore(_ left: User, _ right: User) -> Bool {
        (left.name, left.id) < (right.name, right.id)
    }
}

extension Credential {
    /// How many a user may have.
    package static let limit = 1_000

    /// The order of lists of credentials: newest first, then by hash.
    package static func isListedBefore(_ left: Credential, _ right: Credential) -> Bool {
        guard left.created == right.created else { return left.created > right.created }
        return left.secret.bytes.lexicographicallyPrecedes(right.secret.bytes)
    }
}

extension Invitation {
    /// How many open ones a user may have.
    package static let openLimit = 100
}

extension Message {
    /// The message as readers see it at `now`: without content if it has expired.
    package func shown(at now: Timestamp) -> Message {
        isExpired(at: now) ? emptied(recalled: false) : self
    }

    /// The same, and also without content if it is a position of an expiring share that has ended.
    package func shown(at now: Timestamp, _ shares: [UserID: [Share]]) -> Message {
        guard let share, let known = shares[sender]?.first(where: { $0.id == share }),
            !known.isReadable(at: now)
        else { return shown(at: now) }
        return emptied(recalled: false)
    }
}

extension Participant {
    /// The first number of a chat that they may read now, where `first` is the first that is kept.
    package func firstReadable(from first: Int64) -> Int64 {
        let span = readable.first { ($0.last ?? .max) >= first }
        return max(first, span?.first ?? first)
    }
}

extension MessageAnswer {
    /// Creates the answer to a reader of a chat.
    package init(_ messages: some Sequence<Message>, of chat: Chat, reader: Participant, through: Int64) {
        self.init(
            messages: Array(messages),
            first: reader.firstReadable(from: chat.first),
            through: through,
            last: chat.last
        )
    }
}

/// Messages of one answer, bounded in number and in bytes: a store appends until the page is full.
package struct MessagePage {
    /// The messages so far, in the order in which they were appended.
    package private(set) var messages: [Message] = []
    private var bytes = 0
    private let limit: Int

    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// How many may follow.
    package var room: Int { limit - messages.count }

    /// Whether the number or 256 KiB of content and data are reached.
    package var isFull: Bool { room == 0 || bytes >= 262_144 }

    package mutating func append(_ message: Message) {
        messages.append(message)
        bytes += message.content.utf8.count + (message.data?.bytes.count ?? 0)
    }
}
