import Synchronization

/// An outbox in memory: what waits is gone with the process.
///
/// The default outbox of `SharingClient`, and that of tests. A full outbox throws `tooMany`, a key that waits with another
/// draft `keyReused`; nothing else fails. It keeps no stops, so these are lost with the process, too. It must behave as
/// `SQLiteOutboxStore` does (`OutboxRule`, which tries both); the default limit is in `OutboxEntry`.
///
/// Tests: `MemoryStoreTests`.
public final class MemoryOutboxStore: OutboxStore {
    /// An entry's name, by the bytes of its key: texts that merely look the same are different keys.
    private struct Name: Hashable {
        let chat: ChatID
        let key: [UInt8]

        init(_ key: String, in chat: ChatID) {
            self.chat = chat
            self.key = Array(key.utf8)
        }
    }

    private struct State {
        var entries: [Name: OutboxEntry] = [:]
        var lastID: Int64 = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// Creates an empty outbox that takes at most `limit` messages.
    public init(limit: Int = OutboxEntry.defaultLimit) {
        self.limit = limit
    }

    /// See ``OutboxStore/append(_:to:key:)``.
    public func append(
        _ draft: MessageDraft,
        to chat: ChatID,
        key: String
    ) async throws(SharingError) -> OutboxEntry {
        try IdempotencyKey.check(key)
        let result: Result<OutboxEntry, SharingError> = state.withLock { state in
            let name = Name(key, in: chat)
            if let waiting = state.entries[name] {
                return waiting.draft.hasSameBytes(as: draft) ? .success(waiting) : .failure(.keyReused)
            }
            guard state.entries.count < limit else { return .failure(.outboxFull) }
            state.lastID += 1
            let entry = OutboxEntry(id: state.lastID, chat: chat, key: key, draft: draft)
            state.entries[name] = entry
            return .success(entry)
        }
        return try result.get()
    }

    /// See ``OutboxStore/remove(key:from:)``.
    public func remove(key: String, from chat: ChatID) async throws(SharingError) {
        state.withLock { $0.entries[Name(key, in: chat)] = nil }
    }

    /// See ``OutboxStore/entries()``.
    public func entries() async throws(SharingError) -> [OutboxEntry] {
        state.withLock { $0.entries.values.sorted { $0.id < $1.id } }
    }
}
