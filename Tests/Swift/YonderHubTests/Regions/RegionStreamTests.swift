import NIOCore
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub
@testable import YonderObjects

/// What a client of the stream is told of the objects in its regions.
@Suite(.timeLimit(.minutes(20))) struct RegionStreamTests {
    @Test func `the answer has the list, the exact total, the limit and the field, and step 0`() async throws
    {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let inside = try await town.put(1, 1)
            try await town.put(5, 5)
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(
                client,
                of: town.entity,
                in: RegionTown.region(0, 0, 2, 2),
                id: 7
            )
            let frame = try await viewer.takeNext()
            #expect(frame.answer == RegionFrame.Answer(id: 7, step: 0, limit: 300, field: RegionTown.at))
            #expect(frame.total == 1 && frame.entered.map(\.key) == [.object(inside)])
            #expect(try await viewer.isTrue(town.catalog))
        }
    }

    @Test func `entries, moves, changes and exits are sent as such, with the total where it differs`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 2, 2))
            try await viewer.answered()

            let id = try await town.put(1, 1)
            var frame = try await viewer.takeNext()
            #expect(frame.answer == nil && frame.total == 1 && frame.entered.map(\.key) == [.object(id)])

            try await town.move(id, 1.5, 1)
            frame = try await viewer.takeNext()
            #expect(frame.total == nil && frame.entered.isEmpty && frame.moved.map(\.key) == [.object(id)])

            try await town.rename(id, "y")
            frame = try await viewer.takeNext()
            #expect(frame.total == nil && frame.changed.map(\.key) == [.object(id)])

            try await town.move(id, 3, 3)
            frame = try await viewer.takeNext()
            #expect(frame.total == 0 && frame.left == [.object(id)])

            try await town.move(id, 2, 2)
            _ = try await viewer.takeNext()
            try await town.delete(id)
            frame = try await viewer.takeNext()
            #expect(frame.total == 0 && frame.left == [.object(id)])
        }
    }

    @Test func `an altitude alone is a move, and an address or a field beside a position a change`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let id = try await town.put(1, 1)
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 2, 2))
            try await viewer.answered()
            let place = try #require(Coordinate(latitude: 1, longitude: 1))
            let high = try #require(ObjectLocation(place, altitude: Distance(meters: 7)))
            try await town.change(.change(id, [RegionTown.at: .location(high)]))
            #expect(try await viewer.takeNext().moved.map(\.key) == [.object(id)])
            #expect(try await viewer.isTrue(town.catalog))

            let named = try #require(ObjectLocation(place, altitude: Distance(meters: 7), address: "Here"))
            try await town.change(.change(id, [RegionTown.at: .location(named)]))
            #expect(try await viewer.takeNext().changed.map(\.key) == [.object(id)])

            let location = ObjectSamples.location(1.25, 1, "Here")
            try await town.change(.change(id, [RegionTown.at: location, RegionTown.name: .text("z")]))
            #expect(try await viewer.takeNext().changed.map(\.key) == [.object(id)])

            try await town.move(id, 1.5, 1)
            #expect(try await viewer.takeNext().changed.map(\.key) == [.object(id)], "the address went")
            try await town.change(.change(id, [RegionTown.at: nil]))
            #expect(try await viewer.takeNext().left == [.object(id)])
        }
    }

    @Test func `a moved region is answered with the difference alone`() async throws {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let (west, middle, east) = (
                try await town.put(1, 0.5), try await town.put(1, 1.5), try await town.put(1, 2.5)
            )
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 2, 2))
            try await viewer.answered()
            #expect(Set(viewer.objects.keys) == [west, middle])
            try await viewer.move(to: RegionTown.region(0, 1, 2, 3))
            let frame = try await viewer.takeNext()
            #expect(frame.answer == RegionFrame.Answer(id: 1, step: 1))
            #expect(frame.total == 2 && frame.left == [.object(west)])
            #expect(
                frame.entered.map(\.key) == [.object(east)] && frame.changed.isEmpty && frame.moved.isEmpty
            )

            try await viewer.move(to: RegionTown.region(0, 1, 2.5, 3))
            let same = try await viewer.takeNext()
            #expect(same.answer == RegionFrame.Answer(id: 1, step: 2) && same.total == 2)
            #expect(same.left.isEmpty && same.entered.isEmpty)
        }
    }

    @Test func `of several moves in a round the newest is answered`() async throws {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let id = try await town.put(9, 9)
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 1, 1))
            try await viewer.answered()
            let frames = try (1...5).map { step in
                let edge = Double(step) * 2
                let region = try RegionTown.region(edge - 2, edge - 2, edge, edge)
                let frame = ClientFrame.move(id: 1, step: Int64(step) * 10, region: region)
                return String(decoding: frame.encoded(), as: UTF8.self)
            }
            try await client.send(frames)
            let frame = try await viewer.takeNext()
            #expect(frame.answer?.step == 50 && frame.entered.map(\.key) == [.object(id)])
        }
    }

    @Test func `moves over the rate wait, and the newest is answered in the end`() async throws {
        let settings = HubSettings(regionMovesPerSecond: 5)
        try await ExchangeHarness.run(settings: settings) { harness in
            let town = try await RegionTown(harness)
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 1, 1))
            try await viewer.answered()
            let start = NIODeadline.now()
            for step in 1...200 {
                try await viewer.move(to: RegionTown.region(0, 0, 1, Double(step) / 10))
            }
            let before = viewer.frames
            try await viewer.answered()
            let allowed = 5 + 1 + Int((NIODeadline.now() - start).nanoseconds / 200_000_000)
            #expect((1...allowed).contains(viewer.frames - before))
        }
    }

    @Test func `a step that isn't later, and a move of what has no region, are refused`() async throws {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 1, 1))
            try await viewer.answered()
            try await client.send(.move(id: 1, step: 7, region: .everywhere))
            try await client.send(.move(id: 1, step: 7, region: .everywhere))
            #expect(try await client.next(\.refusal).error.code == .invalidField)
            try await client.send(.move(id: 2, step: 1, region: .everywhere))
            let refusal = try await client.next(\.refusal)
            #expect(refusal.id == 2 && refusal.error.code == .invalidField)
        }
    }

    @Test func `a region across the antimeridian has both sides of it, and a move over it is a move`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            let east = try await town.put(-17, 179)
            let west = try await town.put(-17, -179)
            let line = try await town.put(-17, 180)
            try await town.put(-17, 0)
            let client = try await harness.connect(1)
            let fiji = try RegionTown.region(-20, 176, -15, -178)
            var viewer = try await RegionViewer(client, of: town.entity, in: fiji)
            try await viewer.settle(town.catalog)
            #expect(Set(viewer.objects.keys) == [east, west, line])
            try await town.move(east, -17, -179.5)
            #expect(try await viewer.takeNext().moved.map(\.key) == [.object(east)])
            try await viewer.move(to: RegionTown.region(-20, -180, -15, -178))
            try await viewer.settle(town.catalog)
            #expect(Set(viewer.objects.keys) == [east, west, line])
        }
    }

    @Test func `with more inside than the limit the total is exact, and a free place is taken`() async throws
    {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            for step in 0..<20 { try await town.put(1, Double(step) / 10) }
            let client = try await harness.connect(1)
            let region = try RegionTown.region(0, 0, 2, 2)
            var some = try await RegionViewer(client, of: town.entity, in: region, id: 1, limit: 5)
            try await some.settle(town.catalog)
            #expect(some.total == 20 && some.objects.count == 5)
            try await town.delete(try #require(some.objects.keys.first))
            try await some.settle(town.catalog)
            #expect(some.total == 19 && some.objects.count == 5)

            var none = try await RegionViewer(client, of: town.entity, in: region, id: 2, limit: 0)
            try await none.settle(town.catalog)
            #expect(none.total == 19 && none.objects.isEmpty)
            #expect(none.topic != some.topic)
            try await town.put(1, 1)
            let frame = try await none.takeNext()
            #expect(frame.total == 20 && frame.entered.isEmpty)
        }
    }

    @Test func `a long answer comes in pages, of which the last is current`() async throws {
        try await ExchangeHarness.run { harness in
            let town = try await RegionTown(harness)
            for step in 0..<60 {
                try await town.put(1, Double(step) / 100, String(repeating: "x", count: 16_000))
            }
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 2, 2))
            try await viewer.answered()
            #expect(viewer.frames > 10)
            #expect(try await viewer.isTrue(town.catalog))
        }
    }

    @Test func `one who doesn't read waits with little, and is told what is so when they do`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let town = try await RegionTown(harness)
            var ids: [ObjectID] = []
            for step in 0..<50 { ids.append(try await town.put(1, Double(step) / 100)) }
            let client = try await harness.connect(1, bound: 2_000)
            let region = try RegionTown.region(0, 0, 2, 2)
            var slow = try await RegionViewer(client, of: town.entity, in: region)
            try await slow.answered()
            let quickClient = try await harness.connect(2)
            var quick = try await RegionViewer(quickClient, of: town.entity, in: region)
            try await client.setStopped(true)
            for round in 0..<40 {
                for id in ids { try await town.move(id, 1, 1 + Double(round) / 100) }
                if round % 10 == 0 {
                    try await town.delete(ids.removeLast())
                    ids.append(try await town.put(1, 1, "new \(round)"))
                }
                try await quick.settle(town.catalog)
            }
            // One page beyond the bound at most, and not 2 000 moves.
            #expect(try await client.inspect { $0.unsent } < 2_000 + 20_000)
            try await client.setStopped(false)
            try await slow.settle(town.catalog)
        }
    }

    @Test func `a number isn't used again while somebody may have to be told of its last thing`() async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let town = try await RegionTown(harness)
            let first = try await town.put(1, 1, "first")
            let client = try await harness.connect(1, bound: 1)
            var slow = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 2, 2))
            try await slow.answered()
            try await client.setStopped(true)
            try await client.send(#"{"type":"ping"}"#)
            let other = try await harness.connect(2)
            var quick = try await RegionViewer(other, of: town.entity, in: RegionTown.region(0, 0, 2, 2))
            try await quick.settle(town.catalog)
            try await town.delete(first)
            try await quick.settle(town.catalog)
            let second = try await town.put(1.5, 1, "second")
            try await quick.settle(town.catalog)
            try await town.delete(second)
            let third = try await town.put(1.5, 1, "third")
            try await quick.settle(town.catalog)
            try await client.setStopped(false)
            try await slow.settle(town.catalog)
            #expect(Array(slow.objects.keys) == [third])
        }
    }

    @Test func `numbers are used again when everyone has heard`() async throws {
        try await ExchangeHarness.run(loops: 2) { harness in
            let town = try await RegionTown(harness)
            var viewers = [
                try await RegionViewer(harness.connect(1), of: town.entity, in: .everywhere),
                try await RegionViewer(harness.connect(2), of: town.entity, in: .everywhere),
            ]
            for step in 0..<60 {
                let id = try await town.put(1, Double(step))
                for index in viewers.indices { try await viewers[index].settle(town.catalog) }
                try await town.delete(id)
                for index in viewers.indices { try await viewers[index].settle(town.catalog) }
            }
            let index = try town.catalog.entry(town.entity.name, for: .owner).index
            #expect(index.capacity < 10)
        }
    }

    @Test func `an ended subscription is sent nothing more, and a loop without viewers keeps nothing`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let town = try await RegionTown(harness)
            let client = try await harness.connect(1)
            var viewer = try await RegionViewer(client, of: town.entity, in: .everywhere)
            try await viewer.answered()
            try await client.send(.unsubscribe(id: 1))
            _ = try await client.next(\.unsubscribed)
            let id = try await town.put(1, 1)
            try await client.send(.ping)
            #expect(try await client.next()?.pong != nil)
            let index = try town.catalog.entry(town.entity.name, for: .owner).index
            #expect(index.inboxCount == 0)

            var again = try await RegionViewer(client, of: town.entity, in: .everywhere)
            try await again.settle(town.catalog)
            #expect(index.inboxCount == 1)
            try await client.disconnect()
            try await town.delete(id)
            #expect(index.inboxCount == 0)
        }
    }
}
