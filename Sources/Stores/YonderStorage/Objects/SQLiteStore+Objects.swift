package import YonderGeodesy
package import YonderModel
package import YonderRules
import YonderSQLite

// The functions of the port `ObjectStore`, called by `ObjectCatalog` on any thread. Changes go by the queue of
// submissions, definitions by ``SQLiteStore/write(isErasing:_:)``; decisions are in `ObjectRules` and `EntityRules`,
// statements in `ObjectRow` and `EntityRow`. Errors are the port's. A deletion that is interrupted after its first
// commit goes on when the store is next opened. The suite in `TestSupport/Stores/Objects` and `SQLiteObjectTests` hold
// it.
// The 1 000 rows of a step may be changed; that a change of objects is answered after its commit must stay.
extension SQLiteStore: ObjectStore {
    /// See ``ObjectStore/entities(for:)``.
    package func entities(for caller: ObjectCaller) async throws(SharingError) -> [Entity] {
        try await file.read { database in
            try EntityRow.all(in: database).map(\.entity).filter { $0.mayBeRead(by: caller) }
        }
    }

    /// See ``ObjectStore/entity(_:for:)``.
    package func entity(_ name: EntityName, for caller: ObjectCaller) async throws(SharingError) -> Entity {
        try await file.read { try EntityRow.readable(name, by: caller, in: $0).entity }
    }

    /// See ``ObjectStore/createEntity(_:by:at:under:)``.
    package func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        try await write { [objectWriter] database, _ in
            try objectWriter.create(definition, by: caller, at: time, under: warrant, in: database)
        }
    }

    /// See ``ObjectStore/changeEntity(_:by:at:under:)``.
    package func changeEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        defer { noteErasure() }
        return try await write { [objectWriter] database, _ in
            try objectWriter.change(definition, by: caller, at: time, under: warrant, in: database)
        }
    }

    /// See ``ObjectStore/deleteEntity(_:by:under:)``.
    ///
    /// The objects are removed in transactions of 1 000, so that other writes needn't wait for all of them.
    package func deleteEntity(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant)
        async throws(SharingError)
    {
        try await erase { [objectWriter] database, _ in
            try objectWriter.delete(name, by: caller, under: warrant, in: database)
        }
        while try await erase({ database, _ in try EntityRow.sweep(limit: 1_000, in: database) }) {}
    }

    /// See ``ObjectStore/change(_:completion:)``.
    package func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        enqueue(WriteRequest(submissions, completion: completion))
    }

    /// See ``ObjectStore/object(_:of:for:)``.
    package func object(
        _ id: ObjectID,
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> Object {
        try await file.read { database in
            let row = try EntityRow.readable(entity, by: caller, in: database)
            guard let object = try ObjectRow.object(id, of: row, in: database) else {
                throw SharingError.unknownObject
            }
            return object
        }
    }

    /// See ``ObjectStore/objects(_:of:for:)``.
    package func objects(
        _ ids: [ObjectID],
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> [Object] {
        try await file.read { database in
            let row = try EntityRow.readable(entity, by: caller, in: database)
            return try ids.prefix(ObjectQuery.maximumLimit).compactMap {
                try ObjectRow.object($0, of: row, in: database)
            }
        }
    }

    /// See ``ObjectStore/objects(_:for:)``.
    package func objects(_ query: ObjectQuery, for caller: ObjectCaller) async throws(SharingError)
        -> ObjectPage
    {
        try await file.read(isLong: query.isVisiting) { database in
            let row = try EntityRow.readable(query.entity, by: caller, in: database)
            try query.criteria.check(in: row.entity)
            return try ObjectRow.page(query, of: row, in: database)
        }
    }

    /// See ``ObjectStore/forEachPlacedObject(batch:_:)``.
    package func forEachPlacedObject(
        batch: Int,
        _ body: @escaping @Sendable ([ObjectRecord]) -> Void
    ) async throws(SharingError) {
        try await file.read { try ObjectRow.forEachPlaced(batch: max(1, batch), in: $0, body) }
    }
}
