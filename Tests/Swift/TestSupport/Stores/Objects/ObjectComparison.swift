import Synchronization
import Testing
import YonderGeodesy
import YonderModel
package import YonderRules

/// Does the same to two stores of objects, at random, and expects the same of both.
package struct ObjectComparison {
    private let stores: [any ObjectStore]
    private var random: SeededGenerator
    private var time = ObjectSamples.time
    private var objects: [(entity: EntityName, id: ObjectID, updated: Timestamp)] = []
    private let seed: UInt64

    private static let names = [
        ObjectSamples.places.name, ObjectSamples.entity("bench"), ObjectSamples.entity("c"),
    ]

    /// Prepares two empty stores.
    package init(_ one: any ObjectStore, _ other: any ObjectStore, seed: UInt64) {
        stores = [one, other]
        random = SeededGenerator(seed: seed)
        self.seed = seed
    }

    /// Does `count` things and compares what both stores say.
    package mutating func run(_ count: Int) async {
        for step in 0..<count {
            time = time + .milliseconds(Int64.random(in: -1...2, using: &random))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<8: await createEntity(step)
            case 8..<14: await changeEntity(step)
            case 14..<16: await deleteEntity(step)
            case 16..<75: await change(step)
            default: await read(step)
            }
        }
        await compareAll(count)
    }

    private mutating func compare<Value: Equatable & Sendable>(
        _ step: Int,
        _ body: (any ObjectStore) async throws(SharingError) -> Value
    ) async -> Value? {
        var outcomes: [Result<Value, SharingError>] = []
        for store in stores {
            do throws(SharingError) {
                outcomes.append(.success(try await body(store)))
            } catch {
                outcomes.append(.failure(error))
            }
        }
        #expect(outcomes[0].code == outcomes[1].code, "seed \(seed), step \(step)")
        let values = outcomes.map { try? $0.get() }
        #expect(values[0] == values[1], "seed \(seed), step \(step)")
        return values[0]
    }

    private mutating func name() -> EntityName {
        Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
    }

    private mutating func caller() -> ObjectCaller {
        Int.random(in: 0..<10, using: &random) > 0
            ? .owner : [.anyone, .member][Int.random(in: 0..<2, using: &random)]
    }

    private mutating func definition() -> EntityDefinition {
        var fields = ObjectSamples.places.fields
        if Int.random(in: 0..<3, using: &random) == 0 {
            fields.remove(at: Int.random(in: 0..<fields.count, using: &random))
        }
        if Bool.random(using: &random) { fields.append(Field(ObjectSamples.field("extra"), .text)) }
        let readers = EntityReaders.allCases.randomElement(using: &random) ?? .members
        return EntityDefinition(name(), readers: readers, fields: fields)
    }

    private mutating func createEntity(_ step: Int) async {
        let (definition, caller, time) = (definition(), caller(), time)
        _ = await compare(step) { store throws(SharingError) in
            try await store.createEntity(definition, by: caller, at: time)
        }
    }

    private mutating func changeEntity(_ step: Int) async {
        let (definition, caller, time) = (definition(), caller(), time)
        _ = await compare(step) { store throws(SharingError) in
            try await store.changeEntity(definition, by: caller, at: time)
        }
    }

    private mutating func deleteEntity(_ step: Int) async {
        let (name, caller) = (name(), caller())
        _ = await compare(step) { store throws(SharingError) in
            try await store.deleteEntity(name, by: caller)
            return true
        }
    }

    private mutating func change(_ step: Int) async {
        let some = objects.randomElement(using: &random)
        let id = some?.id ?? .random(using: &random)
        var fields = ObjectSamples.fields(
            of: ObjectSamples.places,
            referringTo: objects.map(\.id) + [id],
            using: &random
        ).mapValues(Optional.some)
        let expected = Bool.random(using: &random) ? some?.updated : nil
        let action: ObjectSubmission.Action
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            // Sometimes the id of an object that is there.
            let isNew = Int.random(in: 0..<8, using: &random) > 0
            action = .create(fields.compactMapValues(\.self), id: isNew ? .random(using: &random) : id)
        case 5..<8:
            for name in fields.keys.sorted() where Int.random(in: 0..<4, using: &random) == 0 {
                fields.updateValue(nil, forKey: name)
            }
            action = .change(id, fields, ifUpdated: expected)
        default: action = .delete(id, ifUpdated: expected)
        }
        let entity = Int.random(in: 0..<9, using: &random) == 0 ? name() : some?.entity ?? name()
        let submission = ObjectSubmission(entity: entity, caller: caller(), action: action, time: time)
        let change = await compare(step) { store throws(SharingError) in try await store.change(submission) }
        guard let after = change?.after else { return }
        objects.removeAll { $0.id == after.id }
        objects.append((after.entity, after.id, after.updated))
    }

    private mutating func read(_ step: Int) async {
        let (caller, some) = (caller(), objects.randomElement(using: &random))
        let entity = some?.entity ?? name()
        let id = some?.id ?? .random(using: &random)
        let criteria: [ObjectCriteria] = [
            .all, .where(.field(ObjectSamples.field("rating")), .less(.number(1))),
            !.where(.field(ObjectSamples.field("name")), .contains("A")),
            .where(.updated, .atLeast(.date(time))),
        ]
        let query = ObjectQuery(
            entity,
            where: criteria[Int.random(in: 0..<criteria.count, using: &random)],
            after: Bool.random(using: &random)
                ? nil : ObjectCursor(place: Int64.random(in: 0...40, using: &random)),
            limit: Int.random(in: 1...9, using: &random)
        )
        _ = await compare(step) { store throws(SharingError) in
            try await store.object(id, of: entity, for: caller)
        }
        _ = await compare(step) { store throws(SharingError) in try await store.objects(query, for: caller) }
        _ = await compare(step) { store throws(SharingError) in try await store.entities(for: caller) }
    }

    private mutating func compareAll(_ step: Int) async {
        for name in Self.names {
            let query = ObjectQuery(name, limit: 1_000)
            _ = await compare(step) { store throws(SharingError) in
                try await store.objects(query, for: .owner)
            }
        }
        _ = await compare(step) { store throws(SharingError) in
            let records = Mutex<[ObjectRecord]>([])
            try await store.forEachPlacedObject(batch: 7) { batch in records.withLock { $0 += batch } }
            return records.withLock(\.self)
        }
    }
}

extension Result where Failure == SharingError {
    fileprivate var code: SharingError.Code? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }
}
