import TestSupport
import Testing

@testable import YonderWorld

/// A client that fetches the world in pieces, and counts what it can't make sense of.
private struct Fetcher {
    var cursor: WorldPins.Cursor
    let own: WorldID
    private(set) var picture: [WorldID: String] = [:]
    private(set) var faults = 0

    init(_ pins: WorldPins, _ own: WorldID) {
        cursor = .init(newAt: pins.last)
        self.own = own
    }

    /// Fetches a piece; returns how many events it had.
    mutating func fetch(_ pins: WorldPins, limit: Int) throws -> Int {
        let events = try #require(pins.read(&cursor, without: own, isOwn: { _ in false }, limit: limit))
        for event in events {
            switch event {
            case .joined(let id):
                if picture.updateValue("", forKey: id) != nil { faults += 1 }
            case .moved(let id, let place):
                let place = String(decoding: place, as: UTF8.self)
                if picture.updateValue(place, forKey: id) == nil { faults += 1 }
            case .left(let id):
                if picture.removeValue(forKey: id) == nil { faults += 1 }
            }
        }
        return events.count
    }
}

@Suite struct WorldPinsTests {
    @Test func `fetched in pieces, no pin is lost or sent twice, whatever happens meanwhile`() throws {
        for seed in UInt64(0)..<60 {
            var random = SeededGenerator(seed: seed)
            var pins = WorldPins()
            var truth: [WorldID: String] = [:]
            var clients: [Fetcher] = []
            for step in 0..<600 {
                let others = truth.keys.filter { id in !clients.contains { $0.own == id } }
                let known = others.min { $0.description < $1.description }
                let other = others.max { $0.description < $1.description }
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<3:
                    let id = WorldID.random(using: &random)
                    pins.apply(.joined(id))
                    truth[id] = ""
                case 3:
                    if let id = Bool.random(using: &random) ? known : other {
                        pins.apply(.left(id))
                        truth[id] = nil
                    }
                case 4..<7:
                    if let id = Bool.random(using: &random) ? known : other {
                        pins.apply(.moved(id, at: Array("\(step),1".utf8)))
                        truth[id] = "\(step),1"
                    }
                case 7 where clients.count < 5:
                    let id = WorldID.random(using: &random)
                    pins.apply(.joined(id))
                    truth[id] = ""
                    clients.append(Fetcher(pins, id))
                default:
                    guard let index = clients.indices.randomElement(using: &random) else { continue }
                    _ = try clients[index].fetch(pins, limit: Int.random(in: 1..<300, using: &random))
                    pins.forget(before: clients.map(\.cursor.seen).min())
                }
            }
            for var client in clients {
                while !pins.isCurrent(client.cursor) { _ = try client.fetch(pins, limit: 100) }
                #expect(client.faults == 0, "seed \(seed)")
                #expect(client.picture == truth.filter { $0.key != client.own }, "seed \(seed)")
            }
        }
    }

    @Test func `of several moves the last is fetched`() throws {
        var random = SeededGenerator(seed: 1)
        var pins = WorldPins()
        let (own, other) = (WorldID.random(using: &random), WorldID.random(using: &random))
        pins.apply(.joined(other))
        var client = Fetcher(pins, own)
        #expect(try client.fetch(pins, limit: 1_000) == 1)
        for step in 0..<10 { pins.apply(.moved(other, at: Array("\(step),1".utf8))) }
        #expect(try client.fetch(pins, limit: 1_000) == 1)
        #expect(client.picture == [other: "9,1"])
        #expect(try client.fetch(pins, limit: 1_000) == 0)
    }

    @Test func `a member that is behind by more departures than are kept can't be brought up to date`() throws
    {
        var random = SeededGenerator(seed: 1)
        var pins = WorldPins()
        let behind = WorldPins.Cursor(upTo: 0)
        for _ in 0..<WorldPins.departureLimit + 5_000 {
            let id = WorldID.random(using: &random)
            pins.apply(.joined(id))
            pins.apply(.left(id))
            pins.forget(before: behind.seen)
        }
        var cursor = behind
        let own = WorldID.random(using: &random)
        #expect(pins.read(&cursor, without: own, isOwn: { _ in false }, limit: 100) == nil)
        pins.forget(before: nil)
        var newcomer = WorldPins.Cursor(newAt: pins.last)
        #expect(pins.read(&newcomer, without: own, isOwn: { _ in false }, limit: 100) == [])
    }
}
