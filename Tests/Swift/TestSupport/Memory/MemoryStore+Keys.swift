package import YonderModel
package import YonderRules

extension MemoryStore: KeyStore {
    /// See ``KeyStore/createSigningKey(_:secret:)``.
    package func createSigningKey(_ key: SigningKey, secret: SigningSecret, under warrant: Warrant)
        async throws(SharingError)
    {
        try keys(under: warrant) { keys throws(SharingError) in try keys.create(key, secret: secret) }
    }

    /// See ``KeyStore/signingKey(_:)``.
    package func signingKey(_ id: String) async throws(SharingError) -> (
        key: SigningKey, secret: SigningSecret
    )? {
        try keys { $0[id] }
    }

    /// See ``KeyStore/signingKeys()``.
    package func signingKeys() async throws(SharingError) -> [SigningKey] {
        try keys { $0.list }
    }

    /// See ``KeyStore/removeSigningKey(_:)``.
    @discardableResult
    package func removeSigningKey(_ id: String, under warrant: Warrant) async throws(SharingError) -> Bool {
        try keys(under: warrant) { $0.remove(id) }
    }
}
