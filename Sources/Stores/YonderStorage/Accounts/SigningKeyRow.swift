import GRDB
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The table `signingKey`.
enum SigningKeyRow {
    /// Inserts a key.
    ///
    /// - Throws: ``SharingError`` with code `nameTaken` or `tooMany`.
    static func insert(_ key: SigningKey, secret: SigningSecret, into database: Database) throws {
        guard try row(key.id, in: database) == nil else { throw SharingError.signingKeyTaken }
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM signingKey") ?? 0
        guard count < SigningKey.limit else { throw SharingError.tooManySigningKeys }
        try database.execute(
            sql: "INSERT INTO signingKey (id, secret, name, rights, created) VALUES (?, ?, ?, ?, ?)",
            arguments: [key.id, secret.text, key.name, key.rights.rawValue, key.created.milliseconds]
        )
    }

    static func find(_ id: String, in database: Database) throws -> (key: SigningKey, secret: SigningSecret)?
    {
        guard let row = try row(id, in: database), StoredWords.rights.knows(row[2]), let key = key(row),
            let secret = SigningSecret(row[4] as String)
        else { return nil }
        return (key, secret)
    }

    private static func row(_ id: String, in database: Database) throws -> Row? {
        let sql = "SELECT id, name, rights, created, secret FROM signingKey WHERE id = ?"
        return try Row.fetchOne(try database.cachedStatement(sql: sql), arguments: [id])
    }

    static func list(in database: Database) throws -> [SigningKey] {
        try Row.fetchAll(database, sql: "SELECT id, name, rights, created FROM signingKey")
            .compactMap(key)
            .sorted(by: SigningKey.isListedBefore)
    }

    /// Removes a key; returns whether it existed.
    static func remove(_ id: String, in database: Database) throws -> Bool {
        try database.execute(sql: "DELETE FROM signingKey WHERE id = ?", arguments: [id])
        return database.changesCount > 0
    }

    private static func key(_ row: Row) -> SigningKey? {
        guard let rights = StoredWords.rights.read(row[2])?.value else { return nil }
        return SigningKey(
            id: row[0],
            name: row[1],
            rights: rights,
            created: Timestamp(milliseconds: row[3])
        )
    }
}
