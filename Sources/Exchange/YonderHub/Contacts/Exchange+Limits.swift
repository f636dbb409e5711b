package import YonderRules
package import YonderGeodesy
package import YonderModel

/// Chats into which a person puts others, within ``PersonLimits``.
///
/// `ChatEndpoints`, `PeopleEndpoints` and `Session+Frames.swift` call it before the store, on any thread. A count that
/// can't be made is `unavailable`; what was counted for a change that then isn't made is given back. A repeat of a wish
/// that was done costs nothing. Which limits there are is in `PersonLimits` (decision 37, `PersonLimitTests`).
///
/// That the count comes before the change must stay, or two at once could both pass.
extension Exchange {
    /// Starts a chat, or returns the existing one-to-one chat of the pair; its participants are sent the chat.
    ///
    /// - Throws: ``SharingError`` with the codes of the store's `start`, `tooManyRequests` if the creator exceeds a rate limit, and
    ///   `tooMany` if an invitee is in too many groups of the creator's.
    package func start(_ wish: ChatStart, at time: Timestamp? = nil, under warrant: Warrant)
        async throws(SharingError) -> ChatStart.Outcome
    {
        try use(bytes: wish.subject.utf8.count, of: wish.creator)
        var wish = wish
        var charge: PersonLedger.Charge?
        do throws(SharingError) {
            try wish.check(contacts: try await contacts(of: wish.creator))
            let users = wish.isOneToOne ? [] : wish.invitees
            charge = try await personal.take(.chat(by: wish.creator, with: wish.invitees))
            try await checkOwned(by: wish.creator, with: users)
        } catch {
            // A chat that was started before is answered all the same.
            wish.refusal = error
        }
        return try await keeping(charge) { [wish] () async throws(SharingError) in
            let outcome = try await chats.start(wish, at: time ?? now(), under: warrant)
            return (outcome, isNew: !outcome.existed)
        }
    }

    /// Counts that a person adds others to a chat: those who aren't in it, if the person may add them.
    ///
    /// An addition that the store will refuse, or has made before, isn't counted. A refusal by the groups that the
    /// person owns stays counted, as its look-up costs the most.
    ///
    /// - Returns: What was counted; `nil` for nothing.
    /// - Throws: `unknownChat`, `tooManyRequests`, `tooMany`, `unavailable`.
    func charge(adding users: [UserID], to id: ChatID, by person: UserID) async throws(SharingError)
        -> PersonLedger.Charge?
    {
        let chat = try await chats.chat(id)
        let new = Set(users).filter { !chat.isPresent($0) }
        guard !new.isEmpty, new.count < Chat.participantLimit, chat.isPresent(person),
            try await contacts(of: person).isSuperset(of: new)
        else { return nil }
        let charge = try await personal.take(.addition(by: person, of: Array(new)))
        try await checkOwned(by: person, with: Array(new))
        return charge
    }

    private func contacts(of user: UserID) async throws(SharingError) -> Set<UserID> {
        Set(try await accounts.contacts(of: user).map(\.id))
    }

    /// Gives back what was counted for a change that wasn't made.
    func giveBack(_ charge: PersonLedger.Charge) {
        Task { [personal] in await personal.giveBack(charge) }
    }

    /// Makes a change, and gives back what was counted unless it is new.
    func keeping<Value>(
        _ charge: PersonLedger.Charge?,
        _ body: () async throws(SharingError) -> (Value, isNew: Bool)
    ) async throws(SharingError) -> Value {
        do throws(SharingError) {
            let (value, isNew) = try await body()
            if !isNew, let charge { await personal.giveBack(charge) }
            return value
        } catch {
            if let charge { await personal.giveBack(charge) }
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
