package import YonderGeodesy
package import YonderModel

/// The rules for creating, changing and deleting entities.
///
/// Every store calls them, so that all decide alike.
///
/// The stores call `create`, `change` and `checkDeletion` inside the transaction that holds all entities. The object
/// catalog, the endpoints and the stores call `readable` and `writable` before they answer. Plain functions: the same
/// arguments give the same decision, and a refusal changes nothing. That the definition of an entity with objects only
/// grows must stay, because stored objects are read by it (`EntityRulesTests`, `Documentation/objects.md`).
package enum EntityRules {
    /// Decides whether an entity may be created.
    ///
    /// - Throws: ``SharingError`` with code `notAllowed`, `tooMany`, `invalidField`, `entityExists` or
    ///   `unknownReference`.
    package static func create(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        among entities: [EntityName: Entity],
        at time: Timestamp
    ) throws(SharingError) -> Entity {
        guard caller == .owner else { throw .ownersOnly }
        try definition.check()
        guard entities[definition.name] == nil else {
            throw SharingError(
                .entityExists,
                "There is an entity \(definition.name) already; choose another name."
            )
        }
        guard entities.count < Entity.limit else {
            throw SharingError(
                .tooMany,
                "The server has \(Entity.limit) entities, the most that are allowed; delete one first."
            )
        }
        try checkTargets(of: definition, among: entities)
        return Entity(definition, created: time, updated: time)
    }

    /// Decides whether an entity's definition may be changed.
    ///
    /// Readers and the order of fields may change at any time, and optional fields may be added at any time.
    /// While the entity has objects, no field may be removed, get another type or become required, and no new
    /// field may be required.
    ///
    /// - Throws: ``SharingError`` with code `unknownEntity`, `notAllowed`, `tooMany`, `invalidField`,
    ///   `unknownReference` or `entityInUse`.
    package static func change(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        among entities: [EntityName: Entity],
        at time: Timestamp
    ) throws(SharingError) -> Entity {
        var entity = try writable(definition.name, by: caller, among: entities)
        try definition.check()
        try checkTargets(of: definition, among: entities)
        if entity.count > 0 { try checkCompatible(definition, with: entity) }
        guard definition != entity.definition else { return entity }
        entity.definition = definition
        entity.updated = time.after(entity.updated)
        return entity
    }

    /// Decides whether an entity may be deleted together with its objects: not while another entity refers to
    /// it.
    ///
    /// - Throws: ``SharingError`` with code `unknownEntity`, `notAllowed` or `entityInUse`.
    package static func checkDeletion(
        of name: EntityName,
        by caller: ObjectCaller,
        among entities: [EntityName: Entity]
    ) throws(SharingError) {
        _ = try writable(name, by: caller, among: entities)
        for (other, entity) in entities where other != name {
            guard !entity.definition.fields.contains(where: { $0.type.target == name }) else {
                throw SharingError(.entityInUse, "\(other) has a field that refers to \(name).")
            }
        }
    }

    /// Returns the entity if `caller` may read it.
    ///
    /// - Throws: ``SharingError`` with code `unknownEntity`.
    package static func readable(_ entity: Entity?, by caller: ObjectCaller) throws(SharingError) -> Entity {
        guard let entity, entity.mayBeRead(by: caller) else { throw .unknownEntity }
        return entity
    }

    /// Returns the entity if `caller` may write its objects and its definition.
    ///
    /// - Throws: ``SharingError`` with code `unknownEntity` or `notAllowed`.
    package static func writable(_ entity: Entity?, by caller: ObjectCaller) throws(SharingError) -> Entity {
        let entity = try readable(entity, by: caller)
        guard caller == .owner else { throw .ownersOnly }
        return entity
    }

    private static func writable(
        _ name: EntityName,
        by caller: ObjectCaller,
        among entities: [EntityName: Entity]
    ) throws(SharingError) -> Entity {
        try writable(entities[name], by: caller)
    }

    private static func checkTargets(
        of definition: EntityDefinition,
        among entities: [EntityName: Entity]
    ) throws(SharingError) {
        for target in definition.fields.compactMap(\.type.target) {
            guard target == definition.name || entities[target] != nil else {
                throw SharingError(
                    .unknownReference,
                    "fields: the entity \(target) doesn't exist; a reference must name an existing entity."
                )
            }
        }
    }

    private static func checkCompatible(_ definition: EntityDefinition, with entity: Entity)
        throws(SharingError)
    {
        let wanted = Dictionary(uniqueKeysWithValues: definition.fields.map { ($0.name, $0) })
        for field in entity.definition.fields {
            guard let new = wanted[field.name], new.type == field.type else {
                throw inUse("\(field.name) can't be removed or get another type", entity)
            }
        }
        for field in definition.fields where field.isRequired {
            guard entity.field(field.name)?.isRequired == true else {
                throw inUse("\(field.name) can't be required", entity)
            }
        }
    }

    private static func inUse(_ what: String, _ entity: Entity) -> SharingError {
        SharingError(.entityInUse, "\(what) while \(entity.name) has \(entity.count) objects.")
    }
}

extension Timestamp {
    /// This time, or one millisecond after `other` if this time isn't later: a clock may return the same time
    /// twice.
    func after(_ other: Timestamp) -> Timestamp {
        self > other ? self : other + .milliseconds(1)
    }
}
