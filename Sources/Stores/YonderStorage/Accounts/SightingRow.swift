import Foundation
import GRDB
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// Data about sign-ins: the table `knownNetwork`, and when credentials and accounts were last used.
enum SightingRow {
    static func note(_ sightings: [CredentialUse], in database: Database) throws {
        for sighting in sightings {
            try database.execute(
                sql: """
                    UPDATE credential SET lastSeen = ?1, network = coalesce(?2, network)
                    WHERE secret = ?3 AND user = ?4
                    """,
                arguments: [
                    sighting.time.milliseconds, sighting.network, Data(sighting.credential.bytes),
                    sighting.user.rawValue,
                ]
            )
            try database.execute(
                sql: "UPDATE account SET lastSeen = max(coalesce(lastSeen, ?1), ?1) WHERE id = ?2",
                arguments: [sighting.time.milliseconds, sighting.user.rawValue]
            )
        }
    }

    static func newest(in database: Database) throws -> Timestamp? {
        try Int64.fetchOne(
            database,
            sql:
                "SELECT max(time) FROM (SELECT max(created) AS time FROM credential UNION ALL SELECT max(lastSeen) FROM account)"
        ).map(Timestamp.init(milliseconds:))
    }

    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func noteNetwork(_ network: String, of user: UserID, at time: Timestamp, in database: Database)
        throws
    {
        _ = try AccountRow.account(user, in: database)
        try database.execute(
            sql: "INSERT OR REPLACE INTO knownNetwork (user, network, lastSeen) VALUES (?, ?, ?)",
            arguments: [user.rawValue, network, time.milliseconds]
        )
        try database.execute(
            sql: """
                DELETE FROM knownNetwork WHERE user = ?1 AND network NOT IN
                (SELECT network FROM knownNetwork WHERE user = ?1 ORDER BY lastSeen DESC LIMIT ?2)
                """,
            arguments: [user.rawValue, KnownNetwork.limit]
        )
    }

    static func knowsNetwork(_ network: String, of user: UserID, in database: Database) throws -> Bool {
        try Int.fetchOne(
            database,
            sql: "SELECT 1 FROM knownNetwork WHERE user = ? AND network = ?",
            arguments: [user.rawValue, network]
        ) != nil
    }
}
