import Synchronization
import YonderGeodesy
package import YonderModel
package import YonderRules

/// People who know each other, and short ways to have them talk.
///
/// Its clock moves a second with each look.
final class StoreTown: Sendable {
    let store: TestedStore
    private let clock = Mutex(Int64(1_700_000_000_000))
    private let keys = Atomic(0)

    init(store: TestedStore) {
        self.store = store
    }

    var now: Timestamp {
        clock.withLock { time in
            time += 1_000
            return Timestamp(milliseconds: time)
        }
    }

    func person(_ name: String, login: String? = nil) async throws -> UserID {
        let user = User(id: .random(), name: name)
        try await store.createAccount(Account(user: user, login: login, created: now))
        return user.id
    }

    /// A credential without an end, with the hash of a number.
    func credential(_ kind: Credential.Kind, of user: UserID, _ number: Int) -> Credential {
        Credential(secret: .made(of: number), kind: kind, user: user, created: now, expires: nil)
    }

    /// So many people, all of them contacts of the first.
    func people(_ count: Int) async throws -> [UserID] {
        var people: [UserID] = []
        for index in 0..<count {
            people.append(try await person("Person \(index)"))
            if index > 0 { try await store.connect(people[0], people[index]) }
        }
        return people
    }

    /// A group of these, owned by the first.
    func group(_ people: [UserID]) async throws -> ChatID {
        let wish = ChatStart(creator: people[0], invitees: Array(people[1...]))
        return try await store.start(wish, at: now).chat.id
    }

    func pair(_ people: [UserID], key: String? = nil) async throws -> ChatStart.Outcome {
        let wish = ChatStart(creator: people[0], invitees: [people[1]], isOneToOne: true, key: key)
        return try await store.start(wish, at: now)
    }

    /// A message, under a new key unless the test says which; a `Location` has a position.
    func submission(
        _ text: String,
        _ sender: UserID,
        _ chat: ChatID,
        key: String? = nil,
        tag: MessageTag = .text
    )
        -> Submission
    {
        let position = MessageData(checked: Array(#"{"latitude":"1","longitude":"2"}"#.utf8))
        let draft = MessageDraft(tag: tag, content: text, data: tag == .location ? position : nil)
        return act(.message(draft), sender, chat, key: key)
    }

    func act(_ action: Submission.Action, _ sender: UserID, _ chat: ChatID, key: String? = nil) -> Submission
    {
        let key = key ?? "key \(keys.add(1, ordering: .relaxed).newValue)"
        return Submission(chat: chat, sender: sender, key: key, action: action, time: now)
    }

    @discardableResult
    func say(_ text: String, _ sender: UserID, _ chat: ChatID, key: String? = nil, tag: MessageTag = .text)
        async throws -> Message
    {
        try await store.submit(submission(text, sender, chat, key: key, tag: tag)).message
    }

    @discardableResult
    func perform(_ action: Submission.Action, _ sender: UserID, _ chat: ChatID, key: String? = nil)
        async throws
        -> Submission.Acceptance
    {
        try await store.submit(act(action, sender, chat, key: key))
    }

    /// What a reader sees of a chat.
    func read(_ chat: ChatID, _ reader: UserID) async throws -> [Message] {
        try await store.messages(MessageQuery(chat: chat), reader: reader, now: now).messages
    }

    func numbers(_ query: MessageQuery, _ reader: UserID) async throws -> [Int64] {
        try await store.messages(query, reader: reader, now: now).messages.map(\.logNumber)
    }
}

extension ChatStore {
    /// The newest of a user's chats; no test has more but those of pages.
    package func chats(of user: UserID) async throws(SharingError) -> [Chat] {
        try await chats(of: user, after: nil, limit: 1_000)
    }
}
