package import YonderGeodesy
package import YonderModel
import YonderRules

/// The statements and rows of the table `share`, for both databases.
///
/// The stores' shares and their chats' writers call it: ``save(_:removing:_:)`` inside the transaction that writes the
/// share's message or erases its positions, and the queries for reading. Saving the same share again writes the same row. A
/// row whose ids aren't valid is left out of a query's answer; any other failure is thrown by the database, and its
/// transaction can then only be rolled back.
///
/// What a share may become is decided in `ShareRules`, which rows to erase in the stores. A further column needs a step in
/// both schemas, a place in `columns`, in `parameters` and in `share(_:)`, which count the columns from 0 in the same order.
/// Words that a newer version stored must be written back as they were (decision 41, `WordRule`); `StatementCostTests` asks
/// each statement what it costs.
package enum ShareTable {
    /// Every share that the table has, in no order.
    package static var all: TableQuery<Share> { TableQuery(every) { share($0) } }

    /// The shares of several chats.
    package static func shares(of chats: [ChatID]) -> TableQuery<Share> {
        TableQuery(ofChats, [.ints(chats.map(\.rawValue))]) { share($0) }
    }

    /// The shares among these that have ended.
    package static func ended(among ids: [ShareID]) -> TableQuery<Share> {
        TableQuery(endedAmong, [.ints(ids.map(\.rawValue))]) { share($0) }
    }

    /// One share.
    package static func share(_ id: ShareID) -> TableQuery<Share> {
        TableQuery(byID, [.int(id.rawValue)]) { share($0) }
    }

    /// The chats in which a person has a running share, once for each.
    static func chats(sharedBy user: UserID) -> TableQuery<ChatID> {
        TableQuery(ofPerson, [.int(user.rawValue)]) { ChatID($0.int(0)) }
    }

    /// A share that has ended and whose positions must be erased: any one of them, or none.
    package static var nextToErase: TableQuery<Share> { TableQuery(toErase) { share($0) } }

    /// The shares of a chat whose positions can't be read any more at `now`, and aren't erased yet.
    package static func hidden(of chat: ChatID, at now: Timestamp) -> TableQuery<ShareID> {
        TableQuery(hiding, [.int(chat.rawValue), .int(now.milliseconds)]) { ShareID($0.int(0)) }
    }

    /// Writes shares, new or known, and removes others.
    ///
    /// The chat and the person of a known share stay as they are stored.
    ///
    /// - Parameters:
    ///   - shares: The shares as they are to be stored.
    ///   - forgotten: The ids of shares to remove; one that isn't stored is ignored.
    ///   - transaction: The caller's transaction.
    /// - Throws: What the database throws.
    package static func save(
        _ shares: [Share],
        removing forgotten: [ShareID] = [],
        _ transaction: any TableTransaction
    ) throws {
        for share in shares { try transaction.execute(saving, parameters(share)) }
        guard !forgotten.isEmpty else { return }
        try transaction.execute(removal, [.ints(forgotten.map(\.rawValue))])
    }

    private static func parameters(_ share: Share) -> [TableValue] {
        [
            .int(share.id.rawValue), .int(share.chat.rawValue), .int(share.user.rawValue),
            .int(share.started.milliseconds), .optional(share.until?.milliseconds),
            .optional(share.arrival?.coordinate.latitude), .optional(share.arrival?.coordinate.longitude),
            .optional(share.arrival?.radius.meters), .text(share.keepingWord), .bool(share.showsBattery),
            .optional(share.source), .int(share.after), .optional(share.end?.time.milliseconds),
            .optional(share.end?.endingWord), .bool(share.isErased),
            .optional(share.feeders.isEmpty ? nil : share.feeders.bytes),
        ]
    }

    private static func share(_ row: any TableRow) -> Share? {
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
            end: row.optionalInt(12).map { Share.End(time: Timestamp(milliseconds: $0), word: row.text(13)) },
            isErased: row.bool(14)
        )
        share.setKeeping(word: row.text(8))
        if !row.isNull(15) { share.feeders = ShareFeeders(bytes: row.bytes(15)) }
        return share
    }

    private static func arrival(_ row: any TableRow) -> Arrival? {
        guard !row.isNull(5), let radius = Distance(meters: row.double(7)) else { return nil }
        return Coordinate(latitude: row.double(5), longitude: row.double(6))
            .flatMap { Arrival(coordinate: $0, radius: radius) }
    }

    private static let columns = """
        id, chat, person, started, until, latitude, longitude, radius, keeping, shows_battery, source, after, ended, \
        ending, is_erased, feeders
        """

    private static let every: TableStatement = "SELECT \(columns) FROM share"

    private static let ofChats: TableStatement = "SELECT \(columns) FROM share WHERE chat = ANY($1)"

    private static let endedAmong: TableStatement = """
        SELECT \(columns) FROM share WHERE id = ANY($1) AND ended IS NOT NULL
        """

    private static let byID: TableStatement = "SELECT \(columns) FROM share WHERE id = $1"

    private static let ofPerson: TableStatement = "SELECT chat FROM share WHERE person = $1 AND ended IS NULL"

    private static let toErase: TableStatement = """
        SELECT \(columns) FROM share WHERE ended IS NOT NULL AND keeping <> 'kept' AND NOT is_erased LIMIT 1
        """

    private static let hiding: TableStatement = """
        SELECT id FROM share WHERE chat = $1 AND keeping <> 'kept' AND NOT is_erased
            AND (ended IS NOT NULL OR until <= $2)
        """

    private static let saving: TableStatement = """
        INSERT INTO share (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        ON CONFLICT (id) DO UPDATE SET started = excluded.started, until = excluded.until,
            latitude = excluded.latitude, longitude = excluded.longitude, radius = excluded.radius,
            keeping = excluded.keeping, shows_battery = excluded.shows_battery, source = excluded.source,
            after = excluded.after, ended = excluded.ended, ending = excluded.ending,
            is_erased = excluded.is_erased, feeders = excluded.feeders
        """

    private static let removal: TableStatement = "DELETE FROM share WHERE id = ANY($1)"
}
