package import YonderGeodesy
package import YonderModel
import YonderRules

/// Starts a chat, or finds the one that the pair or an earlier request with the same key has: the tables `pair` and `started`.
///
/// Each store makes one for each request, calls ``begin(_:)`` once in a transaction, and does the ``Step`` that it returns.
/// A refusal rolls back. If another server started the same at once, ``TableConflict`` has the transaction run again, which
/// then finds that chat: a key starts one chat, and two users have one one-to-one chat, whatever happens. Both must stay
/// (`StoreRule+Chats.swift`).
///
/// Which chats may be started is decided by ``ChatStart/check(contacts:)`` and ``ChatRules``.
package struct ChatStarting: Sendable {
    /// What a store has to do behind ``begin(_:)``.
    package enum Step: Sendable {
        /// Nothing: the chat was made.
        case made(Chat)
        /// Answer the chat that an earlier request with the key started, if its person is in it.
        case earlier(ChatID)
        /// Answer the pair's chat, and let the person in again who left it.
        case pair(ChatID)
    }

    private let wish: ChatStart
    private let time: Timestamp
    private let nextID: @Sendable () -> ChatID

    /// Creates the start of a chat.
    ///
    /// - Parameters:
    ///   - wish: The wanted chat.
    ///   - time: The server's time.
    ///   - nextID: Makes ids for new chats.
    package init(_ wish: ChatStart, at time: Timestamp, nextID: @escaping @Sendable () -> ChatID) {
        self.wish = wish
        self.time = time
        self.nextID = nextID
    }

    /// Makes the chat unless there is one.
    ///
    /// - Throws: ``SharingError`` of the wish, or with code `keyReused`; ``TableConflict``.
    package func begin(_ transaction: any TableTransaction) throws -> Step {
        if let (chat, fingerprint) = try started(transaction) {
            guard fingerprint == wish.fingerprint else { throw SharingError.keyReused }
            return .earlier(chat)
        }
        let contacts = ContactTable.contacts(of: wish.creator, among: wish.invitees)
        try wish.check(contacts: Set(transaction.rows(contacts)))
        if wish.isOneToOne, let pair = try transaction.first(Self.pair(wish.creator, wish.invitees[0])) {
            try keep(pair, transaction)
            return .pair(pair)
        }
        return .made(try make(transaction))
    }

    private func make(_ transaction: any TableTransaction) throws -> Chat {
        let chat = try ChatRules.start(wish, id: nextID(), at: time)
        try transaction.insert(chat)
        try AccountTable.giveHues(to: chat.participants.map(\.user), in: chat.id, transaction)
        if wish.isOneToOne {
            let people = Self.people(wish.creator, wish.invitees[0])
            guard try transaction.execute(Self.pairing, people + [.int(chat.id.rawValue)]) == 1 else {
                throw TableConflict()
            }
        }
        try keep(chat.id, transaction)
        transaction.tell { $0.started.append(chat) }
        return chat
    }

    /// The chat that an earlier request with this key started.
    private func started(_ transaction: any TableTransaction) throws -> (ChatID, fingerprint: Int64)? {
        guard let key = wish.key else { return nil }
        let parameters: [TableValue] = [.int(wish.creator.rawValue), .bytes(Array(key.utf8))]
        return try transaction.rows(Self.earlier, parameters) { row in
            ChatID(row.int(0)).map { ($0, row.int(1)) }
        }.first
    }

    /// Keeps the key of the request.
    private func keep(_ chat: ChatID, _ transaction: any TableTransaction) throws {
        guard let key = wish.key else { return }
        let count = try transaction.execute(
            Self.keeping,
            [
                .int(wish.creator.rawValue), .bytes(Array(key.utf8)), .int(chat.rawValue),
                .int(wish.fingerprint),
            ]
        )
        guard count == 1 else { throw TableConflict() }
    }

    /// The one-to-one chat of two users.
    static func pair(_ one: UserID, _ other: UserID) -> TableQuery<ChatID> {
        TableQuery(pairsChat, people(one, other)) { ChatID($0.int(0)) }
    }

    private static func people(_ one: UserID, _ other: UserID) -> [TableValue] {
        ContactTable.pair(min(one, other), max(one, other))
    }

    private static let pairsChat: TableStatement = "SELECT chat FROM pair WHERE one = $1 AND other = $2"

    private static let pairing: TableStatement = """
        INSERT INTO pair (one, other, chat) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
        """

    private static let earlier: TableStatement = """
        SELECT chat, fingerprint FROM started WHERE creator = $1 AND key = $2
        """

    private static let keeping: TableStatement = """
        INSERT INTO started (creator, key, chat, fingerprint) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
        """
}

/// Another process did the same at the same time: the transaction is run again, and finds that.
package struct TableConflict: Error {
    /// Creates the error.
    package init() {}
}
