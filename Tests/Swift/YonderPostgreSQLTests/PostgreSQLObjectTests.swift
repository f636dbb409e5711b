#if Postgres
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLObjectTests {
    private let name = ObjectSamples.field("name")
    private let near = ObjectSamples.field("near")
    private let places = ObjectSamples.places

    @Test(arguments: ObjectRule.all)
    func `a store in PostgreSQL keeps the rule of objects`(rule: ObjectRule) async throws {
        try await TestDatabase.withStore { try await rule.check($0) }
    }

    @Test(arguments: UInt64(0)..<6)
    func `objects in PostgreSQL are like those in memory, whatever is done`(seed: UInt64) async throws {
        try await TestDatabase.withStore { store in
            var comparison = ObjectComparison(MemoryStore(), store, seed: seed)
            await comparison.run(300)
        }
    }

    @Test func `an entity's count is exact when two nodes make and delete objects at once`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            _ = try await one.createEntity(places, by: .owner, at: ObjectSamples.time)
            let ends = await race(one, other) { store in
                for round in 0..<15 {
                    let made = try await changes(of: store, (0..<8).map { _ in creation("a") })
                    #expect(made.count == 8)
                    guard round % 2 == 0, let id = made.first?.after?.id else { continue }
                    try await store.change(submission(.delete(id)))
                }
            }
            #expect(ends == [nil, nil])
            #expect(try await one.entity(places.name, for: .owner).count == 2 * (15 * 8 - 8))
            #expect(try await all(in: one).count == 2 * (15 * 8 - 8))
        }
    }

    @Test func `an entity that two nodes define at once is made once`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            for round in 0..<10 {
                let definition = EntityDefinition(try #require(EntityName("e\(round)")), fields: [])
                let made = await race(one, other) { store in
                    _ = try await store.createEntity(definition, by: .owner, at: ObjectSamples.time)
                }
                #expect(made == [nil, .entityExists], "round \(round)")
            }
        }
    }

    @Test func `an id that two nodes use at once for objects of two entities is one object`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let benches = EntityDefinition(ObjectSamples.entity("bench"), fields: places.fields)
            for definition in [places, benches] {
                _ = try await one.createEntity(definition, by: .owner, at: ObjectSamples.time)
            }
            for round in 0..<20 {
                let creation = ObjectSubmission.Action.create([name: .text("a")])
                let made = await race([
                    { try await one.change(submission(creation)) },
                    { try await other.change(submission(creation, in: benches.name)) },
                ])
                #expect(made == [nil, .nameTaken], "round \(round)")
            }
        }
    }

    @Test func `no object refers to one that another node deletes at once`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            _ = try await one.createEntity(places, by: .owner, at: ObjectSamples.time)
            for round in 0..<20 {
                let target = try #require(try await one.change(creation("target")).after)
                let reference = submission(.create([name: .text("a"), near: .reference(target.id)]))
                let done = await race([
                    { try await one.change(reference) },
                    { try await other.change(submission(.delete(target.id))) },
                ])
                #expect(done.count { $0 == nil } == 1, "round \(round)")
                #expect(done.last == .objectInUse || done.last == .unknownReference, "round \(round)")
            }
        }
    }

    @Test func `two nodes together keep to the limit of an entity's objects`() async throws {
        try await TestDatabase.with { database in
            try await database.withStore { one in
                try await database.withStore { other in
                    _ = try await one.createEntity(places, by: .owner, at: ObjectSamples.time)
                    try await database.run("UPDATE lane SET count = \(Entity.objectLimit - 3) WHERE lane = 0")
                    let made = await race(times: 10) { time in
                        try await (time % 2 == 0 ? one : other).change(creation("\(time)"))
                    }
                    #expect(made.count { $0 == nil } == 3)
                    #expect(made.count { $0 == .tooMany } == 7)
                    #expect(try await one.entity(places.name, for: .owner).count == Entity.objectLimit)
                }
            }
        }
    }

    @Test func `each lane numbers its changes without gaps, and an object has the number of its last`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
                let ids = (1...40).map { ObjectSamples.id($0) }
                _ = try await changes(of: store, ids.map { submission(.create([name: .text("a")], id: $0)) })
                _ = try await changes(
                    of: store,
                    ids[..<20].map { submission(.change($0, [name: .text("b")])) }
                )
                _ = try await changes(of: store, ids[30...].map { submission(.delete($0)) })
                // In every lane, the numbers of the last changes and of the removals are those given, each once.
                let wrong = try await database.run(
                    """
                    SELECT lane.lane FROM lane WHERE last <> (
                        SELECT count(*) FROM object WHERE object.entity = lane.entity AND id % 16 = lane.lane
                    ) + (SELECT count(*) FROM removed_object WHERE removed_object.lane = lane.lane) * 2 + (
                        SELECT count(*) FROM object WHERE id % 16 = lane.lane AND fields LIKE '%"b"%'
                    ) OR last <> (
                        SELECT max(change) FROM (
                            SELECT change FROM object WHERE id % 16 = lane.lane UNION ALL
                            SELECT change FROM removed_object WHERE removed_object.lane = lane.lane
                        ) AS changes
                    )
                    """
                )
                #expect(wrong == [])
                #expect(try await database.run("SELECT count(*) FROM removed_object") == ["10"])
            }
        }
    }

    @Test func `changes of one call are decided in order, each on what those before have made`() async throws
    {
        try await TestDatabase.withStore { store in
            _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
            let (first, second) = (ObjectSamples.id(1), ObjectSamples.id(2))
            let results = await outcomes(
                of: store,
                [
                    submission(.create([name: .text("a")], id: first)),
                    submission(.create([name: .text("b"), near: .reference(first)], id: second)),
                    submission(.delete(first)),
                    submission(.change(second, [near: .none])),
                    submission(.delete(first)),
                    submission(.create([name: .text("c")], id: first)),
                ]
            )
            #expect(results.map { $0.code } == [nil, nil, .objectInUse, nil, nil, nil])
            #expect(try await all(in: store).map(\.id) == [second, first])
            #expect(try await store.entity(places.name, for: .owner).count == 2)
        }
    }

    @Test func `more changes at once than the queue holds are refused`() async throws {
        try await TestDatabase.withStore { store in
            _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
            let results = await outcomes(of: store, Array(repeating: creation("a"), count: 100_001))
            #expect(results.allSatisfy { $0 == .failure(.storeBusy) })
            try await store.change(creation("a"))
            await store.close()
            await #expect(throws: SharingError.storeBusy) { try await store.change(creation("a")) }
        }
    }

    @Test func `what was queued is written when the store closes`() async throws {
        try await TestDatabase.with { database in
            let answered = Counter()
            try await database.withStore { store in
                _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
                for _ in 0..<500 {
                    store.change([creation("a")]) { results in
                        if case .success = results[0] { answered.next() }
                    }
                }
            }
            #expect(answered.last == 500)
            try await database.withStore { store in
                let count = try await store.entity(places.name, for: .owner).count
                #expect(count == 500)
            }
        }
    }

    @Test
    func `the objects of a deletion that was cut short are hidden, and the next server clears them away`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
                _ = try await changes(of: store, (0..<5).map { creation("\($0)") })
                // Its first transaction alone.
                try await store.once { try await EntityTable.delete(places.name, by: .owner, $0) }
                _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
                #expect(try await all(in: store) == [])
                // What a server does from its start on.
                await store.maintain(now: { Timestamp(milliseconds: 0) }) { throw CancellationError() }
                #expect(try await database.run("SELECT count(*) FROM object") == ["0"])
                #expect(try await database.run("SELECT count(*) FROM removed_entity") == ["0"])
            }
        }
    }

    private func submission(
        _ action: ObjectSubmission.Action,
        in entity: EntityName = ObjectSamples.places.name
    ) -> ObjectSubmission {
        ObjectSubmission(entity: entity, caller: .owner, action: action, time: ObjectSamples.time)
    }

    private func creation(_ text: String) -> ObjectSubmission {
        submission(.create([name: .text(text)]))
    }

    private func all(in store: PostgreSQLStore) async throws -> [Object] {
        try await store.objects(ObjectQuery(places.name, limit: 1_000), for: .owner).objects
    }

    private func outcomes(of store: PostgreSQLStore, _ submissions: [ObjectSubmission]) async -> [Result<
        ObjectChange, SharingError
    >] {
        await withCheckedContinuation { continuation in
            store.change(submissions) { continuation.resume(returning: $0) }
        }
    }

    private func changes(of store: PostgreSQLStore, _ submissions: [ObjectSubmission]) async throws
        -> [ObjectChange]
    {
        try await outcomes(of: store, submissions).map { try $0.get() }
    }
}

extension Result where Failure == SharingError {
    fileprivate var code: SharingError.Code? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }
}
#endif
