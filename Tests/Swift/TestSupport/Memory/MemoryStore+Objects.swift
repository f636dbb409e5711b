package import YonderGeodesy
package import YonderModel
package import YonderRules

extension MemoryStore: ObjectStore {
    /// See ``ObjectStore/entities(for:)``.
    package func entities(for caller: ObjectCaller) async throws(SharingError) -> [Entity] {
        try objects { $0.entities(for: caller) }
    }

    /// See ``ObjectStore/entity(_:for:)``.
    package func entity(_ name: EntityName, for caller: ObjectCaller) async throws(SharingError) -> Entity {
        try objects { objects throws(SharingError) in try objects.entity(name, for: caller) }
    }

    /// See ``ObjectStore/createEntity(_:by:at:)``.
    package func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        try objects(under: warrant) { objects throws(SharingError) in
            try objects.create(definition, by: caller, at: time)
        }
    }

    /// See ``ObjectStore/changeEntity(_:by:at:)``.
    package func changeEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        try objects(under: warrant) { objects throws(SharingError) in
            try objects.change(definition, by: caller, at: time)
        }
    }

    /// See ``ObjectStore/deleteEntity(_:by:)``.
    package func deleteEntity(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant)
        async throws(SharingError)
    {
        try objects(under: warrant) { objects throws(SharingError) in try objects.delete(name, by: caller) }
    }

    /// See ``ObjectStore/change(_:completion:)``; a completion may run on the thread of another `change` or `submit`.
    package func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        changeObjects(under: submissions.map(\.warrant)) { objects, refusal in
            let results = submissions.map { submission in
                refusal(submission.warrant).map(Result.failure) ?? objects.change(submission)
            }
            return { completion(results) }
        }
    }

    /// See ``ObjectStore/object(_:of:for:)``.
    package func object(
        _ id: ObjectID,
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> Object {
        try objects { objects throws(SharingError) in try objects.object(id, of: entity, for: caller) }
    }

    /// See ``ObjectStore/objects(_:of:for:)``.
    package func objects(
        _ ids: [ObjectID],
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> [Object] {
        try objects { objects throws(SharingError) in try objects.objects(ids, of: entity, for: caller) }
    }

    /// See ``ObjectStore/objects(_:for:)``.
    package func objects(_ query: ObjectQuery, for caller: ObjectCaller) async throws(SharingError)
        -> ObjectPage
    {
        try objects { objects throws(SharingError) in try objects.objects(query, for: caller) }
    }

    /// See ``ObjectStore/forEachPlacedObject(batch:_:)``.
    package func forEachPlacedObject(
        batch: Int,
        _ body: @escaping @Sendable ([ObjectRecord]) -> Void
    ) async throws(SharingError) {
        let placed = try objects { $0.placedObjects() }
        for start in stride(from: 0, to: placed.count, by: max(1, batch)) {
            body(Array(placed[start..<min(placed.count, start + max(1, batch))]))
        }
    }
}
