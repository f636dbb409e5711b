import TestSupport
import Testing
import YonderGeodesy

@Suite struct PointSnapshotTests {
    @Test(arguments: 0..<UInt64(8))
    func
        `invariant 5 of PointIndex: a snapshot stays as it was, whatever becomes of the index and of other snapshots`(
            seed: UInt64
        )
    {
        var dice = PlaceDice(seed: seed)
        var index = PointIndex()
        var places: [UInt32: Coordinate.Rounded] = [:]
        var kept: [(snapshot: PointSnapshot, places: [UInt32: Coordinate.Rounded])] = []
        for _ in 0..<40 {
            for _ in 0..<400 {
                let id = UInt32(dice.number(0..<3000))
                let place = places[id].map { dice.step(from: $0) } ?? dice.coordinate()
                if places[id] != nil, dice.chance(20) {
                    index.remove(id)
                    places[id] = nil
                } else if places.updateValue(place, forKey: id) == nil {
                    index.insert(id, at: place)
                } else {
                    index.move(id, to: place)
                }
            }
            kept.append((index.snapshot(), places))
            if dice.chance(40) { kept.remove(at: dice.number(0..<kept.count)) }
        }
        #expect(index.check() == [])
        for (snapshot, places) in kept {
            #expect(snapshot.index.check() == [])
            #expect(snapshot.index.count == places.count)
            var found: [UInt32: Coordinate.Rounded] = [:]
            snapshot.index.visit(.everywhere) { found[$0.id] = $0.coordinate }
            #expect(found == places)
        }
    }

    @Test func `readers see all of a change or nothing of it, while points move and snapshots come and go`()
        async
    {
        let shared = SharedPointIndex()
        let herds = UInt32(8)
        let perHerd = UInt32(100)
        shared.withIndex { index in
            for id in 0..<herds * perHerd { index.insert(id, at: PlaceDice.rounded(0, 0)) }
        }
        let errors = await withTaskGroup(of: Int.self) { group in
            for herd in 0..<herds / 2 {
                group.addTask {
                    Self.drive([2 * herd, 2 * herd + 1], perHerd, in: shared)
                    return 0
                }
            }
            for reader in 0..<UInt64(3) {
                group.addTask {
                    var errors = 0
                    for _ in 0..<60 {
                        let snapshot = shared.snapshot()
                        // Others move on meanwhile, and take snapshots of their own.
                        await Task.yield()
                        let isWhole = Self.isWhole(snapshot.index, herds, perHerd)
                        if !isWhole { errors += 1 }
                        let total = shared.withIndex { $0.region(.everywhere, limit: Int(reader)).total }
                        if total != Int(herds * perHerd) { errors += 1 }
                    }
                    return errors
                }
            }
            return await group.reduce(0, +)
        }
        #expect(errors == 0)
        let complaints = shared.withIndex { $0.check() }
        #expect(complaints == [])
    }

    /// Moves herds about, each at once.
    private static func drive(_ herds: [UInt32], _ perHerd: UInt32, in shared: SharedPointIndex) {
        var dice = PlaceDice(seed: UInt64(herds[0]))
        for round in 0..<150 {
            let herd = herds[round % herds.count]
            let place = dice.coordinate()
            shared.withIndex { index in
                for id in herd * perHerd..<(herd + 1) * perHerd { index.move(id, to: place) }
            }
        }
    }

    /// Whether every herd is in one place.
    private static func isWhole(_ index: borrowing PointIndex, _ herds: UInt32, _ perHerd: UInt32) -> Bool {
        var places: [Set<Coordinate.Rounded>] = Array(repeating: [], count: Int(herds))
        var count = 0
        index.visit(.everywhere) { entry in
            places[Int(entry.id / perHerd)].insert(entry.coordinate)
            count += 1
        }
        return count == Int(herds * perHerd) && places.allSatisfy { $0.count == 1 }
    }
}
