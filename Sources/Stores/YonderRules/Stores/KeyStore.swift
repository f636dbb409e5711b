package import YonderGeodesy
package import YonderModel

/// Keeps the keys of programs that sign their requests.
///
/// `KeyEndpoints` and `yonder key` make, list and remove keys; `Signatures` of the older places API asks for the key of each
/// request, so that a removed one is refused at once on every server. Both databases have it from one extension of
/// `TableStore`. A write that throws has changed nothing, but `unavailable` may mean that only the answer was lost.
///
/// Every implementation passes the conformance suite in `TestSupport/Stores`.
package protocol KeyStore: Sendable {
    /// Keeps a key and its secret. They are on disk when this returns.
    ///
    /// - Throws: `nameTaken` if there is a key of this id; `tooMany` over ``SigningKey/limit``; `unavailable`.
    func createSigningKey(_ key: SigningKey, secret: SigningSecret, under warrant: Warrant)
        async throws(SharingError)

    /// The key of this id with its secret, or `nil`.
    ///
    /// - Throws: `unavailable`.
    func signingKey(_ id: String) async throws(SharingError) -> (key: SigningKey, secret: SigningSecret)?

    /// All keys without their secrets, oldest first.
    ///
    /// - Throws: `unavailable`.
    func signingKeys() async throws(SharingError) -> [SigningKey]

    /// Removes a key: requests signed with it are refused from now on.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: `unavailable`.
    @discardableResult
    func removeSigningKey(_ id: String, under warrant: Warrant) async throws(SharingError) -> Bool
}

/// Records the nonce of a request for all servers of a database, until the request expires.
///
/// The nonce is recorded by the hash of key and nonce. Returns whether this is its first use.
package typealias NonceRecord =
    @Sendable (_ mark: [UInt8], _ until: Timestamp) async throws(SharingError) -> Bool
