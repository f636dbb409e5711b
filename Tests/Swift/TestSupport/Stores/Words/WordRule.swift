import Testing
import YonderGeodesy
import YonderModel
package import YonderRules

/// A database in which a test writes and reads rows by SQL, while no store is open.
package protocol WordDatabase: Sendable {
    /// Everything that a store of the server keeps.
    typealias Store = NounStore & ChatStore & ObjectStore

    /// Opens a store, passes it to `body`, and closes it.
    func withStore(_ body: (any Store) async throws -> Void) async throws

    /// Runs SQL.
    ///
    /// - Returns: The first column of each row, as text.
    func run(_ sql: String) async throws -> [String]
}

/// What a word that a newer version wrote gives in this one, as a test.
///
/// `prepare` makes rows by the store, `sql` puts the unknown word into one of them, `check` reads the list around it and changes what lies
/// beside the word, which then must be as it was.
package struct WordRule: Sendable, CustomTestStringConvertible {
    /// The promise.
    package let testDescription: String

    private let prepare: @Sendable (WordTown) async throws -> Void
    private let table: String
    private let column: String
    private let condition: String
    private let check: @Sendable (WordTown) async throws -> Void

    /// Does what replaces the word by a known one; `nil` if nothing does.
    private let replace: (word: String, action: @Sendable (WordTown) async throws -> Void)?

    init(
        _ name: String,
        _ table: String,
        _ column: String,
        where condition: String = "TRUE",
        prepare: @escaping @Sendable (WordTown) async throws -> Void,
        check: @escaping @Sendable (WordTown) async throws -> Void,
        replace: (word: String, action: @Sendable (WordTown) async throws -> Void)? = nil
    ) {
        testDescription = name
        self.prepare = prepare
        self.table = table
        self.column = column
        self.condition = condition
        self.check = check
        self.replace = replace
    }

    /// Tries it on an empty database.
    package func check(_ database: any WordDatabase) async throws {
        let ids = WordTown.IDs()
        try await database.withStore { try await prepare(WordTown($0, ids)) }
        _ = try await database.run("UPDATE \(table) SET \(column) = '\(Self.word)' WHERE \(condition)")
        let words = "SELECT \(column) FROM \(table) WHERE \(column) = '\(Self.word)'"
        #expect(try await database.run(words) == [Self.word], "The test wrote no row.")
        try await database.withStore { try await check(WordTown($0, ids)) }
        #expect(try await database.run(words) == [Self.word])
        guard let replace else { return }
        try await database.withStore { try await replace.action(WordTown($0, ids)) }
        #expect(try await database.run(words).isEmpty)
        let known = "SELECT \(column) FROM \(table) WHERE \(column) = '\(replace.word)'"
        #expect(try await database.run(known).contains(replace.word))
    }

    /// A word that no version knows.
    static let word = "unheard"

    /// All of them.
    package static let all = chats + shares + accounts + others
}

/// Two contacts and their group, over a store that may be opened again.
struct WordTown: Sendable {
    /// The ids that stay while the store is opened again.
    struct IDs: Sendable {
        let ada = UserID.random()
        let ben = UserID.random()
        let share = ShareID.random()
        let image = ImageID.random()
    }

    let store: any WordDatabase.Store
    let ids: IDs
    let now = Timestamp(milliseconds: 1_700_000_000_000)

    init(_ store: any WordDatabase.Store, _ ids: IDs) {
        self.store = store
        self.ids = ids
    }

    /// Makes both people, and the group, which Ada owns.
    func found() async throws {
        for (user, name) in [(ids.ada, "Ada"), (ids.ben, "Ben")] {
            try await store.createAccount(Account(user: User(id: user, name: name), created: now))
        }
        try await store.connect(ids.ada, ids.ben)
        _ = try await store.start(ChatStart(creator: ids.ada, invitees: [ids.ben]), at: now)
    }

    /// The group, found in a list.
    func chat() async throws -> Chat {
        try #require(try await store.chats(of: ids.ada).first)
    }

    @discardableResult
    func perform(_ action: Submission.Action, by user: UserID, _ key: String, after: Duration = .zero)
        async throws
        -> Submission.Acceptance
    {
        let chat = try #require(try await store.chats(of: user).first).id
        return try await store.submit(
            Submission(chat: chat, sender: user, key: key, action: action, time: now + after)
        )
    }

    func share() async throws -> Share {
        try #require(try await store.shares().first { $0.id == ids.share })
    }

    func locate(_ key: String, after: Duration) async throws {
        let data = MessageData(checked: Array(#"{"latitude":"1","longitude":"2"}"#.utf8))
        let draft = MessageDraft(tag: .location, content: "", data: data)
        try await perform(.message(draft), by: ids.ada, key, after: after)
    }
}
