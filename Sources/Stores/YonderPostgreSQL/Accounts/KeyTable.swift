#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The table `signing_key`.
enum KeyTable {
    /// Inserts a key.
    ///
    /// The table is locked, as all keys are counted.
    ///
    /// - Throws: ``SharingError`` with code `nameTaken` or `tooMany`.
    static func insert(_ key: SigningKey, secret: SigningSecret, _ transaction: Transaction) async throws {
        try await transaction.execute(lock)
        guard try await transaction.query(byID, [.text(key.id)]).isEmpty else {
            throw SharingError.signingKeyTaken
        }
        guard try await transaction.query(count).first?.int(0) ?? 0 < SigningKey.limit else {
            throw SharingError.tooManySigningKeys
        }
        try await transaction.execute(
            insertion,
            [
                .text(key.id), .text(secret.text), .text(key.name), .text(key.rights.rawValue),
                .int(key.created.milliseconds),
            ]
        )
    }

    private static let lock = Statement(
        name: "lock_keys",
        sql: "LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE"
    )

    private static let count = Statement(name: "count_keys", sql: "SELECT count(*) FROM signing_key")

    private static let insertion = Statement(
        name: "insert_key",
        sql: "INSERT INTO signing_key (id, secret, name, rights, created) VALUES ($1, $2, $3, $4, $5)"
    )

    static let byID = Statement(
        name: "key_by_id",
        sql: "SELECT id, name, rights, created, secret FROM signing_key WHERE id = $1"
    )

    static let list = Statement(name: "keys", sql: "SELECT id, name, rights, created FROM signing_key")

    static let removal = Statement(name: "remove_key", sql: "DELETE FROM signing_key WHERE id = $1")

    static func key(_ row: Row) -> SigningKey? {
        guard let rights = StoredWords.rights.read(row.text(2))?.value else { return nil }
        return SigningKey(
            id: row.text(0),
            name: row.text(1),
            rights: rights,
            created: Timestamp(milliseconds: row.int(3))
        )
    }
}
#endif
