import TestSupport
import YonderGeodesy

/// The same as a `PointIndex`, by looking at every point.
struct PointModel {
    var points: [UInt32: PointIndex.Entry] = [:]

    func inside(_ region: Region) -> [PointIndex.Entry] {
        points.values.filter { region.contains($0.coordinate) }
    }

    func nearest(_ limit: Int, to center: Coordinate, within reach: Distance?) -> [Double] {
        let distances = points.values.map { center.distance(to: Coordinate($0.coordinate)).meters }
        return Array(distances.filter { $0 <= reach?.meters ?? .infinity }.sorted().prefix(limit))
    }
}

/// Coordinates, regions and edits drawn so that they meet: poles, zero meridians and the antimeridian are frequent, points
/// gather in few places, and edges of regions are often points.
struct PlaceDice {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func number(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    mutating func chance(_ percent: Int) -> Bool {
        number(0..<100) < percent
    }

    mutating func coordinate() -> Coordinate.Rounded {
        let latitude = axis(
            special: [-900_000_000, -899_999_999, 0, 1, -1, 899_999_999, 900_000_000],
            most: 900_000_000
        )
        let longitude = axis(
            special: [-1_800_000_000, -1_799_999_999, 0, 1, -1, 1_799_999_999, 900_000_000],
            most: 1_800_000_000
        )
        return Self.rounded(latitude, longitude)
    }

    private mutating func axis(special: [Int32], most: Int32) -> Int32 {
        switch number(0..<10) {
        case 0..<2: special[number(0..<special.count)]
        case 2..<7: max(-most, min(most, Int32(number(-4..<4)) * 200_000_000 + Int32(number(-3000..<3000))))
        default: Int32.random(in: -most...most, using: &random)
        }
    }

    /// A coordinate some steps away, which may be around a pole or across the antimeridian.
    mutating func step(from place: Coordinate.Rounded) -> Coordinate.Rounded {
        let reach = [3, 300, 30_000, 30_000_000][number(0..<4)]
        let latitude = Int64(place.latitude) + Int64(number(-reach..<reach + 1))
        let longitude = Int64(place.longitude) + Int64(number(-reach..<reach + 1))
        let folded = (longitude + 5_400_000_000) % 3_600_000_000 - 1_800_000_000
        return Self.rounded(Int32(max(-900_000_000, min(900_000_000, latitude))), Int32(folded))
    }

    mutating func region(around places: [Coordinate.Rounded]) -> Region {
        func edges(_ dice: inout PlaceDice) -> Coordinate.Rounded {
            if let place = places.randomElement(using: &dice.random), dice.chance(60) {
                return dice.chance(50) ? place : dice.step(from: place)
            }
            return dice.coordinate()
        }
        let (first, second) = (edges(&self), edges(&self))
        var (west, east) = (first.longitude, second.longitude)
        if chance(10) { west = [-1_800_000_000, 1_800_000_000][number(0..<2)] }
        if chance(10) { east = [-1_800_000_000, 1_800_000_000][number(0..<2)] }
        if chance(5) { (west, east) = (-1_800_000_000, 1_800_000_000) }
        let south = min(first.latitude, second.latitude)
        let north = chance(5) ? 900_000_000 : max(first.latitude, second.latitude)
        return Region(westEdge: west, southEdge: south, eastEdge: east, northEdge: north) ?? .everywhere
    }

    static func rounded(_ latitude: Int32, _ longitude: Int32) -> Coordinate.Rounded {
        Coordinate.Rounded(latitude: latitude, longitude: longitude) ?? Region.everywhere.center.rounded
    }
}
