package import YonderGeodesy
package import YonderModel

/// What ends with sign-ins of a person: the shares that none of the others feeds.
///
/// A store carries it out in the transaction that ends the sign-ins, over the chats' shares as that transaction has locked
/// them, so that nothing runs on if the process is killed in between. A started share ends as `stopped`, after which a
/// position that names no share is refused; an implicit one as `signedOut`. A started share of which no sign-in is known,
/// because an earlier version wrote it, runs on until one has fed it, unless its person goes.
package struct SignInEnd: Hashable, Sendable {
    /// The person.
    package let user: UserID

    /// The chats in which the person shares, in the order in which they are locked.
    package let chats: [ChatID]

    /// The numbers of the sign-ins that are good; `nil` if every share ends, as the person is disabled or removed.
    package let good: Set<Int64>?

    /// The server's time.
    package let time: Timestamp

    /// Creates an end.
    package init(of user: UserID, chats: some Sequence<ChatID>, good: Set<Int64>?, at time: Timestamp) {
        self.user = user
        self.chats = Set(chats).sorted()
        self.good = good
        self.time = time
    }

    /// The ends of those of the person's shares in a chat that are over, oldest first.
    package func due(among shares: [Share]) -> [Submission] {
        shares.filter { $0.end == nil && isOver($0) }.sorted { ($0.started, $0.id) < ($1.started, $1.id) }
            .map { share in
                let hasPassed = share.until.map { $0 <= time } ?? false
                let ending: Share.Ending = share.isImplicit ? .signedOut : .stopped
                return Submission(
                    chat: share.chat,
                    sender: user,
                    key: "",
                    action: .endShare(share.id, hasPassed ? .expired : ending),
                    time: max(time, share.started)
                )
            }
    }

    private func isOver(_ share: Share) -> Bool {
        guard let good else { return true }
        // 0 is an implicit share of no sign-in.
        if let source = share.source { return source != 0 && !good.contains(source) }
        return !share.feeders.isEmpty && good.isDisjoint(with: share.feeders.sources)
    }
}
