#if Postgres
import YonderLibPQ
import YonderModel
import YonderRules
import YonderTables

// Warrants of changes that YonderTables doesn't make. The accounts are locked before chats, lanes and objects, as everywhere.
extension Transaction {
    /// Judges a warrant, whose right then can't end before the transaction does.
    ///
    /// - Throws: ``SharingError`` with code `notSignedIn` or `notAllowed`; ``LinkFailure``.
    func judge(_ warrant: Warrant) async throws {
        if let refusal = try await refusals(of: [warrant])[warrant] { throw refusal }
    }

    /// The refusals of those warrants whose right has ended.
    ///
    /// - Throws: ``LinkFailure``.
    func refusals(of warrants: Set<Warrant>) async throws -> [Warrant: SharingError] {
        let warrants = warrants.subtracting([.server])
        guard !warrants.isEmpty else { return [:] }
        return try await onThread { try WarrantTable.refusals(of: warrants, $0) }
    }
}

// Plain messages of requests: their warrants are read in the round that writes them, over the same connection, once for all
// of a round. They aren't judged in the call that appends them, as that has no account; what changes a share, a chat or its
// participants is judged in its own transaction (`ChatChange`).
extension ChatWriter {
    /// The refusals of the warrants that have ended among those of requests that are about to be written.
    ///
    /// A warrant that can't be read is refused like a message that can't be written.
    func endedWarrants(of items: [WriteItem]) async -> [Warrant: SharingError] {
        var warrants: Set<Warrant> = []
        for item in items where !item.wasSent && item.submission.isJudgedFirst {
            if case .message = item.submission.action { warrants.insert(item.submission.warrant) }
        }
        guard !warrants.isEmpty else { return [:] }
        do {
            return try await refusals(of: warrants)
        } catch {
            let refusal = refusal(of: error)
            return Dictionary(uniqueKeysWithValues: warrants.map { ($0, refusal) })
        }
    }

    private func refusals(of warrants: Set<Warrant>) async throws -> [Warrant: SharingError] {
        let users = Set(warrants.compactMap(\.user))
        let found = try await AccountTable.accounts(users).rows(query)
        let accounts = Dictionary(found.map { ($0.user.id, $0) }) { first, _ in first }
        var refusals: [Warrant: SharingError] = [:]
        for warrant in warrants {
            guard case .signIn(let held) = warrant else { continue }
            let account = accounts[held.user]
            var isStored = true
            if let account, account.version != held.version {
                isStored = try await !WarrantTable.stored(held).rows(query).isEmpty
            }
            refusals[warrant] = held.refusal(account, isStored: { isStored })
        }
        return refusals
    }
}
#endif
