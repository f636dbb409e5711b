import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderObjects

@Suite struct IndexInboxTests {
    @Test(arguments: UInt64(0)..<8)
    func `however much comes, little is kept, and it says the same`(seed: UInt64) throws {
        var inbox = IndexInbox(number: 1) {}
        var map = RandomMap(seed: seed)
        var vanished: Set<PointIndex.ID> = []
        var removed: Set<PointIndex.ID> = []
        for _ in 0..<50 { _ = map.insert() }
        let start = map.there
        for _ in 0..<20_000 {
            let event = map.event()
            if case .removed(let id, _) = event { removed.insert(id) }
            _ = inbox.append(event, items: map.there.count) { vanished.insert($0) }
        }
        let news = inbox.take()
        #expect(news.count <= IndexInbox.smallest + 1)
        var heard = start
        var heardRemoved: Set<PointIndex.ID> = []
        for event in news {
            switch event {
            case .inserted(let id, let coordinate): #expect(heard.updateValue(coordinate, forKey: id) == nil)
            case .moved(let id, let from, let to): #expect(heard.updateValue(to, forKey: id) == from)
            case .changed(let id, let coordinate): #expect(heard[id] == coordinate)
            case .removed(let id, let coordinate):
                #expect(heard.removeValue(forKey: id) == coordinate)
                heardRemoved.insert(id)
            }
        }
        #expect(heard == map.there, "seed \(seed)")
        #expect(vanished.isDisjoint(with: heardRemoved) && vanished.union(heardRemoved) == removed)
        #expect(inbox.take().isEmpty)
    }

    @Test(.timeLimit(.minutes(20)))
    func `when all items go, their events aren't merged anew with each of them`() throws {
        let coordinate = try #require(Coordinate.Rounded(latitude: 0, longitude: 0))
        let count: PointIndex.ID = 200_000
        var inbox = IndexInbox(number: 1) {}
        for id in 0..<count { _ = inbox.append(.removed(id, at: coordinate), items: 0) { _ in } }
        #expect(inbox.take().count == Int(count))
    }

    @Test func `the loop is told once until it has looked`() throws {
        let coordinate = try #require(Coordinate.Rounded(latitude: 0, longitude: 0))
        var inbox = IndexInbox(number: 1) {}
        #expect(inbox.append(.inserted(1, at: coordinate), items: 1) { _ in })
        #expect(!inbox.append(.changed(1, at: coordinate), items: 1) { _ in })
        #expect(inbox.take().count == 2)
        #expect(inbox.append(.changed(1, at: coordinate), items: 1) { _ in })
    }
}

/// Items that come, go, move and change.
private struct RandomMap {
    private(set) var there: [PointIndex.ID: Coordinate.Rounded] = [:]
    private var ids: [PointIndex.ID] = []
    private var next: PointIndex.ID = 0
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func insert() -> IndexEvent {
        defer { next += 1 }
        let coordinate = coordinate()
        there[next] = coordinate
        ids.append(next)
        return .inserted(next, at: coordinate)
    }

    mutating func event() -> IndexEvent {
        let action = Int.random(in: 0..<10, using: &random)
        guard let index = ids.indices.randomElement(using: &random), action > 1, let old = there[ids[index]]
        else { return insert() }
        let id = ids[index]
        switch action {
        case 2..<4:
            there[id] = nil
            ids.swapAt(index, ids.count - 1)
            ids.removeLast()
            return .removed(id, at: old)
        case 4..<6: return .changed(id, at: old)
        default:
            let coordinate = coordinate()
            there[id] = coordinate
            return .moved(id, from: old, to: coordinate)
        }
    }

    private mutating func coordinate() -> Coordinate.Rounded {
        let longitude = Int32.random(in: 0..<90, using: &random)
        guard let coordinate = Coordinate.Rounded(latitude: 0, longitude: longitude) else {
            preconditionFailure("\(longitude) is in range")
        }
        return coordinate
    }
}
