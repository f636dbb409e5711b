import Testing
import YonderGeodesy
import YonderModel
package import YonderRules

/// A promise that every store of objects keeps, as a test: its name says what.
package struct ObjectRule: Sendable, CustomTestStringConvertible {
    /// The promise.
    package let testDescription: String

    /// Tries it on an empty store.
    package let check: @Sendable (any ObjectStore) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (ObjectTown) async throws -> Void) {
        testDescription = name
        self.check = { store in try await check(ObjectTown(store: store)) }
    }

    /// All of them.
    package static let all = entities + schemas + writing + references + reading
}

/// A store with an entity of places, in the hands of its owner.
struct ObjectTown: Sendable {
    let store: any ObjectStore
    let places = ObjectSamples.places
    let name = ObjectSamples.field("name")
    let rating = ObjectSamples.field("rating")
    let near = ObjectSamples.field("near")
    let at = ObjectSamples.field("at")
    let now = ObjectSamples.time

    @discardableResult
    func define(_ definition: EntityDefinition = ObjectSamples.places) async throws -> Entity {
        try await store.createEntity(definition, by: .owner, at: now)
    }

    func submission(
        _ action: ObjectSubmission.Action,
        by caller: ObjectCaller = .owner,
        in entity: EntityName = ObjectSamples.places.name
    ) -> ObjectSubmission {
        ObjectSubmission(entity: entity, caller: caller, action: action, time: now)
    }

    @discardableResult
    func make(_ name: String, _ fields: [FieldName: FieldValue] = [:]) async throws -> Object {
        var fields = fields
        fields[self.name] = .text(name)
        let change = try await store.change(submission(.create(fields)))
        return try #require(change.after)
    }

    @discardableResult
    func change(_ id: ObjectID, _ fields: [FieldName: FieldValue?], ifUpdated: Timestamp? = nil)
        async throws -> ObjectChange
    {
        try await store.change(submission(.change(id, fields, ifUpdated: ifUpdated)))
    }

    @discardableResult
    func delete(_ id: ObjectID, ifUpdated: Timestamp? = nil) async throws -> ObjectChange {
        try await store.change(submission(.delete(id, ifUpdated: ifUpdated)))
    }

    func object(_ id: ObjectID) async throws -> Object {
        try await store.object(id, of: places.name, for: .owner)
    }

    func all(where criteria: ObjectCriteria = .all) async throws -> [Object] {
        try await store.objects(ObjectQuery(places.name, where: criteria), for: .owner).objects
    }

    func count() async throws -> Int {
        try await store.entity(places.name, for: .owner).count
    }
}
