#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderJSON
import YonderModel
import YonderRules

/// The statements and rows of the tables `entity` and `lane`.
///
/// The store's ports read entities on a reader; `create`, `change` and `delete` run in a transaction of their own, committed
/// once; `ObjectWriter` reads those whose lanes it has locked. Each change of definitions waits for every other, and for the
/// writes of its entity's objects. A refusal is a ``SharingError`` of `EntityRules`, which decides for SQLite, too; then,
/// and after any other failure, nothing is kept.
///
/// An entity's number is never used again, and is stored in the rows of its objects. So a new entity has none of the objects
/// of a deleted one of the same name, even before those are cleared away. Both must stay, and so must the order of the
/// locks, entities before lanes (decision 34, `PostgreSQLObjectTests`).
enum EntityTable {
    /// An entity as it is stored.
    struct Entry: Sendable {
        /// The number, which no other entity ever gets.
        let number: Int64

        /// Raised by each change of the definition.
        let version: Int64

        var entity: Entity
    }

    private static let selection = """
        SELECT number, version, name, readers, fields, created, updated,
            (SELECT sum(lane.count)::bigint FROM lane WHERE lane.entity = entity.number)
        FROM entity
        """

    /// Every entity, by name.
    static let all = Statement(name: "entities", sql: "\(selection) ORDER BY name")

    /// The entity with the name `$1`.
    static let byName = Statement(name: "entity_by_name", sql: "\(selection) WHERE name = $1")

    /// The entities with the numbers `$1`; of a deleted one there is no row.
    static let byNumber = Statement(name: "entities_by_number", sql: "\(selection) WHERE number = ANY($1)")

    /// Reads a row of one of these statements.
    ///
    /// - Throws: ``SharingError`` with code `internalError` if what is stored is no entity.
    static func entry(_ row: Row) throws(SharingError) -> Entry {
        guard let name = EntityName(row.text(2)) else {
            throw SharingError(.internalError, "An entity has an invalid name.")
        }
        let bytes = row.bytes(4)
        let fields: [Field]
        do {
            fields = try bytes.withUnsafeBytes { try EntityDefinition.fields(json: $0) }
        } catch {
            throw SharingError(.internalError, "An entity has invalid fields: \(error).")
        }
        var definition = EntityDefinition(name, fields: fields)
        definition.setReaders(word: row.text(3))
        let entity = Entity(
            definition,
            count: Int(row.int(7)),
            created: Timestamp(milliseconds: row.int(5)),
            updated: Timestamp(milliseconds: row.int(6))
        )
        return Entry(number: row.int(0), version: row.int(1), entity: entity)
    }
}

// Changes of definitions: rare, so one at a time, as each depends on all.
extension EntityTable {
    /// Makes an entity with its lanes.
    ///
    /// - Throws: The codes of `EntityRules.create`.
    static func create(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        _ transaction: Transaction
    ) async throws -> Entity {
        let known = try await locked(nil, transaction).mapValues(\.entity)
        let entity = try EntityRules.create(definition, by: caller, among: known, at: time)
        let parameters: [Parameter] = [
            .text(entity.name.description), .text(definition.readersWord), .bytes(fields(of: entity)),
            .int(entity.created.milliseconds), .int(entity.updated.milliseconds),
        ]
        guard let number = try await transaction.query(insertion, parameters).first?.int(0) else {
            throw SharingError.storeFailed
        }
        try await transaction.execute(laneInsertion, [.int(number), .int(LaneKey.count - 1)])
        return entity
    }

    private static let insertion = Statement(
        name: "insert_entity",
        sql: """
            INSERT INTO entity (name, readers, fields, created, updated) VALUES ($1, $2, $3, $4, $5) RETURNING number
            """
    )

    private static let laneInsertion = Statement(
        name: "insert_lanes",
        sql: "INSERT INTO lane (entity, lane) SELECT $1, generate_series(0::bigint, $2::bigint)"
    )

    /// Replaces a definition, and raises its version; does nothing if it is the same.
    ///
    /// - Throws: The codes of `EntityRules.change`.
    static func change(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        _ transaction: Transaction
    ) async throws -> Entity {
        let known = try await locked(definition.name, transaction)
        let entity = try EntityRules.change(
            definition,
            by: caller,
            among: known.mapValues(\.entity),
            at: time
        )
        guard let entry = known[entity.name], entry.entity != entity else { return entity }
        try await transaction.execute(
            replacement,
            [
                .int(entry.number), .text(definition.readersWord), .bytes(fields(of: entity)),
                .int(entity.updated.milliseconds),
            ]
        )
        return entity
    }

    private static let replacement = Statement(
        name: "change_entity",
        sql: """
            UPDATE entity SET readers = $2, fields = $3, updated = $4, version = version + 1 WHERE number = $1
            """
    )

    /// Deletes an entity; ``ObjectTable/sweep(_:)`` removes its objects.
    static func delete(_ name: EntityName, by caller: ObjectCaller, _ transaction: Transaction) async throws {
        let known = try await locked(name, transaction)
        try EntityRules.checkDeletion(of: name, by: caller, among: known.mapValues(\.entity))
        guard let entry = known[name] else { return }
        for statement in deletions { try await transaction.execute(statement, [.int(entry.number)]) }
    }

    private static let deletions = [
        "DELETE FROM entity WHERE number = $1", "DELETE FROM lane WHERE entity = $1",
        "DELETE FROM removed_object WHERE entity = $1", "INSERT INTO removed_entity (number) VALUES ($1)",
    ].enumerated().map { Statement(name: "delete_entity_\($0)", sql: $1) }

    /// All entities, locked for other changes of definitions; one also for changes of its objects.
    private static func locked(_ name: EntityName?, _ transaction: Transaction) async throws -> [EntityName:
        Entry]
    {
        try await transaction.execute(lock)
        if let name {
            try await LaneKey.lock(LaneKey.all.map { (name, $0) }, transaction)
        }
        let entries = try await transaction.query(all).map(entry)
        return Dictionary(entries.map { ($0.entity.name, $0) }) { first, _ in first }
    }

    private static let lock = Statement(
        name: "lock_entities",
        sql: "LOCK TABLE entity IN SHARE ROW EXCLUSIVE MODE"
    )

    private static func fields(of entity: Entity) -> [UInt8] {
        var writer = JSONWriter()
        writer.fields(entity.definition.fields)
        return writer.bytes
    }
}
#endif
