import YonderModel

// The exchange sends other nodes and viewers what the roll knows now, not what a commit had: a later change may have
// come in between (`ShareRollTests`).

extension ShareRoll {
    /// The present versions of shares.
    func present(_ shares: [Share]) -> [Share] {
        shares.map { share($0.id, of: $0.user, in: $0.chat) ?? $0 }
    }
}
