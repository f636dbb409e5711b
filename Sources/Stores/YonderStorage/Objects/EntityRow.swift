import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderJSON

/// A row of the table `entity`.
///
/// Its number is never reused, and is stored in the rows of its objects. So a new entity has none of the
/// objects of a deleted one of the same name, even before those are cleared away.
///
/// `ObjectWriter` reads and writes rows on the writer; `SQLiteStore+Objects.swift` reads on a reader, sweeps after a
/// deletion, and `SQLiteStore` sweeps at the start what a killed process left. A row that is no entity is
/// `SQLITE_CORRUPT`.
///
/// The order of `columns` is that of the initializer. `fields` and `readers` are the JSON of `EntityDefinition`, and
/// `number` is never used again: both must stay, since stored objects depend on them (`SQLiteObjectTests`).
struct EntityRow {
    let number: Int64
    var entity: Entity

    private static let columns = "number, name, readers, fields, count, created, updated"

    static func all(in database: Database) throws -> [EntityRow] {
        let statement = try Statement(database, "SELECT \(columns) FROM entity ORDER BY name")
        var rows: [EntityRow] = []
        try statement.forEachRow { rows.append(try EntityRow($0)) }
        return rows
    }

    static func row(_ name: EntityName, in database: Database) throws -> EntityRow? {
        let statement = try Statement(database, "SELECT \(columns) FROM entity WHERE name = ?")
        statement.bind(text: name.description, at: 1)
        return try statement.first(EntityRow.init)
    }

    /// Returns the row if `caller` may read the entity.
    ///
    /// - Throws: ``SharingError`` with code `unknownEntity`.
    static func readable(_ name: EntityName, by caller: ObjectCaller, in database: Database) throws
        -> EntityRow
    {
        let row = try row(name, in: database)
        _ = try EntityRules.readable(row?.entity, by: caller)
        guard let row else { throw SharingError.unknownEntity }
        return row
    }

    static func insert(_ entity: Entity, into database: Database) throws -> EntityRow {
        let statement = try Statement(
            database,
            "INSERT INTO entity (name, readers, fields, count, created, updated) VALUES (?, ?, ?, ?, ?, ?)"
        )
        statement.bind(text: entity.name.description, at: 1)
        bind(entity, to: statement, from: 2)
        statement.bind(entity.created.milliseconds, at: 5)
        statement.bind(entity.updated.milliseconds, at: 6)
        try statement.run()
        return EntityRow(number: database.lastInsertedRowID, entity: entity)
    }

    func update(in database: Database) throws {
        let statement = try Statement(
            database,
            "UPDATE entity SET readers = ?, fields = ?, count = ?, updated = ? WHERE number = ?"
        )
        Self.bind(entity, to: statement, from: 1)
        statement.bind(entity.updated.milliseconds, at: 4)
        statement.bind(number, at: 5)
        try statement.run()
    }

    /// Deletes the entity; ``sweep(limit:in:)`` removes its objects.
    func remove(from database: Database) throws {
        let removal = try Statement(database, "DELETE FROM entity WHERE number = ?")
        removal.bind(number, at: 1)
        try removal.run()
        let note = try Statement(database, "INSERT INTO removed_entity (number) VALUES (?)")
        note.bind(number, at: 1)
        try note.run()
    }

    /// Removes some objects of deleted entities.
    ///
    /// - Returns: Whether there may be more.
    static func sweep(limit: Int, in database: Database) throws -> Bool {
        let next = try Statement(database, "SELECT number FROM removed_entity LIMIT 1")
        guard let number = try next.first({ $0.integer(0) }) else { return false }
        let some = "FROM object WHERE entity = ? ORDER BY number LIMIT \(limit)"
        let references = try Statement(
            database,
            "DELETE FROM reference WHERE source IN (SELECT id \(some))"
        )
        references.bind(number, at: 1)
        try references.run()
        let objects = try Statement(database, "DELETE FROM object WHERE number IN (SELECT number \(some))")
        objects.bind(number, at: 1)
        guard try objects.run() == 0 else { return true }
        let end = try Statement(database, "DELETE FROM removed_entity WHERE number = ?")
        end.bind(number, at: 1)
        try end.run()
        return true
    }

    private static func bind(_ entity: Entity, to statement: Statement, from place: CInt) {
        var writer = JSONWriter()
        writer.fields(entity.definition.fields)
        statement.bind(text: entity.definition.readersWord, at: place)
        statement.bind(bytes: writer.bytes, at: place + 1)
        statement.bind(Int64(entity.count), at: place + 2)
    }
}

extension EntityRow {
    fileprivate init(_ row: Row) throws {
        guard let name = EntityName(row.string(1)) else {
            throw DatabaseError(resultCode: .corrupt, message: "An entity with an invalid name.")
        }
        let fields = try row.bytes(3).withUnsafeBytes { try EntityDefinition.fields(json: $0) }
        var definition = EntityDefinition(name, fields: fields)
        definition.setReaders(word: row.string(2))
        number = row.integer(0)
        entity = Entity(
            definition,
            count: Int(row.integer(4)),
            created: Timestamp(milliseconds: row.integer(5)),
            updated: Timestamp(milliseconds: row.integer(6))
        )
    }
}
