import Synchronization

/// An outbox in memory: what waits is gone with the process.
public final class MemoryOutboxStore: OutboxStore {
    private struct State {
        var entries: [OutboxEntry] = []
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
        try Submission.check(key: key)
        let result: Result<OutboxEntry, SharingError> = state.withLock { state in
            if let waiting = state.entries.first(where: { $0.isNamed(key, in: chat) }) {
                return waiting.draft.hasSameBytes(as: draft) ? .success(waiting) : .failure(.keyReused)
            }
            guard state.entries.count < limit else { return .failure(.outboxFull) }
            state.lastID += 1
            let entry = OutboxEntry(id: state.lastID, chat: chat, key: key, draft: draft)
            state.entries.append(entry)
            return .success(entry)
        }
        return try result.get()
    }

    /// See ``OutboxStore/remove(key:from:)``.
    public func remove(key: String, from chat: ChatID) async throws(SharingError) {
        state.withLock { state in state.entries.removeAll { $0.isNamed(key, in: chat) } }
    }

    /// See ``OutboxStore/entries()``.
    public func entries() async throws(SharingError) -> [OutboxEntry] {
        state.withLock(\.entries)
    }
}

extension OutboxEntry {
    fileprivate func isNamed(_ key: String, in chat: ChatID) -> Bool {
        self.chat == chat && self.key.utf8.elementsEqual(key.utf8)
    }
}
