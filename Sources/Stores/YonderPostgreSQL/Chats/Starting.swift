#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// Starts a chat, or finds the one that the pair or an earlier request with the same key has.
struct Starting: Sendable {
    let wish: ChatStart
    let time: Timestamp
    let nextID: @Sendable () -> ChatID

    /// Performs it in a transaction.
    func perform(_ transaction: Transaction) async throws -> ChatStart.Outcome {
        if let (chat, fingerprint) = try await ChatTable.started(wish, transaction.query) {
            guard fingerprint == wish.fingerprint else { throw SharingError.keyReused }
            let chat = try await ChatTable.known(chat, transaction.query).chat
            _ = try ChatRules.present(wish.creator, in: chat)
            return ChatStart.Outcome(chat: chat, existed: true)
        }
        try wish.check(
            contacts: await ChatTable.contacts(of: wish.creator, among: wish.invitees, transaction.query)
        )
        let outcome = wish.isOneToOne ? try await startPair(transaction) : try await startNew(transaction)
        guard try await ChatTable.setStarted(wish, outcome.chat.id, transaction) else { throw Self.beaten }
        return outcome
    }

    private func startNew(_ transaction: Transaction) async throws -> ChatStart.Outcome {
        let chat = try ChatRules.start(wish, id: nextID(), at: time)
        try await ChatTable.insert(chat, transaction)
        try await AccountTable.giveHues(to: chat.participants.map(\.user), in: chat.id, transaction)
        transaction.tell { $0.started.append(chat) }
        return ChatStart.Outcome(chat: chat, existed: false)
    }

    private func startPair(_ transaction: Transaction) async throws -> ChatStart.Outcome {
        let (one, other) = (wish.creator, wish.invitees[0])
        guard let chat = try await ChatTable.pair(one, other, transaction.query) else {
            let outcome = try await startNew(transaction)
            let isFirst = try await ChatTable.setPair(one, other, outcome.chat.id, transaction)
            guard isFirst else { throw Self.beaten }
            return outcome
        }
        guard try await ChatTable.lock(chat, transaction) != nil else { throw SharingError.unknownChat }
        let entry = try await ChatEntry.load(chat, transaction.query)
        guard !entry.chat.isPresent(one) else { return ChatStart.Outcome(chat: entry.chat, existed: true) }
        let decision = ChatRules.rejoin(one, entry.chat, at: time, notBefore: entry.latest)
        let shares = try await ChatChange.save(decision, key: nil, fingerprint: 0, in: entry, transaction)
        transaction.tell { $0.messages.append(decision.acceptance(shares: shares)) }
        return ChatStart.Outcome(chat: decision.chat, existed: true)
    }

    /// Another process did the same at the same time: the transaction is run again, and finds that.
    private static let beaten = LinkFailure(
        outcome: .refused(SQLState("40001")),
        message: "The same chat was started at the same time."
    )
}
#endif
