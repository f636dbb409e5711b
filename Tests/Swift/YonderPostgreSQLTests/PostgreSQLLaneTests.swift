#if Postgres
import TestSupport
import Testing
import YonderBus
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// The reads of lanes by nodes.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLLaneTests {
    private let name = ObjectSamples.field("name")
    private let at = ObjectSamples.field("at")
    private let places = ObjectSamples.places

    /// An object of lane 0.
    private func submission(_ id: Int64, _ text: String?, isPlaced: Bool = true) -> ObjectSubmission {
        let id = ObjectSamples.id(id * ObjectLane.count)
        let fields: [FieldName: FieldValue] = [
            name: .text(text ?? ""), at: ObjectSamples.location(1, 2, "Main Street 1"),
        ]
        return ObjectSubmission(
            entity: places.name,
            caller: .owner,
            action: text == nil ? .delete(id) : .create(isPlaced ? fields : [name: .text("n")], id: id),
            time: ObjectSamples.time
        )
    }

    private func commit(_ submissions: [ObjectSubmission], to store: PostgreSQLStore) async -> ObjectCommit {
        await withCheckedContinuation { continuation in
            store.commit(submissions) { continuation.resume(returning: $0) }
        }
    }

    private func withLane(_ body: (PostgreSQLStore, ObjectLane) async throws -> Void) async throws {
        try await TestDatabase.withStore { store in
            _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
            let entity = try #require(try await store.definitions().first)
            #expect(entity.version == 1 && entity.entity.definition == places)
            try await body(store, ObjectLane(entity: entity.number, index: 0))
        }
    }

    @Test func `a commit answers with the number of each change in its lane`() async throws {
        try await withLane { store, lane in
            let made = await commit([submission(1, "a"), submission(2, "b"), submission(9, nil)], to: store)
            #expect(made.results.map { (try? $0.get()) != nil } == [true, true, false])
            #expect(made.changes.map(\.number) == [1, 2] && made.changes.allSatisfy { $0.lane == lane })
            #expect(made.definitions.map(\.version) == [1])
            #expect(made.changes.map { $0.record?.id } == [ObjectSamples.id(16), ObjectSamples.id(32)])
            let removed = await commit([submission(1, nil)], to: store)
            #expect(removed.changes.map(\.number) == [3] && removed.changes.first?.record == nil)
            let lasts = try await store.lasts()
            #expect(lasts.count == Int(ObjectLane.count))
            #expect(lasts.first { $0.lane == lane } == LaneLast(lane: lane, version: 1, last: 3))
        }
    }

    @Test func `what changed after a number is read in order, newest states and deletions, in pages`()
        async throws
    {
        try await withLane { store, lane in
            let made = await commit(
                [
                    submission(1, "a"), submission(2, "b"), submission(3, "c", isPlaced: false),
                    submission(2, nil),
                ],
                to: store
            )
            _ = await commit([submission(2, nil)], to: store)
            let page = try #require(try await store.changes(in: lane, after: 0, count: 10))
            #expect(page.isComplete && page.last == 4 && page.trimmed == 0 && page.version == 1)
            // The second object was created and deleted in one commit, so no node can show it, and no deletion is stored.
            #expect(page.changes.map(\.number) == [1, 3])
            #expect(page.changes.map(\.record) == [made.changes[0].record, nil])
            _ = await commit([submission(1, nil)], to: store)
            let rest = try #require(try await store.changes(in: lane, after: 0, count: 1))
            #expect(rest.changes.map(\.number) == [3] && !rest.isComplete)
            let end = try #require(try await store.changes(in: lane, after: 3, count: 1))
            #expect(end.changes.map(\.number) == [5] && end.changes.map(\.record) == [nil] && end.isComplete)
            let none = try #require(try await store.changes(in: lane, after: 5, count: 1))
            #expect(none.changes.isEmpty && none.last == 5 && none.isComplete)
        }
    }

    @Test func `deletions are kept for an hour, and a lane remembers which it has forgotten`() async throws {
        try await withLane { store, lane in
            _ = await commit([submission(1, "a"), submission(2, "b")], to: store)
            _ = await commit([submission(1, nil)], to: store)
            try await store.trimRemovals()
            #expect(try await store.changes(in: lane, after: 2, count: 9)?.changes.map(\.number) == [3])
            try await store.trimRemovals(olderThan: 0)
            let page = try #require(try await store.changes(in: lane, after: 2, count: 9))
            #expect(page.changes.isEmpty && page.trimmed == 3 && page.last == 3)
            let census = try #require(try await store.census(of: lane))
            #expect(census == LaneCensus(last: 3, objects: [ObjectSamples.id(32)]))
        }
    }

    @Test func `a deleted entity has no lanes`() async throws {
        try await withLane { store, lane in
            try await store.deleteEntity(places.name, by: .owner)
            #expect(try await store.lasts().isEmpty)
            #expect(try await store.changes(in: lane, after: 0, count: 1) == nil)
            #expect(try await store.census(of: lane) == nil)
        }
    }

    @Test func `a change of a definition raises its version in what lanes tell`() async throws {
        try await withLane { store, lane in
            var changed = places
            changed.readers = .owners
            _ = try await store.changeEntity(changed, by: .owner, at: ObjectSamples.time)
            #expect(try await store.definitions().map(\.version) == [2])
            #expect(try await store.lasts().allSatisfy { $0.version == 2 })
            let made = await commit([submission(1, "a")], to: store)
            #expect(made.changes.map(\.version) == [2])
        }
    }
}
#endif
