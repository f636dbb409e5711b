import Synchronization
package import YonderGeodesy
package import YonderModel

/// Entities, and where their objects are, in memory: regions and distances are answered without the disk.
///
/// Every change of an entity or an object goes through here to the store. What the store has committed is here before
/// anyone has its answer, in the order of the commits. Beside each object's place its fields are kept, as the bytes that the
/// wire has. Objects without a place are on the disk alone.
package final class Places: Sendable {
    /// An entity and what it has on the map.
    struct Entry: Sendable {
        var entity: Entity
        let index: PlaceIndex

        /// Whether it is being made or deleted: not there for anyone.
        var isHidden = false
    }

    /// Keeps entities and objects; for reading what is not about places.
    package let store: any ObjectStore

    private let catalog: Mutex<[EntityName: Entry]>
    private let observers = Mutex<[@Sendable (EntityName) -> Void]>([])

    /// Definitions change one at a time, so that the catalog has them in the order of the store.
    private let definitions = Turnstile(places: 1, waiting: 256)

    /// Queries that look at many objects, two at a time.
    let visits = Turnstile(places: 2, waiting: 64)

    /// How many objects an entity may have to be listed in an order of the caller's.
    let sortingLimit: Int

    /// What ``sortingLimit`` is if nobody says.
    package static let defaultSortingLimit = 1_000_000

    /// Reads from the store what is on the map.
    ///
    /// Takes some seconds for a million objects.
    ///
    /// - Throws: `unavailable`.
    package static func load(from store: any ObjectStore, sortingLimit: Int = defaultSortingLimit)
        async throws(SharingError) -> Places
    {
        let loading = PlaceLoading(try await store.entities(for: .owner))
        try await store.forEachPlacedObject(batch: 4_096) { loading.take($0) }
        return Places(store: store, loading.finish(), sortingLimit)
    }

    private init(store: any ObjectStore, _ catalog: [EntityName: Entry], _ sortingLimit: Int) {
        self.store = store
        self.sortingLimit = sortingLimit
        self.catalog = Mutex(catalog)
    }

    // MARK: Entities

    /// How many objects are on the map.
    package var count: Int {
        catalog.withLock { $0.values.map(\.index) }.reduce(0) { $0 + $1.count }
    }

    /// The definition of an entity, if `caller` may read it.
    ///
    /// Its number of objects is not kept here: the store knows it.
    ///
    /// - Throws: `unknownEntity`.
    package func definition(of name: EntityName, for caller: ObjectCaller) throws(SharingError) -> Entity {
        try entry(name, for: caller).entity
    }

    /// Whether it takes an owner to read an entity; `false` if there is none of this name.
    package func isForOwners(_ name: EntityName) -> Bool {
        catalog.withLock { $0[name]?.entity.definition.readers == .owners }
    }

    /// Has `body` called whenever an entity has another definition or is gone; the catalog says so by then.
    func onDefinitionChange(_ body: @escaping @Sendable (EntityName) -> Void) {
        observers.withLock { $0.append(body) }
    }

    private func tellObservers(of name: EntityName) {
        for observer in observers.withLock({ $0 }) { observer(name) }
    }

    /// Makes an entity, which is on disk when this returns.
    ///
    /// - Throws: What the store's `createEntity` throws.
    package func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp
    ) async throws(SharingError) -> Entity {
        try await definitions.pass { () async throws(SharingError) in
            // The map has it before the store: an object could be kept before the store's answer is here.
            let coming = Entity(definition, created: time, updated: time)
            var entry = Entry(entity: coming, index: PlaceIndex(), isHidden: true)
            let isNew = catalog.withLock { [entry] catalog in
                guard catalog[coming.name] == nil else { return false }
                catalog[coming.name] = entry
                return true
            }
            do throws(SharingError) {
                entry.entity = try await store.createEntity(definition, by: caller, at: time)
            } catch {
                if isNew { catalog.withLock { $0[coming.name] = nil } }
                throw error
            }
            entry.isHidden = false
            catalog.withLock { [entry] in $0[coming.name] = entry }
            return entry.entity
        }
    }

    /// Changes the definition of an entity, which is on disk when this returns.
    ///
    /// - Throws: What `change` and the store's `changeEntity` throw.
    package func changeEntity(
        _ name: EntityName,
        by caller: ObjectCaller,
        at time: Timestamp,
        _ change: (inout EntityDefinition) throws(SharingError) -> Void
    ) async throws(SharingError) -> Entity {
        try await definitions.pass { () async throws(SharingError) in
            var definition = try EntityRules.writable(entity(name), by: caller).definition
            try change(&definition)
            let entity = try await store.changeEntity(definition, by: caller, at: time)
            catalog.withLock { $0[name]?.entity = entity }
            tellObservers(of: name)
            return entity
        }
    }

    /// Deletes an entity with all its objects.
    ///
    /// It is gone for everyone at once; clearing a million objects away takes the store a while.
    ///
    /// - Throws: What the store's `deleteEntity` throws.
    package func deleteEntity(_ name: EntityName, by caller: ObjectCaller) async throws(SharingError) {
        try await definitions.pass { () async throws(SharingError) in
            try EntityRules.checkDeletion(of: name, by: caller, among: entities)
            catalog.withLock { $0[name]?.isHidden = true }
            tellObservers(of: name)
            do throws(SharingError) {
                try await store.deleteEntity(name, by: caller)
            } catch {
                // It may be gone nevertheless, and only its objects not be cleared away yet.
                await forget(name, unless: isStored(name))
                throw error
            }
            forget(name, unless: false)
        }
    }

    private func isStored(_ name: EntityName) async -> Bool {
        do throws(SharingError) {
            _ = try await store.entity(name, for: .owner)
            return true
        } catch {
            return error.code != .unknownEntity
        }
    }

    private func forget(_ name: EntityName, unless isStored: Bool) {
        catalog.withLock { catalog in
            if isStored { catalog[name]?.isHidden = false } else { catalog[name] = nil }
        }
    }

    private var entities: [EntityName: Entity] {
        catalog.withLock { $0.filter { !$0.value.isHidden }.mapValues(\.entity) }
    }

    private func entity(_ name: EntityName) -> Entity? {
        catalog.withLock { catalog in
            guard let entry = catalog[name], !entry.isHidden else { return nil }
            return entry.entity
        }
    }

    /// An entity and its places.
    func entry(_ name: EntityName, for caller: ObjectCaller) throws(SharingError) -> Entry {
        let entry = catalog.withLock { $0[name] }
        guard let entry, !entry.isHidden, entry.entity.mayBeRead(by: caller) else { throw .unknownEntity }
        return entry
    }

    /// An entity with its places at one instant, of which all fit the definition.
    func snapshot(of name: EntityName, for caller: ObjectCaller) throws(SharingError)
        -> (Entity, PlaceSnapshot)
    {
        // In one step: an object with a field of a newer definition comes after that definition.
        let taken = catalog.withLock { catalog in
            catalog[name].map { ($0, $0.index.snapshot()) }
        }
        guard let (entry, snapshot) = taken, !entry.isHidden, entry.entity.mayBeRead(by: caller) else {
            throw .unknownEntity
        }
        return (entry.entity, snapshot)
    }

    // MARK: Objects

    /// Takes submissions, in order, and answers each after the commit that holds it; the map has it by then.
    ///
    /// As the store's `change`, to which they go.
    package func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        store.change(submissions) { results in
            self.committed(results)
            completion(results)
        }
    }

    /// Takes one submission and answers after its commit.
    ///
    /// - Throws: What the store's `change` answers with.
    @discardableResult
    package func change(_ submission: ObjectSubmission) async throws(SharingError) -> ObjectChange {
        let result = await withCheckedContinuation { continuation in
            change([submission]) { results in
                let missing = SharingError(.internalError, "The store gave no answer.")
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get()
    }

    /// Passes a commit's changes on, those of one entity together and in order.
    private func committed(_ results: [Result<ObjectChange, SharingError>]) {
        var changes: [EntityName: [ObjectChange]] = [:]
        for case .success(let change) in results {
            guard let name = (change.after ?? change.before)?.entity else { continue }
            changes[name, default: []].append(change)
        }
        for (name, changes) in changes { catalog.withLock { $0[name]?.index }?.apply(changes) }
    }
}
