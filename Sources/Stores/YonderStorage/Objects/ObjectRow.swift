import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The tables `object` and `reference`.
///
/// `ObjectWriter` reads and writes on the writer, in its transaction; `SQLiteStore+Objects.swift` reads on a reader.
/// What is no object in a row is `SQLITE_CORRUPT`. References to or from objects of a deleted entity don't count.
///
/// The order of `columns` is that of `record`. `number` is the order of pages, and a cursor has it: it must never be
/// used again. `fields` is the JSON of `Object+JSON.swift`. `SQLiteObjectTests` and the suite in
/// `TestSupport/Stores/Objects` hold the answers, `StatementCostTests` the cost.
enum ObjectRow {
    private static let columns = "number, id, entity, created, updated, latitude, longitude, fields"

    static func insert(_ record: ObjectRecord, entity: Int64, into database: Database) throws {
        let statement = try Statement(
            database,
            """
            INSERT INTO object (updated, latitude, longitude, fields, id, entity, created)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        )
        bind(record, to: statement)
        statement.bind(record.id.rawValue, at: 5)
        statement.bind(entity, at: 6)
        statement.bind(record.created.milliseconds, at: 7)
        try statement.run()
    }

    static func update(_ record: ObjectRecord, in database: Database) throws {
        let statement = try Statement(
            database,
            "UPDATE object SET updated = ?, latitude = ?, longitude = ?, fields = ? WHERE id = ?"
        )
        bind(record, to: statement)
        statement.bind(record.id.rawValue, at: 5)
        try statement.run()
    }

    static func remove(_ id: ObjectID, from database: Database) throws {
        let statement = try Statement(database, "DELETE FROM object WHERE id = ?")
        statement.bind(id.rawValue, at: 1)
        try statement.run()
    }

    private static func bind(_ record: ObjectRecord, to statement: Statement) {
        statement.bind(record.updated.milliseconds, at: 1)
        statement.bind(record.coordinate.map { Int64($0.latitude) }, at: 2)
        statement.bind(record.coordinate.map { Int64($0.longitude) }, at: 3)
        statement.bind(bytes: record.fields, at: 4)
    }

    static func object(_ id: ObjectID, of entity: EntityRow, in database: Database) throws -> Object? {
        let statement = try Statement(
            database,
            "SELECT \(columns) FROM object WHERE id = ? AND entity = ?"
        )
        statement.bind(id.rawValue, at: 1)
        statement.bind(entity.number, at: 2)
        return try statement.first { try record($0, entity.entity.name).object(of: entity.entity) }
    }

    /// Whether there is an object of this id, whatever its entity, which may be one that is being deleted.
    static func exists(_ id: ObjectID, in database: Database) throws -> Bool {
        let statement = try Statement(database, "SELECT 1 FROM object WHERE id = ?")
        statement.bind(id.rawValue, at: 1)
        return try statement.first { _ in true } ?? false
    }

    static func page(_ query: ObjectQuery, of entity: EntityRow, in database: Database) throws -> ObjectPage {
        let statement = try Statement(
            database,
            "SELECT \(columns) FROM object WHERE entity = ? AND number > ? ORDER BY number"
        )
        statement.bind(entity.number, at: 1)
        statement.bind(query.cursor?.place ?? 0, at: 2)
        defer { statement.reset() }
        var builder = ObjectPageBuilder(query)
        while let row = try statement.next() {
            let record = try record(row, entity.entity.name)
            let isTaken = try builder.take(at: row.integer(0), byteCount: record.fields.count) {
                try record.object(of: entity.entity)
            }
            guard isTaken else { break }
        }
        return builder.page
    }

    /// Calls `body` with all objects that have a position, in batches, in their order on the disk.
    static func forEachPlaced(batch: Int, in database: Database, _ body: ([ObjectRecord]) -> Void) throws {
        let entities = try EntityRow.all(in: database)
        let names = Dictionary(uniqueKeysWithValues: entities.map { ($0.number, $0.entity.name) })
        let statement = try Statement(
            database,
            "SELECT \(columns) FROM object WHERE latitude IS NOT NULL ORDER BY number"
        )
        var records: [ObjectRecord] = []
        records.reserveCapacity(batch)
        try statement.forEachRow { row in
            guard let name = names[row.integer(2)] else { return }
            records.append(try record(row, name))
            guard records.count >= batch else { return }
            body(records)
            records.removeAll(keepingCapacity: true)
        }
        if !records.isEmpty { body(records) }
    }

    private static func record(_ row: Row, _ name: EntityName) throws -> ObjectRecord {
        guard let id = ObjectID(row.integer(1)) else {
            throw DatabaseError(resultCode: .corrupt, message: "An object with an invalid id.")
        }
        return ObjectRecord(
            id: id,
            entity: name,
            created: Timestamp(milliseconds: row.integer(3)),
            updated: Timestamp(milliseconds: row.integer(4)),
            coordinate: coordinate(row),
            fields: row.bytes(7)
        )
    }

    private static func coordinate(_ row: Row) -> Coordinate.Rounded? {
        guard let latitude = row.optionalInteger(5).flatMap(Int32.init(exactly:)),
            let longitude = row.optionalInteger(6).flatMap(Int32.init(exactly:))
        else { return nil }
        return Coordinate.Rounded(latitude: latitude, longitude: longitude)
    }
}

// References are stored separately from the objects that hold them, so that they can be found by their
// target.
extension ObjectRow {
    /// Replaces the references of an object.
    static func refer(from source: ObjectID, to targets: Set<ObjectID>, in database: Database) throws {
        let removal = try Statement(database, "DELETE FROM reference WHERE source = ?")
        removal.bind(source.rawValue, at: 1)
        try removal.run()
        for target in targets {
            let statement = try Statement(database, "INSERT INTO reference (target, source) VALUES (?, ?)")
            statement.bind(target.rawValue, at: 1)
            statement.bind(source.rawValue, at: 2)
            try statement.run()
        }
    }

    /// Whether another object refers to the given one.
    static func isReferenced(_ id: ObjectID, in database: Database) throws -> Bool {
        let statement = try Statement(
            database,
            """
            SELECT 1 FROM reference JOIN object ON object.id = source
            WHERE target = ?1 AND source <> ?1 AND entity NOT IN (SELECT number FROM removed_entity) LIMIT 1
            """
        )
        statement.bind(id.rawValue, at: 1)
        return try statement.first { _ in true } ?? false
    }

    /// The entity of an object, or `nil` if the object doesn't exist.
    static func entity(of id: ObjectID, in database: Database) throws -> EntityName? {
        let statement = try Statement(
            database,
            "SELECT name FROM object JOIN entity ON entity.number = object.entity WHERE object.id = ?"
        )
        statement.bind(id.rawValue, at: 1)
        return try statement.first { EntityName($0.string(0)) } ?? nil
    }
}
