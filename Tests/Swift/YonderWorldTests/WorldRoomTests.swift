import NIOCore
import TestSupport
import Testing
import YonderModel
import YonderWire

@testable import YonderWorld

/// Somebody in the world who remembers what they were shown.
private final class Spectator: WorldListener {
    let worldForm: WorldForm
    let receivesRounds: Bool
    let worldAllowance = WorldAllowance()
    var isWritable: Bool
    private(set) var frames: [String] = []
    private(set) var events: [WorldEvent] = []
    private(set) var flushes = 0

    /// One that polls can receive only while a poll waits.
    init(_ form: WorldForm, polls: Bool = false) {
        worldForm = form
        receivesRounds = !polls
        isWritable = !polls
    }

    func deliver(_ delivery: WorldDelivery) {
        if !receivesRounds { isWritable = false }
        switch delivery {
        case .frames(let buffer): frames += TextFrames.payloads(of: buffer.readableBytesView)
        case .events(let more): events += more
        }
    }

    func flush() {
        flushes += 1
    }

    func takeFrames() -> [String] {
        defer { frames = [] }
        return frames
    }
}

@Suite struct WorldRoomTests {
    private let room = WorldRoom(settings: WorldSettings(), topic: 1)

    /// Lets somebody in and shows them everyone.
    private func enter(_ listener: Spectator, subscription: Int64 = 0) throws -> WorldMember {
        defer { room.settle() }
        return try room.enter(listener, isMember: false, subscription: subscription)
    }

    /// Fetches what there is for a client that polls.
    private func poll(_ listener: Spectator, _ member: WorldMember) -> [String] {
        listener.isWritable = true
        room.refresh(member)
        return listener.takeFrames()
    }

    private func position(_ text: String) throws -> WorldPosition {
        try #require(WorldPosition(Array(text.utf8)))
    }

    @Test func `on connect the others get join, on moving update, on leaving disappear`() throws {
        let here = Spectator(.socketIO)
        let coming = Spectator(.socketIO)
        _ = try enter(here)
        room.distribute()
        let member = try enter(coming)
        room.distribute()
        #expect(here.takeFrames() == ["42[\"join\",\"\(member.id)\"]"])

        try room.move(member, to: position("59.9,10.7"))
        room.distribute()
        #expect(here.takeFrames() == ["42[\"update\",\"\(member.id):59.9,10.7\"]"])

        room.leave(member)
        room.distribute()
        #expect(here.takeFrames() == ["42[\"disappear\",\"\(member.id)\"]"])
    }

    @Test func `the world alone leaves the sender out`() throws {
        let one = Spectator(.stream)
        let other = Spectator(.stream)
        let first = try enter(one, subscription: 4)
        let second = try enter(other, subscription: 5)
        room.distribute()
        _ = (one.takeFrames(), other.takeFrames())

        try room.move(first, to: position("1,2"))
        try room.move(second, to: position("3,4"))
        try room.move(first, to: position("1,3"))
        room.distribute()
        #expect(one.takeFrames() == [#"{"type":"pin","topic":1,"pin":"\#(second.id)","at":"3,4"}"#])
        #expect(
            other.takeFrames() == [
                #"{"type":"pin","topic":1,"pin":"\#(first.id)","at":"1,2"}"#,
                #"{"type":"pin","topic":1,"pin":"\#(first.id)","at":"1,3"}"#,
            ]
        )
    }

    @Test func `a newcomer is shown everyone already there, each once`() throws {
        let early = try enter(Spectator(.stream))
        try room.move(early, to: position("1,2"))
        let newcomer = Spectator(.events)
        _ = try enter(newcomer)
        room.distribute()
        #expect(newcomer.events == [.joined(early.id), .moved(early.id, at: Array("1,2".utf8))])
    }

    @Test func `the limit of packets belongs to the connection, and entering takes from it`() throws {
        let start = ContinuousClock.now
        let room = WorldRoom(settings: WorldSettings(), topic: 1, uptime: { start })
        let watcher = Spectator(.events)
        _ = try room.enter(watcher, isMember: false)
        room.settle()
        room.distribute()
        let visitor = Spectator(.stream)
        var moves = 0
        // Leaving and entering again, as fast as it can.
        for round in 0..<100 {
            guard let member = try? room.enter(visitor, isMember: false) else { continue }
            room.settle()
            for place in 0..<20 where (try? room.move(member, to: position("\(round % 90),\(place)"))) != nil
            {
                moves += 1
            }
            room.leave(member)
        }
        room.distribute()
        #expect(moves == 19 && room.refusals == 100)
        #expect(watcher.events.count <= 3 * 20)
    }

    @Test func `a member gone before the turn's end is never announced and is sent nothing`() throws {
        let watcher = Spectator(.events)
        _ = try enter(watcher)
        room.distribute()
        let visitor = Spectator(.stream)
        for _ in 0..<20 { room.leave(try room.enter(visitor, isMember: false)) }
        #expect(room.localPopulation == 1 && room.population == 1)
        room.settle()
        room.distribute()
        #expect(watcher.events == [] && visitor.frames == [])
    }

    @Test func `a position equal to the sender's last one is not relayed again`() throws {
        let watcher = Spectator(.events)
        _ = try enter(watcher)
        let member = try enter(Spectator(.events))
        try room.move(member, to: position("1,2"))
        try room.move(member, to: position("1,2"))
        room.distribute()
        #expect(watcher.events == [.joined(member.id), .moved(member.id, at: Array("1,2".utf8))])
    }

    @Test func `packets over the rate are refused and counted`() throws {
        let start = ContinuousClock.now
        let room = WorldRoom(settings: WorldSettings(), topic: 1, uptime: { start })
        let member = try room.enter(Spectator(.events), isMember: false)
        room.settle()
        // Entering took one of the twenty.
        for step in 0..<19 { try room.move(member, to: position("1,\(step)"), at: start) }
        #expect(throws: SharingError.self) { try room.move(member, to: position("2,2"), at: start) }
        #expect(room.refusals == 1)
        try room.move(member, to: position("2,2"), at: start + .milliseconds(50))
    }

    @Test func `the operator closes the world, or opens it to members`() throws {
        let closed = WorldRoom(settings: WorldSettings(access: .off), topic: 1)
        #expect(throws: SharingError.self) { try closed.enter(Spectator(.events), isMember: true) }
        let members = WorldRoom(settings: WorldSettings(access: .members), topic: 1)
        #expect(throws: SharingError.self) { try members.enter(Spectator(.events), isMember: false) }
        _ = try members.enter(Spectator(.events), isMember: true)
    }

    @Test func `a member with a full outbox misses rounds, and is then sent where everyone is`() throws {
        let slow = Spectator(.socketIO)
        let slowMember = try enter(slow)
        let member = try enter(Spectator(.events))
        room.distribute()
        _ = slow.takeFrames()

        slow.isWritable = false
        for step in 0..<10 { try room.move(member, to: position("1,\(step)")) }
        room.distribute()
        #expect(slow.takeFrames() == [])

        slow.isWritable = true
        room.refresh(slowMember)
        #expect(slow.takeFrames() == ["42[\"update\",\"\(member.id):1,9\"]"])
        try room.move(member, to: position("2,2"))
        room.distribute()
        #expect(slow.takeFrames() == ["42[\"update\",\"\(member.id):2,2\"]"])
    }

    @Test func `a member with a full outbox learns afterward who left`() throws {
        let slow = Spectator(.socketIO)
        let slowMember = try enter(slow)
        let member = try enter(Spectator(.events))
        room.distribute()
        _ = slow.takeFrames()
        slow.isWritable = false
        room.leave(member)
        room.distribute()
        slow.isWritable = true
        room.refresh(slowMember)
        #expect(slow.takeFrames() == ["42[\"disappear\",\"\(member.id)\"]"])
    }

    @Test func `a client that polls is delivered what it fetches, and fetches nothing twice`()
        throws
    {
        let poller = Spectator(.socketIO, polls: true)
        let member = try enter(poller)
        let other = try enter(Spectator(.events))
        try room.move(other, to: position("1,2"))
        room.distribute()
        #expect(poller.takeFrames() == [])
        #expect(
            poll(poller, member) == [
                "42[\"join\",\"\(other.id)\"]", "42[\"update\",\"\(other.id):1,2\"]",
            ]
        )
        room.distribute()
        try room.move(member, to: position("7,7"))
        try room.move(other, to: position("1,3"))
        try room.move(other, to: position("1,4"))
        room.distribute()
        #expect(poll(poller, member) == ["42[\"update\",\"\(other.id):1,4\"]"])
        // A poll that waits is answered by the round.
        #expect(poll(poller, member) == [])
        room.leave(other)
        room.distribute()
        #expect(poller.takeFrames() == ["42[\"disappear\",\"\(other.id)\"]"])
    }

    @Test func `a client that polls enters a world of any size, in pieces`() throws {
        for _ in 0..<5_000 { _ = try enter(Spectator(.events, polls: true)) }
        room.distribute()
        let poller = Spectator(.socketIO, polls: true)
        let member = try enter(poller)
        var (seen, pieces): (Set<String>, Int) = ([], 0)
        while case let frames = poll(poller, member), !frames.isEmpty {
            #expect(frames.reduce(0) { $0 + $1.utf8.count } <= WorldRoom.pieceLimit)
            #expect(seen.isDisjoint(with: frames))
            seen.formUnion(frames)
            pieces += 1
        }
        #expect(seen.count == 5_000 && pieces > 2)
    }

    @Test func `one account or network has at most as many members as places are left`() throws {
        let (settings, shares) = (WorldSettings(memberLimit: 100), WorldShares())
        let rooms = (0..<2).map { _ in WorldRoom(settings: settings, topic: 1, shares: shares) }
        for room in rooms { room.onLocal = { event in rooms.first { $0 !== room }?.receive(event) } }
        func enter(_ holder: String, _ index: Int) -> WorldMember? {
            defer { rooms[index % 2].settle() }
            return try? rooms[index % 2].enter(Spectator(.events), isMember: false, holder: holder)
        }
        let flood = (0..<100).compactMap { enter("flood", $0) }
        #expect((50...51).contains(flood.count))
        #expect((0..<100).compactMap { enter("other", $0) }.count >= 24)
        #expect(enter("third", 0) != nil)
        rooms[0].leave(flood[0])
        rooms[0].leave(flood[0])
        #expect(enter("flood", 0) == nil && enter("third", 0) != nil)
    }

    @Test func `a refused packet uses a unit of the connection's rate`() throws {
        let room = WorldRoom(settings: WorldSettings(packetsPerSecond: 2), topic: 1)
        let spectator = Spectator(.events)
        _ = try room.enter(spectator, isMember: false)
        try room.countRefusal(of: spectator)
        #expect(throws: SharingError.self) { for _ in 0..<60 { try room.countRefusal(of: spectator) } }
    }

    @Test func `everyone's picture equals the world after any moves`() throws {
        for seed in UInt64(0)..<50 {
            try compare(seed: seed)
        }
    }

    private func compare(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let room = WorldRoom(settings: WorldSettings(packetsPerSecond: 10_000), topic: 1)
        var people: [(Spectator, WorldMember)] = []
        var truth: [WorldID: String] = [:]
        for _ in 0..<60 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let spectator = Spectator(.events, polls: Bool.random(using: &random))
                let member = try room.enter(spectator, isMember: false)
                people.append((spectator, member))
                truth[member.id] = ""
            case 1 where !people.isEmpty:
                let (_, member) = people.remove(at: Int.random(in: 0..<people.count, using: &random))
                room.leave(member)
                truth[member.id] = nil
            case 4 where !people.isEmpty:
                // A poll comes, or an outbox is full or empty again.
                let (spectator, member) = people[Int.random(in: 0..<people.count, using: &random)]
                spectator.isWritable = !spectator.receivesRounds || !spectator.isWritable
                if spectator.isWritable { room.refresh(member) }
            case 5:
                if Bool.random(using: &random) { room.settle() }
                room.distribute()
            default:
                guard let (_, member) = people.randomElement(using: &random) else { continue }
                let place = "\(Int.random(in: 0..<90, using: &random)),1"
                try room.move(member, to: position(place))
                truth[member.id] = place
            }
        }
        room.settle()
        room.distribute()
        for (spectator, member) in people {
            spectator.isWritable = true
            room.refresh(member)
            #expect(spectator.picture == truth.filter { $0.key != member.id }, "seed \(seed)")
        }
    }
}

extension Spectator {
    /// What the events add up to.
    fileprivate var picture: [WorldID: String] {
        var picture: [WorldID: String] = [:]
        for event in events {
            switch event {
            case .joined(let id): picture[id] = picture[id] ?? ""
            case .moved(let id, let place): picture[id] = String(decoding: place, as: UTF8.self)
            case .left(let id): picture[id] = nil
            }
        }
        return picture
    }
}
