import YonderGeodesy
import YonderModel
import YonderRules

/// Entities and objects in memory.
struct MemoryObjects: Sendable {
    private struct Row: Sendable {
        let place: Int64
        var object: Object
    }

    private var entities: [EntityName: Entity] = [:]
    private var rows: [ObjectID: Row] = [:]
    private var order = CreationOrder()

    /// The objects that refer to an object, by its id.
    private var sources: [ObjectID: Set<ObjectID>] = [:]

    func entities(for caller: ObjectCaller) -> [Entity] {
        entities.values.filter { $0.mayBeRead(by: caller) }.sorted { $0.name < $1.name }
    }

    func entity(_ name: EntityName, for caller: ObjectCaller) throws(SharingError) -> Entity {
        try EntityRules.readable(entities[name], by: caller)
    }

    mutating func create(_ definition: EntityDefinition, by caller: ObjectCaller, at time: Timestamp)
        throws(SharingError) -> Entity
    {
        let entity = try EntityRules.create(definition, by: caller, among: entities, at: time)
        entities[entity.name] = entity
        return entity
    }

    mutating func change(_ definition: EntityDefinition, by caller: ObjectCaller, at time: Timestamp)
        throws(SharingError) -> Entity
    {
        let entity = try EntityRules.change(definition, by: caller, among: entities, at: time)
        entities[entity.name] = entity
        return entity
    }

    mutating func delete(_ name: EntityName, by caller: ObjectCaller) throws(SharingError) {
        try EntityRules.checkDeletion(of: name, by: caller, among: entities)
        entities[name] = nil
        for (_, id) in order.removeAll(of: name) {
            guard let row = rows.removeValue(forKey: id) else { continue }
            forget(row.object)
        }
    }

    mutating func change(_ submission: ObjectSubmission) -> Result<ObjectChange, SharingError> {
        do throws(SharingError) {
            return .success(try accept(submission))
        } catch {
            return .failure(error)
        }
    }

    private mutating func accept(_ submission: ObjectSubmission) throws(SharingError) -> ObjectChange {
        let entity = try EntityRules.writable(entities[submission.entity], by: submission.caller)
        let id = submission.object
        let surroundings = ObjectRules.Surroundings(
            object: object(id, of: entity.name),
            isTaken: rows[id].map { $0.object.entity != entity.name } ?? false,
            targets: targets(of: submission),
            isReferenced: isReferenced(id)
        )
        let decision = try ObjectRules.decide(submission, in: entity, surroundings)
        if decision.isChange { apply(decision.change) }
        return decision.change
    }

    private func targets(of submission: ObjectSubmission) -> [ObjectID: EntityName] {
        var targets: [ObjectID: EntityName] = [:]
        for id in submission.references { targets[id] = rows[id]?.object.entity }
        return targets
    }

    private func isReferenced(_ id: ObjectID) -> Bool {
        sources[id]?.contains { $0 != id } ?? false
    }

    private mutating func apply(_ change: ObjectChange) {
        if let before = change.before { forget(before) }
        if let after = change.after {
            for target in after.references { sources[target, default: []].insert(after.id) }
            let place = rows[after.id]?.place ?? order.append(after.id, of: after.entity)
            rows[after.id] = Row(place: place, object: after)
            if change.before == nil { entities[after.entity]?.count += 1 }
        } else if let before = change.before, let row = rows.removeValue(forKey: before.id) {
            order.remove(row.place, of: before.entity)
            entities[before.entity]?.count -= 1
        }
    }

    /// Forgets what an object refers to.
    private mutating func forget(_ object: Object) {
        for target in object.references {
            sources[target]?.remove(object.id)
            if sources[target]?.isEmpty == true { sources[target] = nil }
        }
    }

    private func object(_ id: ObjectID, of entity: EntityName) -> Object? {
        guard let object = rows[id]?.object, object.entity == entity else { return nil }
        return object
    }

    func object(_ id: ObjectID, of name: EntityName, for caller: ObjectCaller) throws(SharingError) -> Object
    {
        let entity = try entity(name, for: caller)
        guard let object = object(id, of: entity.name) else { throw .unknownObject }
        return object
    }

    func objects(_ ids: [ObjectID], of name: EntityName, for caller: ObjectCaller) throws(SharingError)
        -> [Object]
    {
        let entity = try entity(name, for: caller)
        return ids.prefix(ObjectQuery.maximumLimit).compactMap { object($0, of: entity.name) }
    }

    func objects(_ query: ObjectQuery, for caller: ObjectCaller) throws(SharingError) -> ObjectPage {
        try query.criteria.check(in: try entity(query.entity, for: caller))
        var builder = ObjectPageBuilder(query)
        for (place, id) in order.list(of: query.entity, after: query.cursor) {
            guard let object = rows[id]?.object else { continue }
            let byteCount = FieldValue.json(object.fields).count
            guard builder.take(at: place, byteCount: byteCount, { object }) else { break }
        }
        return builder.page
    }

    func placedObjects() -> [ObjectRecord] {
        rows.values.lazy.filter { $0.object.location?.coordinate != nil }
            .sorted { $0.place < $1.place }.map { ObjectRecord($0.object) }
    }
}

/// The order in which the objects of each entity were created.
private struct CreationOrder: Sendable {
    private var lists: [EntityName: [(place: Int64, id: ObjectID)]] = [:]
    private var last: Int64 = 0

    mutating func append(_ id: ObjectID, of entity: EntityName) -> Int64 {
        last += 1
        lists[entity, default: []].append((last, id))
        return last
    }

    mutating func remove(_ place: Int64, of entity: EntityName) {
        guard let list = lists[entity] else { return }
        let index = Self.index(in: list, after: place - 1)
        if index < list.count, list[index].place == place { lists[entity]?.remove(at: index) }
    }

    mutating func removeAll(of entity: EntityName) -> [(place: Int64, id: ObjectID)] {
        lists.removeValue(forKey: entity) ?? []
    }

    func list(of entity: EntityName, after cursor: ObjectCursor?) -> ArraySlice<(place: Int64, id: ObjectID)>
    {
        guard let list = lists[entity] else { return [] }
        return list[Self.index(in: list, after: cursor?.place ?? 0)...]
    }

    /// The index of the first place greater than `place`.
    private static func index(in list: [(place: Int64, id: ObjectID)], after place: Int64) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].place <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
