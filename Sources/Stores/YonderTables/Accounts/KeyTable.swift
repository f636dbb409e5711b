import YonderGeodesy
package import YonderModel
package import YonderRules

/// The statements and rows of the table `signing_key`.
///
/// The port's functions below call it: a new key in a transaction that is committed once, all else in any. A refusal is a
/// ``SharingError``, and stores nothing. The secret is stored as it is, because the server needs it to check a signature;
/// lists don't read it. A key with rights of a newer version is listed, and signs nothing (`StoredWords`, decision 41).
///
/// Ids are compared byte by byte, which must stay.
enum KeyTable {
    /// Inserts a key.
    ///
    /// The table is locked, as all keys are counted.
    ///
    /// - Throws: ``SharingError`` with code `nameTaken` or `tooMany`.
    static func insert(_ key: SigningKey, secret: SigningSecret, _ transaction: any TableTransaction) throws {
        try transaction.execute(lock)
        guard try !transaction.has(byID, [.text(key.id)]) else { throw SharingError.signingKeyTaken }
        guard try transaction.number(count) < SigningKey.limit else {
            throw SharingError.tooManySigningKeys
        }
        try transaction.execute(
            insertion,
            [
                .text(key.id), .text(secret.text), .text(key.name), .text(key.rights.rawValue),
                .int(key.created.milliseconds),
            ]
        )
    }

    private static let lock = TableStatement.lock("LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE")

    private static let count: TableStatement = "SELECT count(*) FROM signing_key"

    private static let insertion: TableStatement =
        "INSERT INTO signing_key (id, secret, name, rights, created) VALUES ($1, $2, $3, $4, $5)"

    private static let byID: TableStatement =
        "SELECT id, name, rights, created, secret FROM signing_key WHERE id = $1"

    private static let list: TableStatement = "SELECT id, name, rights, created FROM signing_key"

    /// Removes the key `$1`.
    static let removal: TableStatement = "DELETE FROM signing_key WHERE id = $1"

    /// A key that requests may be signed with, and its secret.
    static func signing(_ id: String) -> TableQuery<(key: SigningKey, secret: SigningSecret)> {
        TableQuery(byID, [.text(id)]) { row in
            guard StoredWords.rights.knows(row.text(2)), let key = key(row),
                let secret = SigningSecret(row.text(4))
            else { return nil }
            return (key, secret)
        }
    }

    /// All keys without their secrets, in no order.
    static var all: TableQuery<SigningKey> { TableQuery(list) { key($0) } }

    private static func key(_ row: any TableRow) -> SigningKey? {
        StoredWords.rights.read(row.text(2)).flatMap { rights, _ in
            let created = Timestamp(milliseconds: row.int(3))
            return SigningKey(id: row.text(0), name: row.text(1), rights: rights, created: created)
        }
    }
}

// The functions of the port `KeyStore` for both databases. An id with a zero byte is no key's, and isn't asked for.
extension TableStore {
    /// See ``KeyStore/createSigningKey(_:secret:under:)``.
    package func createSigningKey(_ key: SigningKey, secret: SigningSecret, under warrant: Warrant)
        async throws(SharingError)
    {
        try await transact(.once, under: warrant) { try KeyTable.insert(key, secret: secret, $0) }
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

    /// See ``KeyStore/removeSigningKey(_:under:)``.
    @discardableResult
    package func removeSigningKey(_ id: String, under warrant: Warrant) async throws(SharingError) -> Bool {
        guard !id.utf8.contains(0) else { return false }
        return try await transact(.once, under: warrant) { try $0.execute(KeyTable.removal, [.text(id)]) > 0 }
    }
}
