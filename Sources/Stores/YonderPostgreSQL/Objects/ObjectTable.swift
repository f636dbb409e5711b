#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel

/// The statements and rows of the tables `object`, `reference`, `removed_object` and `removed_entity`, and the changes
/// of `lane`.
///
/// The store's ports read pages and objects on a reader. `ObjectWriter` reads and writes in its transaction, with its lanes
/// locked: first ``lockRemovals`` and ``sources``, then ``lockTargets`` and ``known``, and after the decisions what
/// ``ObjectLedger`` gathered, in its order. A failure leaves a transaction that can only be rolled back. The store calls
/// ``sweep(_:)`` until it returns `false` after each deletion of an entity; several processes may do so at once.
///
/// The order of locks must stay, also that of ids in ``lockTargets`` and ``lockRemovals``: otherwise two transactions
/// wait for each other, and PostgreSQL ends one. `columns` are counted from 0 in ``record(_:_:)`` and behind them in the
/// callers; the fields' bytes are the JSON of `Object+JSON.swift`, which must stay readable. The 1 000 rows of a sweep
/// may be changed. Which changes are made is decided in `ObjectRules`; `StatementCostTests` holds the cost.
enum ObjectTable {
    private static let columns = """
        object.number, object.id, object.created, object.updated, latitude, longitude, object.fields
        """

    /// The objects of an entity after a place, and the version of the entity's definition.
    static let page = Statement(
        name: "page_of_objects",
        sql: """
            SELECT \(columns), version FROM object JOIN entity ON entity.number = object.entity
            WHERE object.entity = $1 AND object.number > $2 ORDER BY object.number LIMIT $3
            """
    )

    /// Objects by their ids, `$2`, of the entity `$1`, and the version of the entity's definition.
    static let byID = Statement(
        name: "objects_by_id",
        sql: """
            SELECT \(columns), version FROM object JOIN entity ON entity.number = object.entity
            WHERE object.id = ANY($2) AND object.entity = $1
            """
    )

    /// The objects with a position after a place, with the names of their entities.
    static let placed = Statement(
        name: "placed_objects",
        sql: """
            SELECT \(columns), name FROM object JOIN entity ON entity.number = object.entity
            WHERE object.number > $1 AND latitude IS NOT NULL ORDER BY object.number LIMIT $2
            """
    )

    /// The place of a row in the order of creation.
    static func place(_ row: Row) -> Int64 { row.int(0) }

    /// Reads a row that begins with `columns`.
    ///
    /// - Throws: ``SharingError`` with code `internalError` if what is stored is no object.
    static func record(_ row: Row, _ name: EntityName) throws(SharingError) -> ObjectRecord {
        guard let id = ObjectID(row.int(1)) else {
            throw SharingError(.internalError, "An object has an invalid id.")
        }
        return ObjectRecord(
            id: id,
            entity: name,
            created: Timestamp(milliseconds: row.int(2)),
            updated: Timestamp(milliseconds: row.int(3)),
            coordinate: coordinate(row),
            fields: row.bytes(6)
        )
    }

    private static func coordinate(_ row: Row) -> Coordinate.Rounded? {
        guard let latitude = row.optionalInt(4).flatMap(Int32.init(exactly:)),
            let longitude = row.optionalInt(5).flatMap(Int32.init(exactly:))
        else { return nil }
        return Coordinate.Rounded(latitude: latitude, longitude: longitude)
    }
}

// What a change reads.
extension ObjectTable {
    /// Objects by id, of whatever entity, with the number and, if it exists, the name of that.
    static let known = Statement(
        name: "known_objects",
        sql: """
            SELECT \(columns), object.entity, name FROM object LEFT JOIN entity ON entity.number = object.entity
            WHERE object.id = ANY($1)
            """
    )

    /// Keeps objects that a change refers to from being deleted until the transaction ends.
    static let lockTargets = Statement(
        name: "lock_targets",
        sql: "SELECT id FROM object WHERE id = ANY($1) ORDER BY id FOR KEY SHARE"
    )

    /// Waits for transactions that make references to objects which are to be deleted, and keeps others from it.
    static let lockRemovals = Statement(
        name: "lock_removals",
        sql: "SELECT id FROM object WHERE id = ANY($1) ORDER BY id FOR UPDATE"
    )

    /// The objects that refer to others, without those of deleted entities.
    static let sources = Statement(
        name: "sources_of_references",
        sql: """
            SELECT target, source FROM reference JOIN object ON object.id = source
            JOIN entity ON entity.number = object.entity WHERE target = ANY($1)
            """
    )
}

// What a change writes.
extension ObjectTable {
    /// Inserts new objects, in the order of their creation.
    ///
    /// - Throws: ``LinkFailure`` that asks for another attempt, if another transaction has made an object of one of these ids.
    static func insert(_ lines: [ObjectLedger.Line], _ transaction: Transaction) async throws {
        guard !lines.isEmpty else { return }
        let count = try await transaction.execute(insertion, parameters(lines))
        guard count == lines.count else {
            throw LinkFailure(outcome: .refused(SQLState("40001")), message: "An object's id was taken.")
        }
    }

    private static let insertion = Statement(
        name: "insert_objects",
        sql: """
            INSERT INTO object (id, entity, change, created, updated, latitude, longitude, fields)
            SELECT id, entity, change, created, updated, latitude, longitude, fields FROM \(given)
            ORDER BY place ON CONFLICT DO NOTHING
            """
    )

    /// Writes the new state of objects that the table has.
    static func update(_ lines: [ObjectLedger.Line], _ transaction: Transaction) async throws {
        guard !lines.isEmpty else { return }
        try await transaction.execute(change, parameters(lines))
    }

    private static let change = Statement(
        name: "change_objects",
        sql: """
            UPDATE object SET change = given.change, updated = given.updated, latitude = given.latitude,
                longitude = given.longitude, fields = given.fields
            FROM \(given) WHERE object.id = given.id
            """
    )

    private static let given = """
        unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bytea[]) WITH ORDINALITY AS given (id, entity, change, created, updated, latitude, longitude, fields, place)
        """

    private static func parameters(_ lines: [ObjectLedger.Line]) -> [Parameter] {
        let records = lines.map(\.record)
        return [
            .ints(records.map(\.id.rawValue)), .ints(lines.map(\.entity)), .ints(lines.map(\.change)),
            .ints(records.map(\.created.milliseconds)), .ints(records.map(\.updated.milliseconds)),
            .optionalInts(records.map { $0.coordinate.map { Int64($0.latitude) } }),
            .optionalInts(records.map { $0.coordinate.map { Int64($0.longitude) } }),
            .byteArrays(records.map(\.fields)),
        ]
    }

    /// Removes objects, and notes each removal for other nodes, which may have missed its frame.
    static func remove(_ removals: [ObjectLedger.Removal], _ transaction: Transaction) async throws {
        guard !removals.isEmpty else { return }
        let ids = Parameter.ints(removals.map(\.id.rawValue))
        try await transaction.execute(removal, [ids])
        try await transaction.execute(
            removalNote,
            [
                .ints(removals.map(\.lane.entity)), .ints(removals.map(\.lane.lane)),
                .ints(removals.map(\.change)), ids,
            ]
        )
    }

    private static let removal = Statement(
        name: "remove_objects",
        sql: "DELETE FROM object WHERE id = ANY($1)"
    )

    private static let removalNote = Statement(
        name: "note_removed_objects",
        sql: """
            INSERT INTO removed_object (entity, lane, change, id)
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
            """
    )

    /// Replaces the references of objects.
    static func refer(
        _ referring: [(source: ObjectID, targets: Set<ObjectID>)],
        _ transaction: Transaction
    ) async throws {
        guard !referring.isEmpty else { return }
        try await transaction.execute(unreferring, [.ints(referring.map(\.source.rawValue))])
        let pairs = referring.flatMap { source, targets in targets.map { (source, $0) } }
        guard !pairs.isEmpty else { return }
        try await transaction.execute(
            Self.referring,
            [.ints(pairs.map(\.1.rawValue)), .ints(pairs.map(\.0.rawValue))]
        )
    }

    private static let unreferring = Statement(
        name: "remove_references",
        sql: "DELETE FROM reference WHERE source = ANY($1)"
    )

    private static let referring = Statement(
        name: "insert_references",
        sql: "INSERT INTO reference (target, source) SELECT * FROM unnest($1::bigint[], $2::bigint[])"
    )

    /// Writes the last numbers of lanes, and by how much their counts change.
    static func write(_ lanes: [ObjectLedger.Lane], _ transaction: Transaction) async throws {
        guard !lanes.isEmpty else { return }
        try await transaction.execute(
            laneChange,
            [
                .ints(lanes.map(\.key.entity)), .ints(lanes.map(\.key.lane)), .ints(lanes.map(\.last)),
                .ints(lanes.map(\.added)),
            ]
        )
    }

    private static let laneChange = Statement(
        name: "change_lanes",
        sql: """
            UPDATE lane SET last = given.last, count = lane.count + given.added
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS given (entity, lane, last, added)
            WHERE lane.entity = given.entity AND lane.lane = given.lane
            """
    )
}

// Objects of deleted entities, and the notes of removals.
extension ObjectTable {
    /// Removes some objects of a deleted entity, one that no other process is at.
    ///
    /// - Returns: Whether there may be more.
    static func sweep(_ transaction: Transaction) async throws -> Bool {
        guard let entity = try await transaction.query(nextRemoved).first?.int(0) else { return false }
        let removed = try await transaction.query(sweeping, [.int(entity)])
        if removed.isEmpty {
            try await transaction.execute(sweepEnd, [.int(entity)])
        } else {
            try await transaction.execute(unreferring, [.ints(removed.map { $0.int(0) })])
        }
        return true
    }

    private static let nextRemoved = Statement(
        name: "removed_entity",
        sql: "SELECT number FROM removed_entity LIMIT 1 FOR UPDATE SKIP LOCKED"
    )

    private static let sweeping = Statement(
        name: "sweep_objects",
        sql: """
            DELETE FROM object WHERE id IN (SELECT id FROM object WHERE entity = $1 ORDER BY number LIMIT 1000)
            RETURNING id
            """
    )

    private static let sweepEnd = Statement(
        name: "end_sweep",
        sql: "DELETE FROM removed_entity WHERE number = $1"
    )
}
#endif
