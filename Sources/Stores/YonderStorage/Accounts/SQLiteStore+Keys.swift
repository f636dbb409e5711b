package import YonderModel
package import YonderRules
import YonderSQLite

extension SQLiteStore: KeyStore {
    /// See ``KeyStore/createSigningKey(_:secret:)``.
    package func createSigningKey(_ key: SigningKey, secret: SigningSecret) async throws(SharingError) {
        try await write { database, _ in try SigningKeyRow.insert(key, secret: secret, into: database) }
    }

    /// See ``KeyStore/signingKey(_:)``.
    package func signingKey(_ id: String) async throws(SharingError) -> (
        key: SigningKey, secret: SigningSecret
    )? {
        try await file.read { try SigningKeyRow.find(id, in: $0) }
    }

    /// See ``KeyStore/signingKeys()``.
    package func signingKeys() async throws(SharingError) -> [SigningKey] {
        try await file.read { try SigningKeyRow.list(in: $0) }
    }

    /// See ``KeyStore/removeSigningKey(_:)``.
    @discardableResult
    package func removeSigningKey(_ id: String) async throws(SharingError) -> Bool {
        try await write { database, _ in try SigningKeyRow.remove(id, in: database) }
    }
}
