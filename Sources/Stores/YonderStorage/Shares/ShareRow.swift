import GRDB
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The table `share`.
enum ShareRow {
    private static let columns = """
        id, chat, user, started, until, latitude, longitude, radius, keeping, showsBattery, source, after, ended, ending, \
        isErased
        """

    /// The error of a row that no version of the program writes.
    private static var unreadable: DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "A share with an invalid chat or user.")
    }

    /// Every share.
    static func all(in database: Database) throws -> [Share] {
        try shares(in: database, where: "TRUE")
    }

    /// The shares of a chat, by their people.
    static func shares(of chat: ChatID, in database: Database) throws -> [UserID: [Share]] {
        Dictionary(grouping: try shares(in: database, where: "chat = ?", chat.rawValue), by: \.user)
    }

    /// A share whose positions must be erased.
    static func nextToErase(in database: Database) throws -> Share? {
        try shares(
            in: database,
            where: "ended IS NOT NULL AND keeping <> 'kept' AND NOT isErased LIMIT 1"
        ).first
    }

    /// The shares of a chat whose positions can't be read any more at `now`, and aren't erased yet.
    static func hidden(of chat: ChatID, at now: Timestamp, in database: Database) throws -> Set<ShareID> {
        let statement = try RawStatement(
            database,
            """
            SELECT id FROM share
            WHERE chat = ? AND keeping <> 'kept' AND NOT isErased AND (ended IS NOT NULL OR until <= ?)
            """
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(now.milliseconds, at: 2)
        var ids: Set<ShareID> = []
        try statement.forEachRow { row in
            if let id = ShareID(row.integer(0)) { ids.insert(id) }
        }
        return ids
    }

    private static func shares(in database: Database, where condition: String, _ argument: Int64? = nil)
        throws
        -> [Share]
    {
        let statement = try RawStatement(database, "SELECT \(columns) FROM share WHERE \(condition)")
        if let argument { statement.bind(argument, at: 1) }
        var shares: [Share] = []
        try statement.forEachRow { shares.append(try share($0)) }
        return shares
    }

    /// Writes a share, new or known.
    static func save(_ share: Share, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO share (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            share.id.rawValue, share.chat.rawValue, share.user.rawValue, share.started.milliseconds,
            share.until?.milliseconds, share.arrival?.coordinate.latitude,
            share.arrival?.coordinate.longitude,
            share.arrival?.radius.meters, share.keepingWord, share.showsBattery, share.source,
            share.after,
            share.end?.time.milliseconds, share.end?.endingWord, share.isErased,
        ])
    }

    static func remove(_ ids: [ShareID], in database: Database) throws {
        for id in ids {
            try database.cachedStatement(sql: "DELETE FROM share WHERE id = ?").execute(arguments: [
                id.rawValue
            ])
        }
    }

    private static func share(_ row: RawRow) throws -> Share {
        guard let id = ShareID(row.integer(0)), let chat = ChatID(row.integer(1)),
            let user = UserID(row.integer(2))
        else { throw unreadable }
        var share = Share(
            id: id,
            chat: chat,
            user: user,
            started: Timestamp(milliseconds: row.integer(3)),
            until: row.optionalInteger(4).map(Timestamp.init(milliseconds:)),
            arrival: arrival(row),
            showsBattery: row.integer(9) != 0,
            source: row.optionalInteger(10),
            after: row.integer(11),
            end: row.optionalInteger(12).map { time in
                Share.End(time: Timestamp(milliseconds: time), word: row.string(13))
            },
            isErased: row.integer(14) != 0
        )
        share.setKeeping(word: row.string(8))
        return share
    }

    private static func arrival(_ row: RawRow) -> Arrival? {
        guard !row.isNull(5), let radius = Distance(meters: row.real(7)) else { return nil }
        return Coordinate(latitude: row.real(5), longitude: row.real(6))
            .flatMap { Arrival(coordinate: $0, radius: radius) }
    }
}
