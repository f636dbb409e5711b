import Foundation
import YonderGeodesy

// The distribution of the peers' generator, from a seed instead of a list of cities: 34 000 centers whose
// populations fall as Zipf's law says; 90 % of the points are around centers (σ 5 km), 9 % farther (σ 25 km), 1 %
// anywhere; boxes are those of a phone's map, 0.01° to 30° wide, some of them across the antimeridian or at a pole.

extension Workload {
    /// Makes a workload from a seed: the same on every machine up to the last bit of its sines.
    init(points count: Int, seed: UInt64) {
        var random = WorkloadGenerator(seed: seed)
        let centers = Centers(using: &random)
        let points = (0..<count).map { _ in centers.point(using: &random) }
        let sample = Array(points.prefix(100_000))
        let farEastOrWest = sample.filter { abs($0.longitude) > 165 }
        self.points = points.map(\.rounded)
        boxes = (0..<10_000).map { _ in random.box(around: sample, antimeridian: farEastOrWest) }
        nears = (0..<10_000).map { _ in random.near(sample, antimeridian: farEastOrWest) }
        moves = random.moves(of: points.prefix(1_000_000))
    }
}

private struct Centers {
    private let places: [Coordinate]
    private let sums: [Double]

    init(using random: inout WorkloadGenerator) {
        var sum = 0.0
        var (places, sums): ([Coordinate], [Double]) = ([], [])
        for number in 1...34_000 {
            // Most people live between 40° south and 60° north.
            let latitude = 25 + 20 * random.gauss()
            let longitude = 360 * random.unit() - 180
            guard let place = Coordinate(latitude: latitude, longitude: longitude) else { continue }
            sum += 1 / Double(number)
            places.append(place)
            sums.append(sum)
        }
        (self.places, self.sums) = (places, sums)
    }

    func point(using random: inout WorkloadGenerator) -> Coordinate {
        let kind = random.unit()
        if kind < 0.01 { return random.anywhere() }
        let wanted = random.unit() * (sums.last ?? 0)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return random.step(from: places[low], deviation: kind < 0.1 ? 25_000 : 5_000)
    }
}

/// SplitMix64 and what is drawn with it.
struct WorkloadGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in 0..<1.
    mutating func unit() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    mutating func gauss() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }

    mutating func index(below count: Int) -> Int {
        Int(unit() * Double(count))
    }

    mutating func anywhere() -> Coordinate {
        Coordinate.clamped(asin(2 * unit() - 1) * 180 / .pi, 360 * unit() - 180)
    }

    /// A point that lies normally distributed around another, with a deviation in meters either way.
    mutating func step(from place: Coordinate, deviation: Double) -> Coordinate {
        let perMeter = 180 / .pi / Coordinate.earthRadius.meters
        let latitude = place.latitude + gauss() * deviation * perMeter
        let east = gauss() * deviation * perMeter / max(1e-6, cos(latitude * .pi / 180))
        return Coordinate.clamped(latitude, place.longitude + east)
    }

    mutating func box(around sample: [Coordinate], antimeridian: [Coordinate]) -> Workload.Box {
        var width = exp(log(0.01) + unit() * log(3000))
        let kind = unit()
        var place = sample[index(below: sample.count)]
        if kind >= 0.99 { return polarBox(place, width) }
        if kind >= 0.97, !antimeridian.isEmpty {
            place = antimeridian[index(below: antimeridian.count)]
            width = max(width, 0.5)
            place = Coordinate.clamped(place.latitude, 180 + (unit() - 0.5) * width * 0.9)
        }
        // 9 : 19 on a map by Mercator.
        let mercator = log(tan(.pi / 4 + min(84, max(-84, place.latitude)) * .pi / 360)) * 180 / .pi
        let height = width * 19 / 18
        let edges = [mercator - height, mercator + height].map { 360 / .pi * atan(exp($0 * .pi / 180)) - 90 }
        return Workload.Box(
            around: place.longitude,
            width: width,
            south: max(-85.05, edges[0]),
            north: min(85.05, edges[1])
        )
    }

    private mutating func polarBox(_ place: Coordinate, _ width: Double) -> Workload.Box {
        let latitude = (unit() < 0.5 ? 1 : -1) * (70 + 20 * unit())
        let (south, north) = (max(-90, latitude - width / 2), min(90, latitude + width / 2))
        let farthest = max(abs(south), abs(north))
        let across = farthest >= 89.9 ? 360 : min(360, width / cos(farthest * .pi / 180))
        return Workload.Box(around: place.longitude, width: across, south: south, north: north)
    }

    mutating func near(_ sample: [Coordinate], antimeridian: [Coordinate]) -> Workload.Near {
        let (kind, far) = (unit(), unit())
        var place = step(from: sample[index(below: sample.count)], deviation: 1000)
        if kind >= 0.98 {
            place = Coordinate.clamped((unit() < 0.5 ? 1 : -1) * (80 + 10 * unit()), 360 * unit() - 180)
        } else if kind >= 0.95, !antimeridian.isEmpty {
            let latitude = antimeridian[index(below: antimeridian.count)].latitude
            place = Coordinate.clamped(latitude, 180 + (unit() - 0.5) / 2)
        } else if kind >= 0.9 {
            place = anywhere()
        }
        let reach = far < 0.8 ? 50_000.0 : far < 0.9 ? 1000 : 20_037_508
        return Workload.Near(center: place, reach: .meters(reach))
    }

    /// Steps of some 20 m.
    mutating func moves(of points: ArraySlice<Coordinate>) -> [Workload.Move] {
        var places = Array(points)
        return (0..<2_000_000).map { _ in
            let id = index(below: places.count)
            places[id] = step(from: places[id], deviation: 16)
            return Workload.Move(id: UInt32(id), coordinate: places[id].rounded)
        }
    }
}

extension Workload.Box {
    fileprivate init(around longitude: Double, width: Double, south: Double, north: Double) {
        let west = (longitude - width / 2 + 540).truncatingRemainder(dividingBy: 360) - 180
        let east = (longitude + width / 2 + 540).truncatingRemainder(dividingBy: 360) - 180
        let edges = width >= 360 ? (-180, 180) : (west, east)
        region = Region(west: edges.0, south: south, east: edges.1, north: north) ?? .everywhere
        self.width = width
    }
}

extension Coordinate {
    fileprivate static func clamped(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: min(90, max(-90, latitude)), longitude: longitude) ?? Coordinate(origin: ())
    }

    private init(origin: ()) {
        self = Region.everywhere.center
    }
}
