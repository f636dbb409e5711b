import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import struct YonderRules.InterestCell
@testable import struct YonderRules.RegionExtent

@Suite struct RegionInterestTests {
    @Test func `an extent has exactly the points of its region`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let region = RegionCases.region(using: &random)
            let place = RegionCases.place(using: &random)
            #expect(RegionExtent(region).contains(place) == region.contains(place), "\(region) \(place)")
        }
    }

    @Test func `a region has a few cells, and every place inside is in one of them`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<5_000 {
            let region = RegionCases.region(using: &random)
            let covering = InterestCell.covering(region)
            #expect(covering.cells.count <= InterestCell.mostForRegion, "\(region)")
            #expect(Set(covering.cells).count == covering.cells.count, "\(region)")
            let place = RegionCases.place(using: &random)
            if region.contains(place) {
                #expect(covering.cells.contains(InterestCell(place, level: covering.level)), "\(region)")
            }
        }
    }

    @Test func `the whole Earth has eight cells`() {
        #expect(InterestCell.covering(.everywhere).cells.count == 8)
    }

    @Test func `an event finds exactly those that a scan over everyone finds`() {
        for seed in UInt64(0)..<40 {
            var random = SeededGenerator(seed: seed)
            var interest = RegionInterest()
            var regions: [UInt32: Region] = [:]
            for _ in 0..<400 {
                let watcher = UInt32.random(in: 0..<60, using: &random)
                if Int.random(in: 0..<8, using: &random) == 0 {
                    interest.remove(watcher)
                    regions[watcher] = nil
                } else {
                    let region = RegionCases.region(using: &random)
                    interest.watch(region, by: watcher)
                    regions[watcher] = region
                }
                let event = Self.event(using: &random)
                var found: [RegionInterest.Match] = []
                interest.find(event, into: &found)
                let passages = Dictionary(found.map { ($0.watcher, $0.passage) }) { first, _ in first }
                #expect(passages.count == found.count, "seed \(seed): somebody was found twice")
                #expect(passages == regions.compactMapValues { Self.passage(event, $0) }, "seed \(seed)")
                #expect(interest.count == regions.count)
            }
        }
    }

    @Test func `a step across the antimeridian is a step within a region that crosses it`() throws {
        let region = try #require(Region(west: 179, south: -20, east: -179, north: -10))
        let west = try #require(Coordinate(latitude: -16.8, longitude: 179.9999)).rounded
        let east = try #require(Coordinate(latitude: -16.8, longitude: -179.9999)).rounded
        var interest = RegionInterest()
        interest.watch(region, by: 7)
        var found: [RegionInterest.Match] = []
        interest.find(.moved(1, from: west, to: east), into: &found)
        #expect(found.map(\.watcher) == [7])
        #expect(found.map(\.passage) == [.moved])
    }

    private static func event(using random: inout SeededGenerator) -> IndexEvent {
        let place = RegionCases.place(using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .inserted(1, at: place)
        case 1: return .changed(1, at: place)
        case 2: return .removed(1, at: place)
        case 3: return .moved(1, from: place, to: RegionCases.place(using: &random))
        default: return .moved(1, from: place, to: RegionCases.step(from: place, using: &random))
        }
    }

    private static func passage(_ event: IndexEvent, _ region: Region) -> Passage? {
        switch event {
        case .inserted(_, let place): return region.contains(place) ? .entered : nil
        case .changed(_, let place): return region.contains(place) ? .changed : nil
        case .removed(_, let place): return region.contains(place) ? .left : nil
        case .moved(_, let from, let to):
            switch (region.contains(from), region.contains(to)) {
            case (true, true): return .moved
            case (true, false): return .left
            case (false, true): return .entered
            case (false, false): return nil
            }
        }
    }
}
