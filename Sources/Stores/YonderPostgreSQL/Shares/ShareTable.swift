#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The table `share`.
enum ShareTable {
    /// Every share.
    static func all(_ query: Query) async throws -> [Share] {
        try await query(every, []).compactMap(share)
    }

    /// The shares of a chat, by their people.
    static func shares(of chat: ChatID, _ query: Query) async throws -> [UserID: [Share]] {
        try await shares(of: [chat], query)[chat] ?? [:]
    }

    /// The shares of several chats, by chat and person.
    static func shares(of chats: [ChatID], _ query: Query) async throws -> [ChatID: [UserID: [Share]]] {
        let shares = try await query(ofChats, [.ints(chats.map(\.rawValue))]).compactMap(share)
        return Dictionary(grouping: shares, by: \.chat).mapValues { Dictionary(grouping: $0, by: \.user) }
    }

    /// A share whose positions must be erased.
    static func nextToErase(_ query: Query) async throws -> Share? {
        try await query(toErase, []).first.flatMap(share)
    }

    /// Writes shares, new or known, and removes others.
    static func save(_ shares: [Share], removing forgotten: [ShareID] = [], _ transaction: Transaction)
        async throws
    {
        for share in shares { try await transaction.execute(saving, parameters(share)) }
        guard !forgotten.isEmpty else { return }
        try await transaction.execute(removal, [.ints(forgotten.map(\.rawValue))])
    }

    private static func parameters(_ share: Share) -> [Parameter] {
        [
            .int(share.id.rawValue), .int(share.chat.rawValue), .int(share.user.rawValue),
            .int(share.started.milliseconds), .optional(share.until?.milliseconds),
            .optional(share.arrival?.coordinate.latitude), .optional(share.arrival?.coordinate.longitude),
            .optional(share.arrival?.radius.meters), .text(share.keepingWord), .bool(share.showsBattery),
            .optional(share.source), .int(share.after), .optional(share.end?.time.milliseconds),
            .optional(share.end?.endingWord), .bool(share.isErased),
        ]
    }

    private static func share(_ row: Row) -> Share? {
        guard let id = ShareID(row.int(0)), let chat = ChatID(row.int(1)), let user = UserID(row.int(2))
        else {
            return nil
        }
        var share = Share(
            id: id,
            chat: chat,
            user: user,
            started: Timestamp(milliseconds: row.int(3)),
            until: row.optionalInt(4).map(Timestamp.init(milliseconds:)),
            arrival: arrival(row),
            showsBattery: row.bool(9),
            source: row.optionalInt(10),
            after: row.int(11),
            end: row.optionalInt(12).map { time in
                Share.End(time: Timestamp(milliseconds: time), word: row.text(13))
            },
            isErased: row.bool(14)
        )
        share.setKeeping(word: row.text(8))
        return share
    }

    private static func arrival(_ row: Row) -> Arrival? {
        guard !row.isNull(5), let radius = Distance(meters: row.double(7)) else { return nil }
        return Coordinate(latitude: row.double(5), longitude: row.double(6))
            .flatMap { Arrival(coordinate: $0, radius: radius) }
    }

    private static let columns = """
        id, chat, person, started, until, latitude, longitude, radius, keeping, shows_battery, source, after, ended, \
        ending, is_erased
        """

    private static let every = Statement(name: "shares", sql: "SELECT \(columns) FROM share")

    private static let ofChats = Statement(
        name: "sharesOfChats",
        sql: "SELECT \(columns) FROM share WHERE chat = ANY($1::bigint[])"
    )

    private static let toErase = Statement(
        name: "shareToErase",
        sql: """
            SELECT \(columns) FROM share WHERE ended IS NOT NULL AND keeping <> 'kept' AND NOT is_erased LIMIT 1
            """
    )

    private static let saving = Statement(
        name: "saveShare",
        sql: """
            INSERT INTO share (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            ON CONFLICT (id) DO UPDATE SET started = excluded.started, until = excluded.until,
                latitude = excluded.latitude, longitude = excluded.longitude, radius = excluded.radius,
                keeping = excluded.keeping, shows_battery = excluded.shows_battery, source = excluded.source,
                after = excluded.after, ended = excluded.ended, ending = excluded.ending,
                is_erased = excluded.is_erased
            """
    )

    private static let removal = Statement(
        name: "removeShares",
        sql: "DELETE FROM share WHERE id = ANY($1::bigint[])"
    )
}
#endif
