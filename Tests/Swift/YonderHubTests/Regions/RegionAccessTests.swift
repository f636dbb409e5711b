import NIOCore
import NIOPosix
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderObjects
import YonderWire
import YonderRules

@testable import YonderHub

/// Who may have a live region, how long, and how many.
@Suite(.timeLimit(.minutes(20))) struct RegionAccessTests {
    @Test(arguments: EntityReaders.allCases)
    func `a region of an entity is for those who may read it`(_ readers: EntityReaders) async throws {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness, readers: readers)
            try await town.put(1, 1)
            let owner = try await harness.connect(0)
            let member = try await harness.connect(1)
            let anyone = try await FakeClient(nil, to: harness.exchange, on: harness.group.next())
            for (client, may) in [
                (owner, true), (member, readers != .owners), (anyone, readers == .anyone),
            ] {
                let query = ObjectRegionQuery(town.entity.name, in: .everywhere)
                try await client.send(.subscribe(id: 1, query: .objects(query)))
                let answer = try await client.until { $0.region?.answer?.id == 1 || $0.refusal?.id == 1 }
                #expect(answer.region?.total == (may ? 1 : nil))
                #expect(answer.refusal?.error.code == (may ? nil : .unknownEntity))
            }
        }
    }

    @Test func `an unknown entity or field, or one without a location, is refused, and the id is free again`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let bare = EntityDefinition(
                ObjectSamples.entity("bare"),
                fields: [Field(RegionTown.name, .text)]
            )
            _ = try await town.catalog.createEntity(bare, by: .owner, at: ObjectSamples.time, under: .server)
            let client = try await harness.connect(1)
            let cases: [(ObjectRegionQuery, SharingError.Code)] = [
                (ObjectRegionQuery(ObjectSamples.entity("none"), in: .everywhere), .unknownEntity),
                (
                    ObjectRegionQuery(
                        town.entity.name,
                        field: ObjectSamples.field("nowhere"),
                        in: .everywhere
                    ), .unknownField
                ),
                (
                    ObjectRegionQuery(town.entity.name, field: RegionTown.name, in: .everywhere),
                    .invalidField
                ),
                (ObjectRegionQuery(bare.name, in: .everywhere), .invalidField),
            ]
            for (query, code) in cases {
                try await client.send(.subscribe(id: 1, query: .objects(query)))
                let refusal = try await client.next(\.refusal)
                #expect(refusal.error.code == code && refusal.id == 1)
            }
            let query = ObjectRegionQuery(town.entity.name, field: RegionTown.at, in: .everywhere)
            try await client.send(.subscribe(id: 1, query: .objects(query)))
            _ = try await client.next(\.region)
        }
    }

    @Test func `a session has as many live regions as subscriptions, of one entity, too`() async throws {
        try await ExchangeHarness.run(settings: HubSettings(subscriptionLimit: 3)) { harness in
            let town = try await RegionTown(harness)
            let client = try await harness.connect(1)
            let query = StreamQuery.objects(ObjectRegionQuery(town.entity.name, in: .everywhere))
            for id in Int64(1)...3 {
                try await client.send(.subscribe(id: id, query: query))
                _ = try await client.next(\.region)
            }
            try await client.send(.subscribe(id: 4, query: query))
            #expect(try await client.next(\.refusal).error.code == .tooMany)
            try await client.send(.unsubscribe(id: 2))
            try await client.send(.subscribe(id: 3, query: query))
            #expect(try await client.next(\.refusal).error.code == .duplicateSubscription)
            try await client.send(.subscribe(id: 4, query: query))
            _ = try await client.next(\.region)
        }
    }

    @Test func `when an entity is deleted its live regions end, and one of the same name is another`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            try await town.put(1, 1)
            let clients = [try await harness.connect(1), try await harness.connect(2)]
            for client in clients {
                var viewer = try await RegionViewer(client, of: town.entity, in: .everywhere)
                try await viewer.answered()
            }
            try await town.catalog.deleteEntity(town.entity.name, by: .owner, under: .server)
            for client in clients {
                let ended = try await client.next(\.ended)
                #expect(ended.id == 1 && ended.error.code == .unknownEntity)
            }
            let again = try await RegionTown(harness)
            try await again.put(2, 2)
            var viewer = try await RegionViewer(clients[0], of: again.entity, in: .everywhere)
            try await viewer.settle(again.catalog)
            #expect(viewer.total == 1)
        }
    }

    @Test func `live regions end for viewers who may no longer read an entity, and go on for others`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let town = try await RegionTown(harness)
            let ownerClient = try await harness.connect(0)
            let memberClient = try await harness.connect(1)
            var owner = try await RegionViewer(ownerClient, of: town.entity, in: .everywhere)
            var member = try await RegionViewer(memberClient, of: town.entity, in: .everywhere)
            try await owner.answered()
            try await member.answered()
            _ = try await town.catalog.changeEntity(town.entity.name, by: .owner, at: .now, under: .server) {
                $0.readers = .owners
            }
            #expect(try await memberClient.next(\.ended).error.code == .unknownEntity)
            try await town.put(1, 1)
            #expect(try await owner.takeNext().total == 1)
            try await memberClient.send(.ping)
            #expect(try await memberClient.next()?.pong != nil)
        }
    }

    @Test func `a location field that is another one ends what was found by the old`() async throws {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let client = try await harness.connect(1)
            let query = ObjectRegionQuery(town.entity.name, field: RegionTown.at, in: .everywhere)
            try await client.send(.subscribe(id: 1, query: .objects(query)))
            _ = try await client.next(\.region)
            _ = try await town.catalog.changeEntity(town.entity.name, by: .owner, at: .now, under: .server) {
                $0.fields = [Field(ObjectSamples.field("place"), .location)]
            }
            #expect(try await client.next(\.ended).error.code == .unknownField)
        }
    }
}
