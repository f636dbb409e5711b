// Stops are a client's: without the trait Client the store keeps positions and messages alone.
#if Client
public import YonderClient
import YonderGeodesy
public import YonderModel
import YonderSQLite

// `SharingClient` finds the store of stops by this conformance, and calls it one call at a time (`StopWork`). A disk that
// fails throws `unavailable`, which `SharingClient+Stops.swift` logs; the stop is sent all the same. Columns are in
// `SQLiteOutboxStore`'s migrations and must stay, as phones have them (`SQLiteStopStoreTests`).
extension SQLiteOutboxStore: StopStore {
    /// See ``YonderClient/StopStore/keep(_:)``.
    public func keep(_ stop: UnsentStop) async throws(SharingError) {
        try await file.write { database in
            let others = try Statement(database, "SELECT count(*) FROM stop WHERE id <> ?")
            others.bind(utf8: stop.id, at: 1)
            guard try others.first({ $0.integer(0) }) ?? 0 < UnsentStop.limit else {
                throw SharingError(
                    .tooMany,
                    "The outbox keeps \(UnsentStop.limit) stops; connect before the next one."
                )
            }
            try Self.insert(stop, database)
        }
    }

    /// See ``YonderClient/StopStore/remove(stop:)``.
    public func remove(stop id: String) async throws(SharingError) {
        try await file.write { database in
            let statement = try Statement(database, "DELETE FROM stop WHERE id = ?")
            statement.bind(utf8: id, at: 1)
            try statement.run()
        }
    }

    /// See ``YonderClient/StopStore/stops()``.
    public func stops() async throws(SharingError) -> [UnsentStop] {
        try await file.read { database in
            let sql = "SELECT id, user, chat, share, time, before FROM stop ORDER BY time, id"
            let statement = try Statement(database, sql)
            var stops: [UnsentStop] = []
            try statement.forEachRow { stops.append(Self.stop($0)) }
            return stops
        }
    }

    /// See ``YonderClient/StopStore/setUser(_:)``.
    public func setUser(_ user: UserID) async throws(SharingError) {
        try await file.write { database in
            let statement = try Statement(
                database,
                "INSERT OR REPLACE INTO person (id, user) VALUES (1, ?)"
            )
            statement.bind(user.rawValue, at: 1)
            try statement.run()
        }
    }

    /// See ``YonderClient/StopStore/user()``.
    public func user() async throws(SharingError) -> UserID? {
        try await file.read { database in
            try Int64.fetchOne(database, sql: "SELECT user FROM person").flatMap { UserID($0) }
        }
    }

    private static func insert(_ stop: UnsentStop, _ database: Database) throws {
        let statement = try Statement(
            database,
            "INSERT OR REPLACE INTO stop (id, user, chat, share, time, before) VALUES (?, ?, ?, ?, ?, ?)"
        )
        statement.bind(utf8: stop.id, at: 1)
        statement.bind(stop.user?.rawValue, at: 2)
        statement.bind(stop.chat?.rawValue, at: 3)
        statement.bind(stop.share?.rawValue, at: 4)
        statement.bind(stop.time.milliseconds, at: 5)
        statement.bind(stop.before.milliseconds, at: 6)
        try statement.run()
    }

    private static func stop(_ row: Row) -> UnsentStop {
        UnsentStop(
            id: row.string(0),
            user: row.optionalInteger(1).flatMap { UserID($0) },
            chat: row.optionalInteger(2).flatMap { ChatID($0) },
            share: row.optionalInteger(3).flatMap { ShareID($0) },
            time: Timestamp(milliseconds: row.integer(4)),
            before: Timestamp(milliseconds: row.integer(5))
        )
    }
}
#endif
