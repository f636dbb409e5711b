import YonderModel

extension ShareRoll {
    /// The present versions of shares.
    func present(_ shares: [Share]) -> [Share] {
        shares.map { share($0.id, of: $0.user, in: $0.chat) ?? $0 }
    }
}
