import TestSupport
import Testing
import YonderGeodesy

@Suite struct PointIndexTests {
    @Test(arguments: 0..<UInt64(24))
    func `invariants 1 to 4 of PointIndex: the index answers as looking at every point does, after any edits`(
        seed: UInt64
    ) {
        var dice = PlaceDice(seed: seed)
        var index = PointIndex()
        var model = PointModel()
        let ids = UInt32(dice.number(1..<6) * 150)
        for round in 0..<60 {
            for _ in 0..<dice.number(1..<80) { edit(&index, &model, ids, &dice) }
            #expect(index.count == model.points.count)
            #expect(index.check() == [], "seed \(seed), round \(round)")
            for _ in 0..<4 { compareRegion(index, model, &dice) }
            compareNearest(index, model, &dice)
        }
    }

    @Test(arguments: 0..<UInt64(12))
    func `invariants 1 to 4 of PointIndex: a loaded index is as one that was filled one by one`(seed: UInt64)
    {
        var dice = PlaceDice(seed: 1000 + seed)
        let size = [0, 1, 64, 65, 700, 3000][Int(seed) % 6]
        let centers = (0..<5).map { _ in dice.coordinate() }
        var model = PointModel()
        var entries: [PointIndex.Entry] = []
        for id in 0..<UInt32(size) {
            let place = dice.chance(70) ? dice.step(from: centers[dice.number(0..<5)]) : dice.coordinate()
            entries.append(.init(id: id, coordinate: place, rank: UInt32(dice.number(0..<50))))
            model.points[id] = entries.last
        }
        // A name that comes twice stays where it was first.
        if let first = entries.first { entries.append(.init(id: first.id, coordinate: dice.coordinate())) }
        entries.shuffle(using: &dice.random)
        if let last = entries.last {
            model.points[entries[0].id] = entries.first { $0.id == last.id } ?? last
        }
        for entry in entries.reversed() { model.points[entry.id] = entry }

        var index = PointIndex()
        #expect(index.load(entries) == size)
        #expect(index.check() == [])
        for _ in 0..<20 { compareRegion(index, model, &dice) }
        for _ in 0..<10 { compareNearest(index, model, &dice) }
        #expect(index.load(entries) == 0)
        for _ in 0..<200 { edit(&index, &model, UInt32(size) + 20, &dice) }
        #expect(index.check() == [])
        for _ in 0..<20 { compareRegion(index, model, &dice) }
    }

    @Test
    func
        `invariants 2 and 3 of PointIndex: thousands of points on one coordinate are one leaf, and leave it again`()
        throws
    {
        let place = try #require(Coordinate(latitude: 48.2, longitude: 16.37)).rounded
        let beside = PlaceDice.rounded(place.latitude, place.longitude + 1)
        var index = PointIndex()
        for id in 0..<UInt32(5000) { index.insert(id, at: id == 0 ? beside : place, rank: 5000 - id) }
        #expect(index.check() == [])
        let here = try #require(
            Region(
                westEdge: place.longitude,
                southEdge: place.latitude,
                eastEdge: place.longitude,
                northEdge: place.latitude
            )
        )
        #expect(index.total(in: here) == 4999)
        #expect(index.region(here, limit: 3, order: .rank).ids == [4999, 4998, 4997])
        let nearest = index.nearest(4, to: Coordinate(place))
        #expect(nearest.map(\.id) == [1, 2, 3, 4])
        #expect(nearest.allSatisfy { $0.distance == .zero })
        for id in 0..<UInt32(5000) where id % 50 != 7 { index.remove(id) }
        #expect(index.check() == [])
        #expect(index.count == 100)
        #expect(Set(index.region(here, limit: 1000).ids) == Set((0..<100).map { $0 * 50 + 7 }))
    }

    @Test func `an inserted point stays, and a missing one can't be moved or removed`() throws {
        let here = try #require(Coordinate(latitude: 1, longitude: 2)).rounded
        let there = try #require(Coordinate(latitude: 3, longitude: 4)).rounded
        var index = PointIndex()
        #expect(index.insert(7, at: here, rank: 9) == true)
        #expect(index.insert(7, at: there) == false)
        #expect(index.coordinate(of: 7) == here)
        #expect(index.rank(of: 7) == 9)
        #expect(index.move(8, to: there) == false)
        #expect(index.remove(8) == false)
        #expect(index.remove(4_000_000_000) == false)
        #expect(index.coordinate(of: 4_000_000_000) == nil)
        #expect(index.move(7, to: there) == true)
        #expect(index.coordinate(of: 7) == there)
        #expect(index.rank(of: 7) == 9)
        #expect(index.remove(7) == true)
        #expect(index.coordinate(of: 7) == nil)
        #expect(index.rank(of: 7) == nil)
        #expect(index.count == 0)
        #expect(index.region(.everywhere, limit: 10, order: .rank).total == 0)
        #expect(index.nearest(3, to: Coordinate(here)) == [])
    }

    @Test func `invariant 3 of PointIndex: an emptied index gives its cells back`() {
        var dice = PlaceDice(seed: 77)
        var index = PointIndex()
        for id in 0..<UInt32(4000) { index.insert(id, at: dice.coordinate()) }
        let byteCount = index.byteCount
        for _ in 0..<3 {
            for id in 0..<UInt32(4000) { index.remove(id) }
            #expect(index.check() == [])
            #expect(index.total(in: .everywhere) == 0)
            for id in 0..<UInt32(4000) { index.insert(id, at: dice.coordinate()) }
        }
        #expect(index.byteCount <= byteCount + 4 * 16_384)
        index.removeAll()
        #expect(index.count == 0)
        #expect(index.check() == [])
    }

    // MARK: Comparing

    private func edit(
        _ index: inout PointIndex,
        _ model: inout PointModel,
        _ ids: UInt32,
        _ dice: inout PlaceDice
    ) {
        let id = UInt32(dice.number(0..<Int(ids)))
        switch (model.points[id], dice.number(0..<10)) {
        case (nil, _):
            let rank = dice.chance(30) ? 0 : UInt32(dice.number(0..<40))
            let near = model.points.values.min { $0.id < $1.id }?.coordinate
            let place =
                dice.chance(50) ? near.map { dice.step(from: $0) } ?? dice.coordinate() : dice.coordinate()
            #expect(index.insert(id, at: place, rank: rank) == true)
            model.points[id] = .init(id: id, coordinate: place, rank: rank)
        case (.some, 0..<3):
            #expect(index.remove(id) == true)
            model.points[id] = nil
        case (.some(let entry), let kind):
            let place = kind < 8 ? dice.step(from: entry.coordinate) : dice.coordinate()
            #expect(index.move(id, to: place) == true)
            model.points[id]?.coordinate = place
            #expect(index.coordinate(of: id) == place)
        }
    }

    private func compareRegion(_ index: borrowing PointIndex, _ model: PointModel, _ dice: inout PlaceDice) {
        let region = dice.region(around: model.points.values.sorted { $0.id < $1.id }.map(\.coordinate))
        let expected = model.inside(region)
        let names = Set(expected.map(\.id))
        let limit = [-1, 0, 1, 7, 100, 5000, .max][dice.number(0..<7)]
        let selection = index.region(region, limit: limit)
        #expect(selection.total == expected.count, "\(region)")
        #expect(index.total(in: region) == expected.count, "\(region)")
        #expect(selection.ids.count == min(max(0, limit), expected.count), "\(region)")
        #expect(
            Set(selection.ids).count == selection.ids.count && names.isSuperset(of: selection.ids),
            "\(region)"
        )

        let best = index.region(region, limit: limit, order: .rank)
        #expect(best.total == expected.count)
        #expect(names.isSuperset(of: best.ids))
        let ranks = best.ids.compactMap { model.points[$0]?.rank }
        #expect(ranks == Array(expected.map(\.rank).sorted().prefix(max(0, limit))), "\(region)")

        var visited: Set<PointIndex.Entry> = []
        index.visit(region) { visited.insert($0) }
        #expect(visited == Set(expected), "\(region)")
    }

    private func compareNearest(_ index: borrowing PointIndex, _ model: PointModel, _ dice: inout PlaceDice) {
        let center = Coordinate(dice.coordinate())
        let reach: Distance? = [nil, .meters(0), .meters(100), .kilometers(50), .kilometers(9000)][
            dice.number(0..<5)
        ]
        let limit = [0, 1, 3, 10, 100, .max][dice.number(0..<6)]
        let found = index.nearest(limit, to: center, within: reach)
        let expected = model.nearest(limit, to: center, within: reach)
        #expect(found.count == expected.count, "\(limit) \(center) \(String(describing: reach))")
        #expect(Set(found.map(\.id)).count == found.count)
        for (neighbor, distance) in zip(found, expected) {
            // The formula is good to a meter for antipodes, and to rounding elsewhere.
            let tolerance = distance > 19_900_000 ? 2 : 1e-5
            #expect(abs(neighbor.distance.meters - distance) <= tolerance, "\(center)")
            if let place = model.points[neighbor.id]?.coordinate {
                let own = center.distance(to: Coordinate(place)).meters
                #expect(abs(own - neighbor.distance.meters) <= tolerance, "\(center) \(place)")
            }
        }
        for (first, second) in zip(found, found.dropFirst()) {
            #expect((first.distance.meters, first.id) < (second.distance.meters, second.id))
        }
    }
}
