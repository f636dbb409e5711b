import YonderGeodesy
import YonderModel
import YonderRules

/// Data about sign-ins: the table `known_network`, and when credentials and accounts were last used.
///
/// `Accounts` gathers uses and has them noted together, about once a minute, so a use may be lost with a server; noting one
/// again writes the same times. A network is noted in the transaction of its session. A credential or an account that was
/// removed is passed over. The order of the locks must stay, or two servers that note at once wait for each other in a
/// circle.
///
/// `StoreRule+Accounts.swift` tries it on both databases.
enum SightingTable {
    /// Notes sightings, accounts first and then credentials, as every transaction that locks both, each by their order: so
    /// two transactions never wait for each other in a circle.
    static func note(_ sightings: [CredentialUse], _ transaction: any TableTransaction) throws {
        let seen = Dictionary(sightings.map { ($0.user, $0.time) }, uniquingKeysWith: max)
        for (user, time) in seen.sorted(by: { $0.key < $1.key }) {
            try transaction.execute(accountUse, [.int(time.milliseconds), .int(user.rawValue)])
        }
        let ordered = sightings.enumerated().sorted { left, right in
            let bytes = (left.element.credential.bytes, right.element.credential.bytes)
            return bytes.0 == bytes.1
                ? left.offset < right.offset : bytes.0.lexicographicallyPrecedes(bytes.1)
        }
        for (_, sighting) in ordered {
            try transaction.execute(
                credentialUse,
                [
                    .int(sighting.time.milliseconds), .optional(sighting.network),
                    .bytes(sighting.credential.bytes), .int(sighting.user.rawValue),
                ]
            )
        }
    }

    private static let credentialUse: TableStatement = """
        UPDATE credential SET last_seen = $1, network = coalesce($2, network) WHERE secret = $3 AND person = $4
        """

    private static let accountUse: TableStatement =
        "UPDATE account SET last_seen = greatest(coalesce(last_seen, $1), $1) WHERE id = $2"

    /// The newest time at which a credential was made or an account seen; no row if there is none.
    static var newest: TableQuery<Timestamp> {
        TableQuery(newestUse) { $0.optionalInt(0).map(Timestamp.init(milliseconds:)) }
    }

    private static let newestUse: TableStatement = """
        SELECT max(time) FROM (
            SELECT max(created) AS time FROM credential UNION ALL SELECT max(last_seen) FROM account
        ) AS found
        """

    /// Notes that a user signed in from a network, and forgets the oldest beyond ``KnownNetwork/limit``.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func noteNetwork(
        _ network: String,
        of user: UserID,
        at time: Timestamp,
        _ transaction: any TableTransaction
    ) throws {
        try AccountTable.locked(user, transaction)
        let person = TableValue.int(user.rawValue)
        try transaction.execute(networkUse, [person, .text(network), .int(time.milliseconds)])
        try transaction.execute(networkLimit, [person, .int(Int64(KnownNetwork.limit))])
    }

    private static let networkUse: TableStatement = """
        INSERT INTO known_network (person, network, last_seen) VALUES ($1, $2, $3)
        ON CONFLICT (person, network) DO UPDATE SET last_seen = $3
        """

    private static let networkLimit: TableStatement = """
        DELETE FROM known_network WHERE person = $1 AND network NOT IN
        (SELECT network FROM known_network WHERE person = $1 ORDER BY last_seen DESC LIMIT $2)
        """

    /// A row if a user has signed in from a network.
    static func knows(_ network: String, of user: UserID) -> TableQuery<Bool> {
        TableQuery(knowsNetwork, [.int(user.rawValue), .text(network)]) { _ in true }
    }

    private static let knowsNetwork: TableStatement =
        "SELECT person FROM known_network WHERE person = $1 AND network = $2"

    /// What has expired of all users and ends no share: links, known devices and invitations.
    static let expired: [TableStatement] = [
        "DELETE FROM credential WHERE expires <= $1 AND NOT (\(CredentialTable.isSignIn))",
        "DELETE FROM invitation WHERE expires <= $1",
    ]
}
