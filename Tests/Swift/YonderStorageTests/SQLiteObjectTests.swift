import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import YonderRules
import YonderGeodesy
import YonderModel
import YonderSQLite

@testable import YonderStorage

struct SQLiteObjectTests {
    private let folder = TemporaryFolder()
    private let name = ObjectSamples.field("name")
    private let at = ObjectSamples.field("at")
    private let places = ObjectSamples.places

    @Test(arguments: ObjectRule.all)
    func `a store on disk keeps the rule of objects`(rule: ObjectRule) async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        try await rule.check(store)
        try store.close()
    }

    @Test(arguments: UInt64(0)..<6)
    func `objects on disk are like those in memory, whatever is done`(seed: UInt64) async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        var comparison = ObjectComparison(MemoryStore(), store, seed: seed)
        await comparison.run(300)
        try store.close()
    }

    @Test func `acknowledged changes are there after the process was killed`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
        var random = SeededGenerator(seed: 1)
        var kept: [Object] = []
        for step in 1...60 {
            try await doSomething(to: &kept, in: store, using: &random)
            guard step % 7 == 0 else { continue }
            // The files as they are now: what a process that is killed leaves.
            let copy = TemporaryFolder()
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
            let restarted = try SQLiteStore.open(folder: copy.path)
            let page = try await restarted.objects(ObjectQuery(places.name, limit: 1_000), for: .owner)
            #expect(page.objects == kept)
            #expect(try await placed(in: restarted) == kept.filter { $0.location?.coordinate != nil })
            #expect(try await restarted.entity(places.name, for: .owner).count == kept.count)
            let next = try await restarted.change(submission(.create([name: .text("next")])))
            #expect(
                try await restarted.objects(ObjectQuery(places.name, limit: 1_000), for: .owner).objects
                    == kept + [next.after].compactMap(\.self)
            )
            try restarted.close()
        }
        try store.close()
    }

    @Test func `queued messages and objects are written when the store closes`() async throws {
        var store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
        let answered = Atomic(0)
        for number in 0..<1_000 {
            store.submit([home.submission("a", key: "\(number)")]) { _ in answered.add(1, ordering: .relaxed)
            }
            store.change([submission(.create([name: .text("\(number)")]))]) { results in
                if case .success = results[0] { answered.add(1, ordering: .relaxed) }
            }
        }
        try store.close()
        #expect(answered.load(ordering: .relaxed) == 2_000)
        store = try SQLiteStore.open(folder: folder.path)
        #expect(try await store.entity(places.name, for: .owner).count == 1_000)
        #expect(try await store.chat(home.chat).last == 1_000)
        try store.close()
    }

    @Test func `a batch that can't be written is refused whole, none of it is kept, and the store recovers`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
        try await store.file.pool.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        let big = FieldValue.text(String(repeating: "x", count: 16_000))
        let submissions = (0..<20).map { number in
            submission(.create([name: number == 0 ? .text("small") : big]))
        }
        let results = await withCheckedContinuation { continuation in
            store.change(submissions) { continuation.resume(returning: $0) }
        }
        #expect(results.allSatisfy { $0 == .failure(.storeFailed) })
        try await store.file.pool.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA max_page_count = 1000000")
        }
        #expect(try await store.entity(places.name, for: .owner).count == 0)
        try await store.change(submissions[0])
        #expect(try await store.entity(places.name, for: .owner).count == 1)
        try store.close()
    }

    @Test func `a store takes what its queue holds and refuses the rest`() async throws {
        let store = try SQLiteStore(folder: folder.path, limits: .init(count: 3, bytes: 10_000, perCommit: 2))
        _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
        let small = submission(.create([name: .text("a")]))
        let refused = await withCheckedContinuation { continuation in
            store.change(Array(repeating: small, count: 4)) { continuation.resume(returning: $0) }
        }
        #expect(refused.allSatisfy { $0 == .failure(.storeBusy) })
        let big = submission(.create([name: .text(String(repeating: "x", count: 10_000))]))
        await #expect(throws: SharingError.storeBusy) { try await store.change(big) }
        try await store.change(small)
        try store.close()
        await #expect(throws: SharingError.storeBusy) { try await store.change(small) }
    }

    @Test func `an entity whose deletion was cut short stays deleted, and its room is freed at the start`()
        async throws
    {
        var store = try SQLiteStore.open(folder: folder.path)
        _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
        for number in 0..<5 { try await store.change(submission(.create([name: .text("\(number)")]))) }
        // Its first transaction alone.
        try await store.write { [writer = store.objectWriter, places] database, _ in
            try writer.delete(places.name, by: .owner, under: .server, in: database)
        }
        _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
        #expect(try await store.objects(ObjectQuery(places.name), for: .owner).objects == [])
        #expect(try await placed(in: store) == [])
        try store.close()
        store = try SQLiteStore.open(folder: folder.path)
        let rows = try await store.file.pool.read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) + (SELECT count(*) FROM removed_entity) FROM object"
            )
        }
        #expect(rows == 0)
        try store.close()
    }

    @Test func `queries with conditions wait for each other, and leave a reader to those without`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        _ = try await store.createEntity(places, by: .owner, at: ObjectSamples.time)
        let all = ObjectQuery(places.name)
        let some = ObjectQuery(places.name, where: .where(.field(name), .exists))
        let (started, answered) = (Recorder<Void>(), Recorder<ObjectPage>())
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { [store] tasks in
            for _ in 0..<3 {
                tasks.addTask {
                    try await store.file.read(isLong: true) { _ in
                        started.record(())
                        gate.wait()
                    }
                }
            }
            await started.wait(for: 3)
            for _ in 0..<4 {
                tasks.addTask { answered.record(try await store.objects(some, for: .owner)) }
            }
            for _ in 0..<200 { _ = try await store.objects(all, for: .owner) }
            #expect(answered.values.isEmpty)
            for _ in 0..<3 { gate.signal() }
            try await tasks.waitForAll()
        }
        #expect(answered.values.count == 4)
        try store.close()
    }

    private func submission(_ action: ObjectSubmission.Action) -> ObjectSubmission {
        ObjectSubmission(entity: places.name, caller: .owner, action: action, time: ObjectSamples.time)
    }

    /// Makes, changes or deletes an object, in the store and among those that it should have.
    private func doSomething(
        to kept: inout [Object],
        in store: SQLiteStore,
        using random: inout SeededGenerator
    ) async throws {
        let index = Int.random(in: 0..<max(1, 2 * kept.count), using: &random)
        guard index < kept.count else {
            let fields = ObjectSamples.fields(of: places, referringTo: [], using: &random)
            if let made = try await store.change(submission(.create(fields))).after { kept.append(made) }
            return
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            try await store.change(submission(.delete(kept[index].id)))
            kept.remove(at: index)
        } else {
            let fields = [at: ObjectSamples.value(.location, using: &random)]
            let change = try await store.change(submission(.change(kept[index].id, fields)))
            if let after = change.after { kept[index] = after }
        }
    }

    private func placed(in store: SQLiteStore) async throws -> [Object] {
        let records = Mutex<[ObjectRecord]>([])
        try await store.forEachPlacedObject(batch: 10) { batch in records.withLock { $0 += batch } }
        let entity = try await store.entity(places.name, for: .owner)
        return try records.withLock(\.self).map { try $0.object(of: entity) }
    }
}
