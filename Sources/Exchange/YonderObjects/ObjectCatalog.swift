import Synchronization
import YonderBus
package import YonderGeodesy
package import YonderModel
package import YonderRules

/// The entities, and the positions of their objects in memory: region and distance queries don't read the
/// disk.
///
/// Every change of an entity or an object goes through here to the store. A committed change is in memory
/// before the caller receives the answer, in the order of the commits. Each object's fields are kept beside
/// its position, encoded as on the wire. Objects without a position are only on disk.
///
/// `ServerProcess` loads it at the start, which fails if the store can't be read. Endpoints of both object APIs, imports
/// and the demo change and read through it, on any thread; event loops watch its indexes. A refusal or a failed write
/// leaves the memory as it was.
///
/// Nothing may write objects past the catalog, or maps show what isn't so. A definition that another node changed is
/// read again (decisions 10 and 34, `ObjectCatalogTests`, `ObjectNodesTests`).
///
/// The order *store, memory, answer* must stay; ``defaultSortingLimit`` may be changed, and bounds the memory of a sort.
package final class ObjectCatalog: Sendable {
    /// An entity and its objects on the map.
    package struct Entry: Sendable {
        package var entity: Entity
        package let index: ObjectIndex

        /// The entity's number in a store that other nodes write to, too.
        var number: Int64 = 0

        /// Whether the entity is being created or deleted, and so hidden from every caller.
        var isHidden = false
    }

    /// The store of entities and objects, for reads by name or id; a query goes by way of the catalog, where it takes turns.
    package let store: any ObjectStore

    let entries: Mutex<[EntityName: Entry]>
    private let observers = Mutex<[@Sendable (EntityName) -> Void]>([])

    /// The lanes of a store that other nodes write to, too; `nil` for a server that is alone.
    let shared: SharedLanes?

    /// Runs one change of definitions at a time, so that the catalog has them in the store's order.
    let definitions = Turnstile(admitting: 1, waiting: 256)

    /// Limits queries that read many objects to two at a time, one of them a stranger's.
    let visits = Turnstile(admitting: 2, waiting: 64)

    /// The most objects of an entity that can be listed in an order of the caller's.
    let sortingLimit: Int

    /// The ``sortingLimit`` if none is configured.
    package static let defaultSortingLimit = 1_000_000

    /// Reads every object with a position from the store.
    ///
    /// Takes some seconds for a million objects.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - log: The store's numbered changes, which the catalog follows while ``follow(uptime:sleep:)`` runs; `nil` if no other node
    ///     writes to the store.
    ///   - sortingLimit: The most objects of an entity that can be listed in an order of the caller's.
    /// - Returns: The catalog.
    /// - Throws: `unavailable`.
    package static func load(
        from store: any ObjectStore,
        log: (any ObjectLog)? = nil,
        sortingLimit: Int = defaultSortingLimit
    ) async throws(SharingError) -> ObjectCatalog {
        guard let log else {
            let loading = IndexLoading(try await store.entities(for: .owner))
            try await store.forEachPlacedObject(batch: 4_096) { loading.take($0) }
            return ObjectCatalog(store: store, loading.finish(), sortingLimit)
        }
        // The numbers are read before the objects: a change in between is received once more.
        let lasts = try await log.lasts()
        let stored = try await log.definitions()
        let loading = IndexLoading(stored.map(\.entity))
        try await store.forEachPlacedObject(batch: 4_096) { loading.take($0) }
        var entries = loading.finish()
        for entity in stored { entries[entity.entity.name]?.number = entity.number }
        let shared = SharedLanes(log, LaneTable(stored, lasts: lasts))
        return ObjectCatalog(store: store, entries, sortingLimit, shared)
    }

    private init(
        store: any ObjectStore,
        _ entries: [EntityName: Entry],
        _ sortingLimit: Int,
        _ shared: SharedLanes? = nil
    ) {
        self.store = store
        self.shared = shared
        self.sortingLimit = sortingLimit
        self.entries = Mutex(entries)
    }

    // MARK: Entities

    /// The number of objects on the map.
    package var count: Int {
        entries.withLock { $0.values.map(\.index) }.reduce(0) { $0 + $1.count }
    }

    /// The definition of an entity that `caller` may read.
    ///
    /// The entity's count of objects isn't kept up to date here; ask the store for it.
    ///
    /// - Throws: `unknownEntity`.
    package func definition(of name: EntityName, for caller: ObjectCaller) throws(SharingError) -> Entity {
        try entry(name, for: caller).entity
    }

    /// Whether only owners may read an entity; `false` if there is none of this name.
    package func isForOwners(_ name: EntityName) -> Bool {
        entries.withLock { $0[name]?.entity.definition.readers == .owners }
    }

    /// Registers `body` to be called after each change of an entity's definition, and after an entity was
    /// deleted.
    package func onDefinitionChange(_ body: @escaping @Sendable (EntityName) -> Void) {
        observers.withLock { $0.append(body) }
    }

    func tellObservers(of name: EntityName) {
        for observer in observers.withLock({ $0 }) { observer(name) }
    }

    /// Creates an entity, which is on disk when this returns.
    ///
    /// - Throws: The errors of the store's `createEntity`.
    package func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        if let shared {
            return try await define(in: shared) { () async throws(SharingError) in
                try await store.createEntity(definition, by: caller, at: time, under: warrant)
            }
        }
        return try await definitions.pass(.server) { () async throws(SharingError) in
            // Added before the store commits: an object could be committed before the store's
            // answer arrives.
            let coming = Entity(definition, created: time, updated: time)
            var entry = Entry(entity: coming, index: ObjectIndex(), isHidden: true)
            let isNew = entries.withLock { [entry] entries in
                guard entries[coming.name] == nil else { return false }
                entries[coming.name] = entry
                return true
            }
            do throws(SharingError) {
                entry.entity = try await store.createEntity(definition, by: caller, at: time, under: warrant)
            } catch {
                if isNew { entries.withLock { $0[coming.name] = nil } }
                throw error
            }
            entry.isHidden = false
            entries.withLock { [entry] in $0[coming.name] = entry }
            return entry.entity
        }
    }

    /// Changes the definition of an entity, which is on disk when this returns.
    ///
    /// - Throws: The errors of `change` and of the store's `changeEntity`.
    package func changeEntity(
        _ name: EntityName,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant,
        _ change: (inout EntityDefinition) throws(SharingError) -> Void
    ) async throws(SharingError) -> Entity {
        if let shared {
            return try await define(in: shared) { () async throws(SharingError) in
                // Another node may have changed the definition a moment ago.
                let stored = try await store.entity(name, for: .owner)
                var definition = try EntityRules.writable(stored, by: caller).definition
                try change(&definition)
                return try await store.changeEntity(definition, by: caller, at: time, under: warrant)
            }
        }
        return try await definitions.pass(.server) { () async throws(SharingError) in
            var definition = try EntityRules.writable(entity(name), by: caller).definition
            try change(&definition)
            let entity = try await store.changeEntity(definition, by: caller, at: time, under: warrant)
            entries.withLock { $0[name]?.entity = entity }
            tellObservers(of: name)
            return entity
        }
    }

    /// Deletes an entity with all its objects.
    ///
    /// The entity is hidden from every caller at once; deleting a million objects takes the store a while.
    ///
    /// - Throws: The errors of the store's `deleteEntity`.
    package func deleteEntity(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant)
        async throws(SharingError)
    {
        if let shared {
            return try await delete(name, by: caller, under: warrant, in: shared)
        }
        try await definitions.pass(.server) { () async throws(SharingError) in
            try EntityRules.checkDeletion(of: name, by: caller, among: entities)
            entries.withLock { $0[name]?.isHidden = true }
            tellObservers(of: name)
            do throws(SharingError) {
                try await store.deleteEntity(name, by: caller, under: warrant)
            } catch {
                // The entity may be deleted nevertheless, with only its objects not cleared away yet.
                await forget(name, unless: isStored(name))
                throw error
            }
            forget(name, unless: false)
        }
    }

    private func delete(
        _ name: EntityName,
        by caller: ObjectCaller,
        under warrant: Warrant,
        in shared: SharedLanes
    ) async throws(SharingError) {
        // An entity of which this node has received no definition yet isn't shown here either.
        if (try? EntityRules.checkDeletion(of: name, by: caller, among: entities)) != nil {
            entries.withLock { $0[name]?.isHidden = true }
            tellObservers(of: name)
        }
        // Before this runs, the definitions were read again, and a deleted entity lost its entry. So only an entity that
        // the store still has is shown again.
        defer { forget(name, unless: true) }
        try await define(in: shared) { () async throws(SharingError) in
            try await store.deleteEntity(name, by: caller, under: warrant)
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
        entries.withLock { entries in
            if isStored { entries[name]?.isHidden = false } else { entries[name] = nil }
        }
    }

    private var entities: [EntityName: Entity] {
        entries.withLock { $0.filter { !$0.value.isHidden }.mapValues(\.entity) }
    }

    private func entity(_ name: EntityName) -> Entity? {
        entries.withLock { entries in
            guard let entry = entries[name], !entry.isHidden else { return nil }
            return entry.entity
        }
    }

    /// Returns an entity and its index.
    ///
    /// - Throws: `unknownEntity`.
    package func entry(_ name: EntityName, for caller: ObjectCaller) throws(SharingError) -> Entry {
        let entry = entries.withLock { $0[name] }
        guard let entry, !entry.isHidden, entry.entity.mayBeRead(by: caller) else { throw .unknownEntity }
        return entry
    }

    /// Returns an entity with a snapshot of its objects, all of which match the definition.
    func snapshot(of name: EntityName, for caller: ObjectCaller) throws(SharingError)
        -> (Entity, IndexSnapshot)
    {
        // Both are read in one step: an object with a field of a newer definition is added after that
        // definition.
        let taken = entries.withLock { entries in
            entries[name].map { ($0, $0.index.snapshot()) }
        }
        guard let (entry, snapshot) = taken, !entry.isHidden, entry.entity.mayBeRead(by: caller) else {
            throw .unknownEntity
        }
        return (entry.entity, snapshot)
    }

    // MARK: Objects

    /// Passes submissions to the store's `change`, and answers each after the commit that holds it.
    ///
    /// The map includes each change before `completion` is called.
    package func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        if let shared { return commit(submissions, to: shared, completion: completion) }
        store.change(submissions) { results in
            self.committed(results)
            completion(results)
        }
    }

    /// Commits one submission and returns its change.
    ///
    /// - Throws: The errors of the store's `change`.
    @discardableResult
    package func change(_ submission: ObjectSubmission) async throws(SharingError) -> ObjectChange {
        let result = await withCheckedContinuation { continuation in
            change([submission]) { results in
                let missing = SharingError(
                    .internalError,
                    "The store didn't answer; read the object before you send the change again."
                )
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get()
    }

    /// Applies a commit's changes to the indexes, grouped by entity and in order.
    private func committed(_ results: [Result<ObjectChange, SharingError>]) {
        var changes: [EntityName: [ObjectChange]] = [:]
        for case .success(let change) in results {
            guard let name = (change.after ?? change.before)?.entity else { continue }
            changes[name, default: []].append(change)
        }
        for (name, changes) in changes { entries.withLock { $0[name]?.index }?.apply(changes) }
    }
}
