package import YonderModel
package import YonderRules

// The functions of the port `KeyStore` for both databases; the statements are in `KeyTable`. An id with a zero byte is no
// key's, and isn't asked for.
extension TableStore {
    /// See ``KeyStore/createSigningKey(_:secret:)``.
    package func createSigningKey(_ key: SigningKey, secret: SigningSecret) async throws(SharingError) {
        try await transact(.once) { try KeyTable.insert(key, secret: secret, $0) }
    }

    /// See ``KeyStore/signingKey(_:)``.
    package func signingKey(_ id: String) async throws(SharingError) -> (
        key: SigningKey, secret: SigningSecret
    )? {
        // PostgreSQL's text has no zero bytes, and no key has one in its id.
        guard !id.utf8.contains(0) else { return nil }
        return try await first(KeyTable.signing(id))
    }

    /// See ``KeyStore/signingKeys()``.
    package func signingKeys() async throws(SharingError) -> [SigningKey] {
        try await rows(KeyTable.all).sorted(by: SigningKey.isListedBefore)
    }

    /// See ``KeyStore/removeSigningKey(_:)``.
    @discardableResult
    package func removeSigningKey(_ id: String) async throws(SharingError) -> Bool {
        guard !id.utf8.contains(0) else { return false }
        return try await transact(.once) { try $0.execute(KeyTable.removal, [.text(id)]) > 0 }
    }
}
