#if Postgres
import YonderLibPQ
import YonderModel
import YonderRules

/// One of the lanes in which an entity's objects lie: the row of `lane` that numbers and counts them.
///
/// `ObjectWriter` locks the lanes of its submissions, `EntityTable` all lanes of an entity, each before it reads what it
/// decides by. Rows that a locked lane covers stay as they are until the transaction ends. Two transactions that lock
/// further lanes later may wait in a circle; the database then ends one, which begins again.
///
/// The order of locks, by entity and lane, must stay. How an object's lane is computed is `ObjectLane`'s, for all nodes
/// (decision 34, `PostgreSQLLaneTests`, `PostgreSQLObjectTests`).
struct LaneKey: Hashable, Sendable {
    /// The entity's number.
    let entity: Int64

    /// The lane's number within the entity.
    let lane: Int64

    /// The number of lanes of an entity; it must never change, because an object's lane is computed from it.
    static let count = ObjectLane.count

    /// The lanes of an entity.
    static var all: Range<Int64> { 0..<count }

    /// The lane of an object.
    static func lane(of object: ObjectID) -> Int64 { ObjectLane(entity: 0, of: object).index }

    /// Locks lanes of entities by their names, in the order in which every transaction locks them.
    ///
    /// - Returns: The lanes of existing entities, each with the number of its newest change.
    @discardableResult
    static func lock(_ lanes: [(entity: EntityName, lane: Int64)], _ transaction: Transaction) async throws
        -> [LaneKey: Int64]
    {
        let parameters: [Parameter] = [
            .texts(lanes.map(\.entity.description)), .ints(lanes.map(\.lane)),
        ]
        let rows = try await transaction.query(locking, parameters)
        let keys = rows.map { (LaneKey(entity: $0.int(0), lane: $0.int(1)), $0.int(2)) }
        return Dictionary(keys) { first, _ in first }
    }

    private static let locking = Statement(
        name: "lock_lanes",
        sql: """
            SELECT entity, lane, last FROM lane WHERE (entity, lane) IN (
                SELECT entity.number, wanted.lane FROM unnest($1::text[], $2::bigint[]) AS wanted (name, lane)
                JOIN entity ON entity.name = wanted.name
            ) ORDER BY entity, lane FOR UPDATE
            """
    )
}
#endif
