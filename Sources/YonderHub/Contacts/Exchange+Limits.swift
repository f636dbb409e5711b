import YonderCluster
public import YonderGeodesy
public import YonderModel

/// Chats into which a person puts others, within ``PersonLimits``.
extension Exchange {
    /// Starts a chat, or returns the existing one-to-one chat of the pair; its participants are sent the chat.
    ///
    /// - Throws: ``SharingError`` with the codes of the store's `start`, `tooManyRequests` if the creator exceeds a rate limit, and
    ///   `tooMany` if an invitee is in too many groups of the creator's.
    public func start(_ wish: ChatStart, at time: Timestamp? = nil) async throws(SharingError)
        -> ChatStart.Outcome
    {
        try use(bytes: wish.subject.utf8.count, of: wish.creator)
        let use = PersonLedger.Use.chat(by: wish.creator, with: wish.invitees)
        let users = wish.isOneToOne ? [] : wish.invitees
        let charge = try await charge(use, putting: users, by: wish.creator)
        return try await keeping(charge) { () async throws(SharingError) in
            let outcome = try await chats.start(wish, at: time ?? now())
            return (outcome, isNew: !outcome.existed)
        }
    }

    /// Counts that a person puts others into a chat.
    ///
    /// A refusal by the groups that the person owns stays counted, as its look-up costs the most.
    ///
    /// - Throws: `tooManyRequests`, `tooMany`, `unavailable`.
    func charge(_ use: PersonLedger.Use, putting users: [UserID], by person: UserID)
        async throws(SharingError) -> PersonLedger.Charge
    {
        let charge = try await personal.take(use)
        try await checkOwned(by: person, with: users)
        return charge
    }

    /// Gives back what was counted for a change that wasn't made.
    func giveBack(_ charge: PersonLedger.Charge) {
        Task { [personal] in await personal.giveBack(charge) }
    }

    /// Makes a change, and gives back what was counted unless it is new.
    func keeping<Value>(
        _ charge: PersonLedger.Charge,
        _ body: () async throws(SharingError) -> (Value, isNew: Bool)
    ) async throws(SharingError) -> Value {
        do throws(SharingError) {
            let (value, isNew) = try await body()
            if !isNew { await personal.giveBack(charge) }
            return value
        } catch {
            await personal.giveBack(charge)
            throw error
        }
    }

    /// Refuses to put a user into a further group while they are in too many of the same owner's.
    private func checkOwned(by owner: UserID, with users: [UserID]) async throws(SharingError) {
        let limit = personal.limits.ownedWithOne
        guard limit > 0 else { return }
        for user in Set(users).subtracting([owner]) {
            let count = try await chats.groups(of: user, ownedBy: owner, limit: limit).count
            guard count == limit else { continue }
            throw SharingError(
                .tooMany,
                "\(user) is in \(limit) groups that you own, the most that are allowed; they or you must leave some first."
            )
        }
    }
}
