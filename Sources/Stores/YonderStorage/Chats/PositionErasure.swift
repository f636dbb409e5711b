import YonderGeodesy
import YonderModel
import YonderSQLite

/// The erasing of one chat's positions that were kept for the chat's period.
///
/// Messages are stored in the order of their arrival, so the positions to erase are those behind the last erased one, up to
/// the first that is young enough.
///
/// `ChatWriter.erasePositions` makes one for each chat that has a period, in its transaction, and erases step by step.
/// An error rolls back. The number up to which positions were erased must be stored in the same transaction, or a kill
/// would skip some (decision 15, `StoreRule+Emptying.swift`).
struct PositionErasure {
    let chat: ChatID

    /// The number up to which every position was erased.
    let erased: Int64

    /// How long the chat keeps positions.
    let period: Duration

    /// The numbers of up to `limit` positions that are to be erased at `now`, oldest first.
    func due(at now: Timestamp, limit: Int, in database: Database) throws -> [Int64] {
        let statement = try Statement(
            database,
            """
            SELECT number, time FROM message INDEXED BY messageByTag
            WHERE chat = ? AND tag = 'Location' AND number > ? ORDER BY number
            """
        )
        defer { statement.reset() }
        statement.bind(chat.rawValue, at: 1)
        statement.bind(erased, at: 2)
        let latest = (now - period).milliseconds
        var numbers: [Int64] = []
        while numbers.count < limit, let row = try statement.next(), row.integer(1) <= latest {
            numbers.append(row.integer(0))
        }
        return numbers
    }

    /// Removes content and data of these positions, and remembers that.
    func erase(_ numbers: [Int64], in database: Database) throws {
        guard let last = numbers.last else { return }
        try MessageRow.empty(numbers, of: chat, in: database)
        try ChatRow.setErased(last, of: chat, in: database)
    }
}
