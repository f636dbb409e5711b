public import YonderModel

extension AccountStore {
    /// Makes an account without contacts.
    public func createAccount(_ account: Account) async throws(SharingError) {
        try await createAccount(account, contact: nil)
    }
}
