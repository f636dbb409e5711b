import YonderBus
import YonderModel
import YonderRules

/// The participants of chats as one event loop knows them, read from the store where it doesn't.
///
/// `HubLoop` has one, passes each commit to ``apply(_:)``, and sessions and lists ask it, all on the loop. A read that
/// fails answers those who wait with its error, and the next question reads again. A chat that was read while a commit
/// of it came is read once more: an answer that is older than a commit must never be kept (`RosterTableTests`,
/// `PresenceTests`).
final class Rosters {
    private unowned let exchange: Exchange
    private var table = RosterTable(limit: 10_000)

    /// Whether a chat's people must stay known.
    var isHeld: (ChatID) -> Bool {
        get { table.isHeld }
        set { table.isHeld = newValue }
    }

    init(of exchange: Exchange) {
        self.exchange = exchange
    }

    /// The number of commits that changed the participants of any chat.
    var changes: Int { table.changes }

    /// The chats whose participants this loop knows.
    var chats: some Sequence<ChatID> { table.chats }

    /// The current participants of a chat, or `nil` if this loop doesn't know them.
    func people(in chat: ChatID) -> Set<UserID>? { table.people(in: chat) }

    /// Whether `user` is in a chat now, or `nil` if this loop doesn't know.
    func isPresent(_ user: UserID, in chat: ChatID) -> Bool? { table.isPresent(user, in: chat) }

    /// Whether `user` may only read a chat whose people this loop knows.
    func mayOnlyRead(_ user: UserID, in chat: ChatID) -> Bool { table.mayOnlyRead(user, in: chat) }

    /// Applies the joins and leaves of a commit.
    func apply(_ published: Published) {
        table.apply(published)
    }

    /// Inserts a chat that was read from the store when there had been so many ``changes``; ignored if there are more.
    func insert(_ chat: Chat, readAfter changes: Int) {
        if table.changes == changes { table.insert(chat) }
    }

    /// Passes the participants of a chat to `body`: at once if this loop knows them, else after a read of the store.
    ///
    /// - Parameters:
    ///   - chat: Which chat.
    ///   - session: Whose read it is.
    ///   - onRead: Receives each read of the store that is begun for it, and `nil` when that has ended.
    ///   - body: Receives the people, or why they aren't known.
    func withPeople(
        in chat: ChatID,
        for session: Session,
        onRead: @escaping (PendingRead?) -> Void = { _ in },
        _ body: @escaping (Result<Set<UserID>, SharingError>) -> Void
    ) {
        if let people = table.people(in: chat) { return body(.success(people)) }
        let chats = exchange.chats
        let changesBefore = table.changes
        let read = session.read { () async throws(SharingError) in
            try await chats.chat(chat)
        } then: { [unowned self] result in
            onRead(nil)
            switch result {
            case .failure(let error): body(.failure(error))
            case .success where table.changes != changesBefore:
                withPeople(in: chat, for: session, onRead: onRead, body)
            case .success(let chat):
                table.insert(chat)
                body(.success(table.people(in: chat.id) ?? []))
            }
        }
        onRead(read)
    }
}
