package import YonderModel
package import YonderRules

extension AccountStore {
    /// Makes an account without contacts.
    package func createAccount(_ account: Account) async throws(SharingError) {
        try await createAccount(account, contact: nil)
    }
}
