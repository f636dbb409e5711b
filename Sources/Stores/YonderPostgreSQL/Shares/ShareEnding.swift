#if Postgres
import YonderGeodesy
import YonderLibPQ
import YonderModel
import YonderRules

/// Ends the shares that sign-ins of their person fed, in the transaction that ends the sign-ins.
///
/// The account is locked before, and the chats are locked by their ids' order, so two such transactions never wait in a circle.
/// What is over is decided over the chat as it is under its lock. Each end is written and told as any other of a share; a chat
/// costs as much as the start of a share in it. A share that can't be ended, as its person isn't in the chat, doesn't keep the
/// sign-ins from ending.
enum ShareEnding {
    /// Locks the chats and ends what is over.
    static func perform(_ end: SignInEnd, _ transaction: Transaction) async throws {
        for chat in end.chats {
            guard try await ChatTable.lock(chat, transaction) != nil else { continue }
            let entry = try await ChatEntry.load(chat, transaction.query)
            for submission in end.due(among: entry.shares[end.user] ?? []) {
                let decision = try? ChatRules.decide(
                    entry.ordered(submission),
                    in: entry.chat,
                    from: entry.participant(end.user),
                    shares: entry.shares[end.user] ?? []
                )
                guard let decision else { continue }
                let shares = try await ChatChange.save(
                    decision,
                    key: nil,
                    fingerprint: 0,
                    in: entry,
                    transaction
                )
                transaction.tell { $0.messages.append(decision.acceptance(shares: shares)) }
            }
        }
    }
}
#endif
