/// A message that a client still has to send, kept across restarts until the server has answered it.
public struct OutboxEntry: Hashable, Sendable, Identifiable {
    /// Its place in the order of sending: higher than those of all entries before it, also of removed ones.
    public let id: Int64

    /// Into which chat.
    public let chat: ChatID

    /// The key under which it is sent, every time.
    public let key: String

    /// The message to send.
    public let draft: MessageDraft

    /// Creates an entry as a store has it.
    public init(id: Int64, chat: ChatID, key: String, draft: MessageDraft) {
        self.id = id
        self.chat = chat
        self.key = key
        self.draft = draft
    }
}

/// Keeps what a client has not sent yet.
///
/// Every implementation passes the conformance suite in `TestSupport/Stores`.
///
/// `SharingClient` calls it: ``append(_:to:key:)`` before a message is sent, ``remove(key:from:)`` when the server has
/// answered, ``entries()`` once when it begins to run. If it throws, a send fails with that error, a removal is logged, and
/// `run()` ends. `MemoryOutboxStore` and `SQLiteOutboxStore` implement it; one that also keeps stops is a `StopStore`. The
/// order of ids is the order of sending and must stay (decision 2).
public protocol OutboxStore: Sendable {
    /// Keeps a message behind all others. It is on disk when this returns.
    ///
    /// A key that waits already in this chat answers the entry it has.
    ///
    /// - Throws: `tooMany` if as many wait as the store takes; `keyReused` if the key waits with another draft;
    ///   `invalidField` for a key without bytes or over 64; `unavailable`.
    func append(_ draft: MessageDraft, to chat: ChatID, key: String) async throws(SharingError) -> OutboxEntry

    /// Forgets a message that was answered; nothing if it isn't there.
    ///
    /// - Throws: `unavailable`.
    func remove(key: String, from chat: ChatID) async throws(SharingError)

    /// Everything that waits, in the order of sending.
    ///
    /// - Throws: `unavailable`.
    func entries() async throws(SharingError) -> [OutboxEntry]
}

extension OutboxEntry {
    /// The most messages of an outbox by default: at a position a second, those of 14 hours without a connection.
    public static let defaultLimit = 50_000
}
