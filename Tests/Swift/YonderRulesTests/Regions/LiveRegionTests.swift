import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import struct YonderRules.LiveRegion

@Suite struct LiveRegionTests {
    @Test func `the state sent to clients equals a fresh query after any edits`() {
        for seed in UInt64(0)..<60 {
            var random = SeededGenerator(seed: seed)
            var stage = RegionStage()
            for id in UInt32(0)..<150 { stage.insert(id, at: RegionCases.place(using: &random)) }
            for _ in 0..<60 {
                for _ in 0..<Int.random(in: 1...12, using: &random) { Self.edit(&stage, using: &random) }
                stage.distribute()
                for watcher in stage.clients.keys { stage.check(watcher, "seed \(seed)") }
            }
        }
    }

    @Test func `a slow reader is sent the current state once they read again`() {
        for seed in UInt64(100)..<140 {
            var random = SeededGenerator(seed: seed)
            var stage = RegionStage()
            for id in UInt32(0)..<100 { stage.insert(id, at: RegionCases.place(using: &random)) }
            for _ in 0..<60 {
                for _ in 0..<12 { Self.edit(&stage, using: &random) }
                let slow = UInt32.random(in: 0..<8, using: &random)
                stage.distribute { $0 % 8 != slow }
                for watcher in stage.clients.keys where watcher % 8 != slow {
                    stage.check(watcher, "seed \(seed)")
                }
            }
            stage.distribute()
            for watcher in stage.clients.keys { stage.check(watcher, "seed \(seed)") }
        }
    }

    private static func edit(_ stage: inout RegionStage, using random: inout SeededGenerator) {
        let id = UInt32.random(in: 0..<200, using: &random)
        let watcher = stage.clients.keys.sorted().randomElement(using: &random)
        switch (Int.random(in: 0..<20, using: &random), stage.things[id], watcher) {
        case (0...1, _, let watcher?): stage.move(watcher, to: RegionCases.region(using: &random))
        case (2, _, let watcher?) where stage.clients.count > 4: stage.end(watcher)
        case (3...4, _, _) where stage.clients.count < 10:
            let limit = [0, 1, 5, 20, 1_000].randomElement(using: &random) ?? 1
            let isFiltered = Bool.random(using: &random)
            _ = stage.begin(RegionCases.region(using: &random), limit: limit, isFiltered: isFiltered)
        case (5, _?, let watcher?) where !(stage.clients[watcher]?.hidden.ids.isEmpty ?? true):
            stage.toggle(id, for: watcher)
        case (6...7, _?, _): stage.change(id)
        case (8...9, _?, _): stage.remove(id)
        case (_, let thing?, _):
            let leaps = Int.random(in: 0..<3, using: &random) == 0
            stage.move(
                id,
                to: leaps
                    ? RegionCases.place(using: &random) : RegionCases.step(from: thing.place, using: &random)
            )
        case (_, nil, _):
            if !stage.board.isHeld(id) { stage.insert(id, at: RegionCases.place(using: &random)) }
        }
    }

    // MARK: By name

    @Test(arguments: [
        // West, south, east, north; a place inside, a place outside.
        (179.0, -20.0, -179.0, -10.0, (-16.8, 180.0), (-16.8, 178.9)),
        (-180, -20, -179, -10, (-16.8, 180), (-16.8, 179.9)),
        (170, -20, 180, -10, (-16.8, -180), (-16.8, -179.9)),
        (10, 89, 20, 90, (90, 12), (90, 21)),
        (-180, -90, 180, -80, (-90, 5), (-79.9, 5)),
        (-1, -1, 0, 0, (0, 0), (0.0000001, 0)),
        (-180, -90, 180, 90, (90, 180), (0, 0)),
    ])
    func `a step over a region's edge is told`(
        west: Double,
        south: Double,
        east: Double,
        north: Double,
        inside: (Double, Double),
        outside: (Double, Double)
    ) throws {
        let region = try #require(Region(west: west, south: south, east: east, north: north))
        let here = try #require(Coordinate(latitude: inside.0, longitude: inside.1)).rounded
        let there = try #require(Coordinate(latitude: outside.0, longitude: outside.1)).rounded
        var index = PointIndex()
        var board = RegionBoard()
        index.insert(4, at: there)
        let watcher = board.begin(region, limit: 10, in: index)
        let isInsideAnyway = region == .everywhere
        #expect(
            told(&board, watcher, index)
                == Told(isInsideAnyway ? [.entered] : [], total: isInsideAnyway ? 1 : 0)
        )

        index.move(4, to: here)
        board.receive(.moved(4, from: there, to: here))
        #expect(
            told(&board, watcher, index) == (isInsideAnyway ? Told([.moved]) : Told([.entered], total: 1))
        )

        index.move(4, to: there)
        board.receive(.moved(4, from: here, to: there))
        #expect(told(&board, watcher, index) == (isInsideAnyway ? Told([.moved]) : Told([.left], total: 0)))
    }

    @Test func `moving the region tells the difference alone`() throws {
        var index = PointIndex()
        for id in UInt32(0)..<10 { index.insert(id, at: try place(0, Double(id))) }
        var board = RegionBoard()
        let watcher = board.begin(try band(0, 4), limit: 100, in: index)
        #expect(
            list(&board, watcher, index) == ["entered 0", "entered 1", "entered 2", "entered 3", "entered 4"]
        )

        board.move(watcher, to: try band(2, 6), in: index)
        #expect(board.takeDirty() == [watcher])
        #expect(list(&board, watcher, index) == ["entered 5", "entered 6", "left 0", "left 1"])

        board.move(watcher, to: try band(2, 6), in: index)
        #expect(board.takeDirty().isEmpty)
    }

    @Test func `a full list is refilled when one leaves, and counts all`() throws {
        var index = PointIndex()
        for id in UInt32(0)..<10 { index.insert(id, at: try place(0, Double(id))) }
        var board = RegionBoard()
        let watcher = board.begin(try band(0, 9), limit: 3, in: index)
        var known: Set<UInt32> = []
        #expect(board.drain(watcher, in: index) { id, _ in known.insert(id) } == 10)
        #expect(known.count == 3)

        let leaver = try #require(known.min())
        index.remove(leaver)
        board.receive(.removed(leaver, at: try place(0, Double(leaver))))
        var told: [Passage] = []
        #expect(board.drain(watcher, in: index) { _, passage in told.append(passage) } == 9)
        #expect(told == [.left, .entered])
        #expect(board.region(watcher)?.known.count == 3)
    }

    @Test func `one not on the list moves without a word`() throws {
        var index = PointIndex()
        for id in UInt32(0)..<10 { index.insert(id, at: try place(0, Double(id))) }
        var board = RegionBoard()
        let watcher = board.begin(try band(0, 9), limit: 3, in: index)
        _ = board.takeDirty()
        _ = board.drain(watcher, in: index) { _, _ in }
        let known = try #require(board.region(watcher)).known
        let other = try #require((0..<10).first { !known.contains($0) })
        index.move(other, to: try place(1, 1))
        board.receive(.moved(other, from: try place(0, Double(other)), to: try place(1, 1)))
        #expect(board.takeDirty().isEmpty)
    }

    @Test func `an item that came and went in one round isn't sent`() throws {
        var index = PointIndex()
        var board = RegionBoard()
        let watcher = board.begin(try band(0, 1), limit: 3, in: index)
        #expect(told(&board, watcher, index) == Told([], total: 0))
        index.insert(1, at: try place(0, 0))
        board.receive(.inserted(1, at: try place(0, 0)))
        index.remove(1)
        board.receive(.removed(1, at: try place(0, 0)))
        #expect(told(&board, watcher, index) == Told([]))
    }

    @Test func `the queue for a slow reader has a bound`() throws {
        let (inside, outside) = (try place(0, 0), try place(0, 5))
        var index = PointIndex()
        for id in UInt32(0)..<5 { index.insert(id, at: inside) }
        var board = RegionBoard()
        let watcher = board.begin(try band(0, 1), limit: 5, in: index)
        #expect(told(&board, watcher, index) == Told(Array(repeating: .entered, count: 5), total: 5))
        for id in UInt32(0)..<3 {
            index.move(id, to: outside)
            board.receive(.moved(id, from: inside, to: outside))
        }
        for id in UInt32(10)..<1_000 {
            board.receive(.inserted(id, at: inside))
            board.receive(.removed(id, at: inside))
            #expect(try #require(board.region(watcher)).waiting <= 4 * 5 + 64)
        }
        #expect(told(&board, watcher, index) == Told([.left, .left, .left], total: 2))
        #expect(board.region(watcher)?.known.sorted() == [3, 4])
    }

    @Test func `one that left and came back is told as changed`() throws {
        var index = PointIndex()
        index.insert(1, at: try place(0, 0))
        var board = RegionBoard()
        let watcher = board.begin(try band(0, 1), limit: 3, in: index)
        #expect(told(&board, watcher, index) == Told([.entered], total: 1))
        board.receive(.moved(1, from: try place(0, 0), to: try place(0, 5)))
        board.receive(.changed(1, at: try place(0, 5)))
        board.receive(.moved(1, from: try place(0, 5), to: try place(0, 0)))
        #expect(told(&board, watcher, index) == Told([.changed]))
    }

    @Test func `a removed thing is held until everyone was told`() throws {
        var index = PointIndex()
        index.insert(1, at: try place(0, 0))
        var board = RegionBoard()
        let (quick, slow, gone) = (
            board.begin(try band(0, 1), limit: 3, in: index),
            board.begin(try band(-1, 0), limit: 3, in: index),
            board.begin(try band(0, 2), limit: 3, in: index)
        )
        for watcher in [quick, slow, gone] { _ = board.drain(watcher, in: index) { _, _ in } }
        index.remove(1)
        board.receive(.removed(1, at: try place(0, 0)))
        #expect(board.isHeld(1))
        _ = board.drain(quick, in: index) { _, _ in }
        board.end(gone)
        #expect(board.isHeld(1))
        _ = board.drain(slow, in: index) { _, _ in }
        #expect(!board.isHeld(1))
    }

    // MARK: Telling

    private struct Told: Equatable {
        let passages: [Passage]
        let total: Int?

        init(_ passages: [Passage], total: Int? = nil) {
            self.passages = passages
            self.total = total
        }
    }

    private func told(
        _ board: inout RegionBoard,
        _ watcher: RegionBoard.Watcher,
        _ index: borrowing PointIndex
    ) -> Told {
        var passages: [Passage] = []
        let total = board.drain(watcher, in: index) { _, passage in passages.append(passage) }
        return Told(passages, total: total)
    }

    private func list(
        _ board: inout RegionBoard,
        _ watcher: RegionBoard.Watcher,
        _ index: borrowing PointIndex
    ) -> [String] {
        var lines: [String] = []
        _ = board.takeDirty()
        _ = board.drain(watcher, in: index) { id, passage in lines.append("\(passage) \(id)") }
        return lines.sorted()
    }

    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate.Rounded {
        try #require(Coordinate(latitude: latitude, longitude: longitude)).rounded
    }

    private func band(_ west: Double, _ east: Double) throws -> Region {
        try #require(Region(west: west, south: -1, east: east, north: 1))
    }
}
