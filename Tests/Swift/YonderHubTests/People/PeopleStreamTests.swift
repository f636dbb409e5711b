import NIOCore
import NIOPosix
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// What a client of the stream is told of the people in its regions.
@Suite(.timeLimit(.minutes(20))) struct PeopleStreamTests {
    @Test func `the answer has everyone inside but oneself, the exact total, and step 0`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            for person in 0..<3 { try await town.locate(person, Double(person), 1) }
            let client = try await harness.connect(1)
            var viewer = try await PeopleViewer(client, harness.people[1], id: 7, limit: 5)
            let frame = try await viewer.takeNext()
            #expect(frame.answer == RegionFrame.Answer(id: 7, step: 0, limit: 5))
            #expect(frame.total == 2 && viewer.seen(harness) == ["0 at 0.0", "2 at 2.0"])
            #expect(Set(viewer.people.values.map(\.name)) == ["Person 1", "Person 3"])
            #expect(try await viewer.isTrue(town))
        }
    }

    @Test func `moves, entries and exits of people are sent as such, to viewers on any loop`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            let region = try RegionTown.region(0, 0, 10, 10)
            var viewers = [
                try await PeopleViewer(harness, 1, in: region),
                try await PeopleViewer(harness, 2, in: region),
            ]
            let key = RegionKey.person(harness.chat, harness.people[0].id)
            for place in [5.0, 6, 20, 7] {
                let number = try await town.locate(0, place, 5)
                for index in viewers.indices {
                    let frame = try await viewers[index].takeNext()
                    #expect(frame.answer == nil)
                    switch place {
                    case 6: #expect(frame.moved.map(\.key) == [key] && frame.total == nil)
                    case 20: #expect(frame.left == [key] && frame.total == 0)
                    default: #expect(frame.entered.map(\.key) == [key] && frame.total == 1)
                    }
                    #expect(viewers[index].people[key]?.number == (place == 20 ? nil : number))
                    #expect(try await viewers[index].isTrue(town))
                }
            }
        }
    }

    @Test func `a viewer without a common chat is sent nothing`() async throws {
        try await ExchangeHarness.run(people: 4, loops: 1) { harness in
            var town = PeopleTown(harness)
            let chat = try await town.start(1, 2)
            try await town.locate(1, 1, 1, in: chat)
            var stranger = try await PeopleViewer(harness, 0)
            var member = try await PeopleViewer(harness, 2)
            #expect(stranger.total == 0 && stranger.people.isEmpty && member.total == 1)
            try await town.locate(1, 2, 2, in: chat)
            try await member.settle(town)
            try await stranger.expectNothing()
            try await stranger.settle(town)
        }
    }

    @Test func `a viewer of another region is sent nothing of a move`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, 1, 1)
            var there = try await PeopleViewer(harness, 1, in: RegionTown.region(0, 0, 2, 2))
            let elsewhere = try await PeopleViewer(harness, 2, in: RegionTown.region(50, 50, 52, 52))
            #expect(elsewhere.total == 0)
            try await town.locate(0, 1.5, 1)
            #expect(try await there.takeNext().moved.count == 1)
            try await elsewhere.expectNothing()
        }
    }

    @Test func `a user who leaves a chat is sent that everyone left, and the others that the user did`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            var town = PeopleTown(harness)
            for person in 0..<3 { try await town.locate(person, Double(person), 1) }
            var leaving = try await PeopleViewer(harness, 2)
            var staying = try await PeopleViewer(harness, 1)
            try await town.act(.leave, 2)
            var frame = try await leaving.takeNext()
            #expect(frame.left.count == 2 && frame.total == 0 && leaving.people.isEmpty)
            frame = try await staying.takeNext()
            #expect(frame.left == [.person(harness.chat, harness.people[2].id)] && frame.total == 1)
            try await town.locate(0, 9, 9)
            try await staying.settle(town)
            try await leaving.expectNothing()
        }
    }

    @Test func `a later participant sees people from their own join on`() async throws {
        try await ExchangeHarness.run(people: 4) { harness in
            var town = PeopleTown(harness)
            let chat = try await town.start(0, 1)
            try await town.locate(0, 1, 1, in: chat)
            try await town.locate(1, 2, 2, in: chat)
            var viewer = try await PeopleViewer(harness, 2)
            try await town.act(.add([harness.people[2].id]), 0, in: chat)
            try await town.locate(1, 3, 3, in: chat)
            try await viewer.settle(town)
            #expect(viewer.seen(harness) == ["1 at 3.0"] && viewer.total == 1)

            // Who asks afresh is told the same.
            let fresh = try await PeopleViewer(harness, 2)
            #expect(fresh.seen(harness) == ["1 at 3.0"] && fresh.total == 1)

            // And is seen by who was there, once they say where they are.
            try await town.locate(2, 4, 4, in: chat)
            var other = try await PeopleViewer(harness, 0)
            try await other.settle(town)
            #expect(other.seen(harness) == ["1 at 3.0", "2 at 4.0"])
        }
    }

    @Test func `a user who joins again sees the people whom they may see again`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, 1, 1)
            try await town.locate(1, 2, 2)
            var viewer = try await PeopleViewer(harness, 2)
            try await town.act(.leave, 2)
            try await viewer.settle(town)
            try await town.locate(1, 3, 3)
            try await town.act(.add([harness.people[2].id]), 0)
            try await viewer.settle(town)
            #expect(viewer.seen(harness) == ["0 at 1.0"] && viewer.total == 1)
        }
    }

    @Test func `a chat that is started while one watches is seen`() async throws {
        try await ExchangeHarness.run(people: 4) { harness in
            var town = PeopleTown(harness)
            var viewer = try await PeopleViewer(harness, 2)
            let chat = try await town.start(1, 2)
            try await town.locate(1, 1, 1, in: chat)
            try await viewer.settle(town)
            #expect(viewer.seen(harness) == ["1 at 1.0"])

            let pair = ChatStart(
                creator: harness.people[1].id,
                invitees: [harness.people[2].id],
                isOneToOne: true
            )
            town.chats.append(try await harness.exchange.start(pair, under: .server).chat.id)
            try await town.locate(1, 2, 2, in: town.chats[2])
            try await viewer.settle(town)
            #expect(viewer.seen(harness) == ["1 at 1.0", "1 at 2.0"])

            // Who left a one-to-one chat and starts it again is in it, and seen, again.
            try await town.act(.leave, 2, in: town.chats[2])
            try await viewer.settle(town)
            let again = ChatStart(creator: pair.invitees[0], invitees: [pair.creator], isOneToOne: true)
            _ = try await harness.exchange.start(again, under: .server)
            try await town.locate(1, 5, 5, in: town.chats[2])
            try await viewer.settle(town)
            #expect(viewer.seen(harness) == ["1 at 1.0", "1 at 5.0"])
        }
    }

    @Test func `a person in two common chats is listed twice, and counted twice`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            let second = try await town.start(0, 1)
            try await town.locate(0, 1, 1)
            try await town.locate(0, 2, 2, in: second)
            var viewer = try await PeopleViewer(harness, 1)
            #expect(viewer.seen(harness) == ["0 at 1.0", "0 at 2.0"] && viewer.total == 2)
            try await town.act(.leave, 1, in: second)
            try await viewer.settle(town)
            #expect(viewer.seen(harness) == ["0 at 1.0"] && viewer.total == 1)
        }
    }

    @Test func `a location that was taken back gives way to the one before`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            let first = try await town.locate(0, 1, 1)
            let second = try await town.locate(0, 2, 2)
            var viewer = try await PeopleViewer(harness, 1)
            try await town.act(.recall(number: second), 0)
            try await viewer.settle(town)
            #expect(viewer.seen(harness) == ["0 at 1.0"])
            try await town.act(.recall(number: first), 0)
            try await viewer.settle(town)
            #expect(viewer.people.isEmpty && viewer.total == 0)
        }
    }

    @Test func `a location that has expired gives way to the one before`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, 1, 1)
            let hour = Timestamp.now + .seconds(3_600)
            try await town.locate(0, 2, 2, expires: hour)
            var viewer = try await PeopleViewer(harness, 1)
            #expect(viewer.seen(harness) == ["0 at 2.0"])
            harness.exchange.tick(hour)
            while viewer.seen(harness) != ["0 at 1.0"] { try await viewer.takeNext() }
            #expect(viewer.total == 1)
        }
    }

    @Test func `a location that nobody keeps moves nobody`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, 1, 1)
            let viewer = try await PeopleViewer(harness, 1)
            let draft = try PeopleTown.location(2, 2)
            try await harness.exchange.pass(draft, to: harness.chat, from: harness.people[0].id)
            try await viewer.expectNothing()
        }
    }

    @Test func `a renamed person is sent whole`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, 1, 1)
            var viewer = try await PeopleViewer(harness, 1)
            let user = harness.people[0].id
            _ = try await harness.store.update(user, profile: Profile(name: "Somebody else"))
            try await harness.exchange.changed(user)
            #expect(try await viewer.takeNext().changed.map(\.key) == [.person(harness.chat, user)])
            #expect(viewer.people.values.map(\.name) == ["Somebody else"])
        }
    }

    @Test func `a region that moves is answered by the difference alone`() async throws {
        try await ExchangeHarness.run(people: 5) { harness in
            var town = PeopleTown(harness)
            for person in 1..<5 { try await town.locate(person, Double(person), 1) }
            var viewer = try await PeopleViewer(harness, 0, in: RegionTown.region(0, 0, 2.5, 2))
            #expect(viewer.seen(harness) == ["1 at 1.0", "2 at 2.0"])
            try await viewer.move(to: RegionTown.region(1.5, 0, 3.5, 2))
            let frame = try await viewer.takeNext()
            #expect(frame.answer == RegionFrame.Answer(id: 1, step: 1))
            #expect(frame.left.count == 1 && frame.entered.count == 1 && frame.changed.isEmpty)
            #expect(try await viewer.isTrue(town))
        }
    }

    @Test func `a step across the antimeridian is a step inside a region that crosses it`() async throws {
        try await ExchangeHarness.run { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, -16.8, 179.9999)
            var viewer = try await PeopleViewer(harness, 1, in: RegionTown.region(-20, 179, -10, -179))
            try await town.locate(0, -16.8, -179.9999)
            let frame = try await viewer.takeNext()
            #expect(frame.moved.count == 1 && frame.total == nil)
            try await town.locate(0, -16.8, 180)
            #expect(try await viewer.takeNext().moved.count == 1)
            #expect(try await viewer.isTrue(town))
        }
    }

    @Test func `a new connection gets a fresh answer, and an unwatched map is removed`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, 1, 1)
            var viewer = try await PeopleViewer(harness, 1)
            #expect(try await harness.isPeopleMapThere())
            try await viewer.client.disconnect()
            #expect(try await !harness.isPeopleMapThere())
            try await town.locate(0, 2, 2)
            viewer = try await PeopleViewer(harness, 1)
            #expect(viewer.seen(harness) == ["0 at 2.0"])
            try await viewer.client.send(#"{"type":"unsubscribe","id":1}"#)
            _ = try await viewer.client.next(\.unsubscribed)
            #expect(try await !harness.isPeopleMapThere())
        }
    }

    @Test func `a subscription that ends before its answer is sent nothing`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let client = try await harness.connect(1)
            let subscribe = ClientFrame.subscribe(id: 1, query: .people(PeopleRegionQuery(in: .everywhere)))
            let frame = String(decoding: subscribe.encoded(), as: UTF8.self)
            try await client.send([frame, #"{"type":"unsubscribe","id":1}"#, frame])
            _ = try await client.next(\.unsubscribed)
            #expect(try await client.next(\.region).answer?.id == 1)
            try await client.send([#"{"type":"unsubscribe","id":1}"#, #"{"type":"ping"}"#])
            _ = try await client.next(\.pong)
            #expect(try await !harness.isPeopleMapThere())
        }
    }

    @Test func `a slow reader is told what is so once they read again, and nothing piles up`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            var town = PeopleTown(harness)
            try await town.locate(0, 0, 0)
            let client = try await harness.connect(1, bound: 400)
            var viewer = try await PeopleViewer(client, harness.people[1])
            try await viewer.answered()
            try await client.setStopped(true)
            for step in 1...300 { try await town.locate(step % 2 * 2, Double(step) / 10, 1) }
            #expect(try await client.inspect { $0.unsent } < 2_000)
            try await client.setStopped(false)
            try await viewer.settle(town)
        }
    }

    @Test func `a caller without an account is refused`() async throws {
        try await ExchangeHarness.run { harness in
            let client = try await FakeClient(nil, to: harness.exchange, on: harness.group.next())
            let frame = ClientFrame.subscribe(id: 1, query: .people(PeopleRegionQuery(in: .everywhere)))
            try await client.send(frame)
            #expect(try await client.next(\.refusal).error.code == .notSignedIn)
        }
    }
}

extension ExchangeHarness {
    /// Whether the one loop keeps a map of people.
    fileprivate func isPeopleMapThere() async throws -> Bool {
        let eventLoop = group.next()
        return try await eventLoop.submit { [exchange] in exchange.loop(on: eventLoop)?.regions.people != nil
        }.get()
    }
}
