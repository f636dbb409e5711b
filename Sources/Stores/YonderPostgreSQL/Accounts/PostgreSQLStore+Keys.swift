#if Postgres
import YonderLibPQ
package import YonderModel
package import YonderRules

extension PostgreSQLStore: KeyStore {
    /// See ``KeyStore/createSigningKey(_:secret:)``.
    package func createSigningKey(_ key: SigningKey, secret: SigningSecret) async throws(SharingError) {
        try await once { try await KeyTable.insert(key, secret: secret, $0) }
    }

    /// See ``KeyStore/signingKey(_:)``.
    package func signingKey(_ id: String) async throws(SharingError) -> (
        key: SigningKey, secret: SigningSecret
    )? {
        // PostgreSQL's text has no zero bytes, and no key has one in its id.
        guard !id.utf8.contains(0), let row = try await read(KeyTable.byID, [.text(id)]).first,
            StoredWords.rights.knows(row.text(2)), let key = KeyTable.key(row),
            let secret = SigningSecret(row.text(4))
        else { return nil }
        return (key, secret)
    }

    /// See ``KeyStore/signingKeys()``.
    package func signingKeys() async throws(SharingError) -> [SigningKey] {
        try await read(KeyTable.list).compactMap(KeyTable.key).sorted(by: SigningKey.isListedBefore)
    }

    /// See ``KeyStore/removeSigningKey(_:)``.
    @discardableResult
    package func removeSigningKey(_ id: String) async throws(SharingError) -> Bool {
        guard !id.utf8.contains(0) else { return false }
        return try await once { try await $0.execute(KeyTable.removal, [.text(id)]) > 0 }
    }
}
#endif
