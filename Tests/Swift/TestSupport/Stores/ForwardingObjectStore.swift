package import YonderModel
package import YonderRules

/// A store of objects over another one, to which it forwards reads by callers; for a test that changes the rest.
package protocol ForwardingObjectStore: ObjectStore {
    /// The store that answers.
    var store: MemoryStore { get }
}

extension ForwardingObjectStore {
    /// See ``ObjectStore/entities(for:)``.
    package func entities(for caller: ObjectCaller) async throws(SharingError) -> [Entity] {
        try await store.entities(for: caller)
    }

    /// See ``ObjectStore/entity(_:for:)``.
    package func entity(_ name: EntityName, for caller: ObjectCaller) async throws(SharingError) -> Entity {
        try await store.entity(name, for: caller)
    }

    /// See ``ObjectStore/object(_:of:for:)``.
    package func object(_ id: ObjectID, of entity: EntityName, for caller: ObjectCaller)
        async throws(SharingError) -> Object
    {
        try await store.object(id, of: entity, for: caller)
    }

    /// See ``ObjectStore/objects(_:of:for:)``.
    package func objects(_ ids: [ObjectID], of entity: EntityName, for caller: ObjectCaller)
        async throws(SharingError) -> [Object]
    {
        try await store.objects(ids, of: entity, for: caller)
    }

    /// See ``ObjectStore/objects(_:for:)``.
    package func objects(_ query: ObjectQuery, for caller: ObjectCaller) async throws(SharingError)
        -> ObjectPage
    {
        try await store.objects(query, for: caller)
    }

    /// See ``ObjectStore/forEachPlacedObject(batch:_:)``.
    package func forEachPlacedObject(batch: Int, _ body: @escaping @Sendable ([ObjectRecord]) -> Void)
        async throws(SharingError)
    {
        try await store.forEachPlacedObject(batch: batch, body)
    }
}
