import Foundation
import YonderGeodesy

/// A crowd that moves in steps of some 20 m, who watches it, and who watches where nobody is.
struct Crowd {
    let name: String
    let places: [Coordinate.Rounded]
    let moves: [Workload.Move]
    let viewers: [Region]
    let viewersElsewhere: [Region]

    /// How many are in a crowd, and how many watch it.
    static let size = 100_000
    static let viewerCount = 1_000

    /// People around the cities between 20° and 160° east.
    ///
    /// Who watches has a phone's map of part of that, 0.01° to 30° wide. Elsewhere is the same half a turn west.
    static func ofCities() -> Crowd {
        let world = Workload(points: 4 * size, seed: 2)
        let far = Region(west: 20, south: -90, east: 160, north: 90) ?? .everywhere
        var (numbers, places): ([PointIndex.ID: PointIndex.ID], [Coordinate.Rounded]) = ([:], [])
        for (number, place) in world.points.enumerated() where far.contains(place) && places.count < size {
            numbers[PointIndex.ID(number)] = PointIndex.ID(places.count)
            places.append(place)
        }
        let viewers = world.boxes.map(\.region).filter {
            $0.west >= 20 && $0.east <= 160 && $0.west < $0.east
        }
        return Crowd(
            name: "cities",
            places: places,
            moves: world.moves.compactMap { move in
                numbers[move.id].map { Workload.Move(id: $0, coordinate: move.coordinate) }
            },
            viewers: Array(viewers.prefix(viewerCount))
        )
    }

    /// Everyone in one city (σ 5 km), and a thousand who watch 0.005° to 0.1° of it.
    static func ofOneCity() -> Crowd {
        var random = WorkloadGenerator(seed: 3)
        let center = Region(west: 107, south: 60, east: 107, north: 60)?.center ?? Region.everywhere.center
        let people = (0..<size).map { _ in random.step(from: center, deviation: 5_000) }
        let viewers = (0..<viewerCount).compactMap { number in
            let middle = people[random.index(below: size)]
            let half = 0.0025 * exp(random.unit() * log(20))
            // 9 : 19, and a degree of longitude here is half of one of latitude.
            return Region(
                west: middle.longitude - half,
                south: middle.latitude - half * 19 / 18,
                east: middle.longitude + half,
                north: middle.latitude + half * 19 / 18
            )
        }
        return Crowd(
            name: "one city",
            places: people.map(\.rounded),
            moves: Array(random.moves(of: people[...]).prefix(500_000)),
            viewers: viewers
        )
    }

    private init(name: String, places: [Coordinate.Rounded], moves: [Workload.Move], viewers: [Region]) {
        self.name = name
        self.places = places
        self.moves = moves
        self.viewers = viewers
        viewersElsewhere = viewers.compactMap {
            Region(west: $0.west - 180, south: $0.south, east: $0.east - 180, north: $0.north)
        }
    }
}
