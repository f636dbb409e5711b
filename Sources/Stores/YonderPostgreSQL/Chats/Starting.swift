#if Postgres
import YonderGeodesy
import YonderLibPQ
import YonderModel
import YonderRules
import YonderTables

/// Starts a chat, or finds the one that the pair or an earlier request with the same key has.
///
/// `PostgreSQLStore+Chats.swift` performs one in a transaction that may run again. A refusal rolls back. Locks are taken
/// as everywhere, accounts before the chat, or two starts wait for each other. A pair has one chat and a key one start:
/// both must stay (`StoreRule+Chats.swift`, which starts at once from both sides).
struct Starting: Sendable {
    let wish: ChatStart
    let time: Timestamp
    let nextID: @Sendable () -> ChatID

    /// Performs it in a transaction.
    func perform(_ transaction: Transaction) async throws -> ChatStart.Outcome {
        let starting = ChatStarting(wish, at: time, nextID: nextID)
        switch try await transaction.onThread({ try starting.begin($0) }) {
        case .made(let chat): return ChatStart.Outcome(chat: chat, existed: false)
        case .earlier(let chat):
            let chat = try await ChatTable.known(chat, transaction.query).chat
            _ = try ChatRules.present(wish.creator, in: chat)
            return ChatStart.Outcome(chat: chat, existed: true)
        case .pair(let chat): return try await rejoin(chat, transaction)
        }
    }

    private func rejoin(_ chat: ChatID, _ transaction: Transaction) async throws -> ChatStart.Outcome {
        guard try await ChatTable.lock(chat, transaction) != nil else { throw SharingError.unknownChat }
        let entry = try await ChatEntry.load(chat, transaction.query)
        guard !entry.chat.isPresent(wish.creator) else {
            return ChatStart.Outcome(chat: entry.chat, existed: true)
        }
        let decision = ChatRules.rejoin(wish.creator, entry.chat, at: time, notBefore: entry.latest)
        let shares = try await ChatChange.save(decision, key: nil, fingerprint: 0, in: entry, transaction)
        transaction.tell { $0.messages.append(decision.acceptance(shares: shares)) }
        return ChatStart.Outcome(chat: decision.chat, existed: true)
    }
}
#endif
