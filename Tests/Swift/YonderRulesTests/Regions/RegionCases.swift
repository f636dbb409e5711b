import TestSupport
import YonderGeodesy
import YonderModel

/// What the tests of live regions draw: places and regions where arithmetic goes wrong, more often than by chance.
enum RegionCases {
    static let whole: Int32 = 1_800_000_000
    static let pole: Int32 = 900_000_000

    /// A place near one of a few centers, at times exactly on a pole or on the antimeridian.
    static func place(using random: inout SeededGenerator) -> Coordinate.Rounded {
        let special = Int.random(in: 0..<16, using: &random)
        let center = centers[Int.random(in: 0..<centers.count, using: &random)]
        let spread = Int32(1) << Int32.random(in: 8...25, using: &random)
        let latitude = center.latitude + Int32.random(in: -spread...spread, using: &random)
        let longitude = Int(center.longitude) + Int.random(in: -Int(spread)...Int(spread), using: &random)
        return folded(special == 0 ? (latitude > 0 ? pole : -pole) : latitude, special == 1 ? 0 : longitude)
    }

    /// A step of up to some hundred meters, around the antimeridian too.
    static func step(from place: Coordinate.Rounded, using random: inout SeededGenerator)
        -> Coordinate.Rounded
    {
        let reach = 50_000
        let latitude = place.latitude + Int32.random(in: -Int32(reach)...Int32(reach), using: &random)
        return folded(latitude, Int(place.longitude) + Int.random(in: -reach...reach, using: &random))
    }

    /// A region around a place, from a point to the whole Earth.
    static func region(using random: inout SeededGenerator) -> Region {
        let center = place(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .everywhere
        case 1: return region(whole, -pole, -whole, pole)
        case 2: return region(-whole, center.latitude, -whole, pole)
        case 3: return region(center.longitude + 1, -pole, center.longitude, pole)
        case 4: return region(center.longitude, center.latitude, center.longitude, center.latitude)
        case 5: return region(center.longitude, center.latitude, whole, pole)
        default: break
        }
        let half = Int(1) << Int.random(in: 4...29, using: &random)
        let south = max(-Int(pole), Int(center.latitude) - half)
        let north = min(Int(pole), Int(center.latitude) + half)
        let west = folded(0, Int(center.longitude) - half).longitude
        let east = folded(0, Int(center.longitude) + half).longitude
        return region(west, Int32(south), east, Int32(north))
    }

    private static let centers = [
        folded(0, 0), folded(599_139_000, 107_522_000), folded(-168_000_000, 1_799_999_000),
        folded(899_990_000, 120_000_000), folded(-899_990_000, -1_700_000_000),
    ]

    private static func folded(_ latitude: Int32, _ longitude: Int) -> Coordinate.Rounded {
        let circle = 2 * Int(whole)
        let positive = ((longitude + Int(whole)) % circle + circle) % circle
        let clamped = min(pole, max(-pole, latitude))
        guard
            let place = Coordinate.Rounded(latitude: clamped, longitude: Int32(positive - Int(whole)))
        else { preconditionFailure("\(latitude), \(longitude) isn't on the Earth") }
        return place
    }

    private static func region(_ west: Int32, _ south: Int32, _ east: Int32, _ north: Int32) -> Region {
        guard let region = Region(westEdge: west, southEdge: south, eastEdge: east, northEdge: north) else {
            preconditionFailure("\(west), \(south), \(east), \(north) is no region")
        }
        return region
    }
}
