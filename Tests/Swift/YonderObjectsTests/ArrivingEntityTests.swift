import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderObjects

struct ArrivingEntityTests {
    @Test func `an object that is kept before its entity's maker has the answer is on the map`() async throws
    {
        let store = HastyStore()
        let catalog = try await ObjectCatalog.load(from: store)
        store.afterCreation {
            do throws(SharingError) {
                try await catalog.change(CafeTown.submission(.create(CafeTown.fields(1, 2))))
            } catch {
                Issue.record(error)
            }
            #expect(throws: SharingError.self) { try catalog.definition(of: CafeTown.cafe.name, for: .owner) }
        }
        _ = try await catalog.createEntity(CafeTown.cafe, by: .owner, at: ObjectSamples.time, under: .server)
        let query = RegionListing(CafeTown.cafe.name, in: .everywhere)
        #expect(try await catalog.region(query, for: .member).total == 1)
    }

    @Test func `an entity that the store refuses is not there, and one that is there stays`() async throws {
        let catalog = try await ObjectCatalog.load(from: MemoryStore())
        let refused = await #expect(throws: SharingError.self) {
            try await catalog.createEntity(CafeTown.cafe, by: .member, at: ObjectSamples.time, under: .server)
        }
        #expect(refused?.code == .notAllowed)
        #expect(throws: SharingError.self) { try catalog.definition(of: CafeTown.cafe.name, for: .owner) }

        _ = try await catalog.createEntity(CafeTown.cafe, by: .owner, at: ObjectSamples.time, under: .server)
        try await catalog.change(CafeTown.submission(.create(CafeTown.fields(1, 2))))
        await #expect(throws: SharingError.self) {
            try await catalog.createEntity(CafeTown.cafe, by: .owner, at: ObjectSamples.time, under: .server)
        }
        let query = RegionListing(CafeTown.cafe.name, in: .everywhere)
        #expect(try await catalog.region(query, for: .member).total == 1)
    }
}

/// A store that runs a closure between the creation of an entity and the answer.
private final class HastyStore: ForwardingObjectStore {
    let store = MemoryStore()
    private let body = Mutex<(@Sendable () async -> Void)?>(nil)

    func afterCreation(_ body: @escaping @Sendable () async -> Void) {
        self.body.withLock { $0 = body }
    }

    func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        let entity = try await store.createEntity(definition, by: caller, at: time, under: warrant)
        await body.withLock { $0 }?()
        return entity
    }

    func changeEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        try await store.changeEntity(definition, by: caller, at: time, under: warrant)
    }

    func deleteEntity(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant)
        async throws(SharingError)
    {
        try await store.deleteEntity(name, by: caller, under: warrant)
    }

    func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        store.change(submissions, completion: completion)
    }
}
