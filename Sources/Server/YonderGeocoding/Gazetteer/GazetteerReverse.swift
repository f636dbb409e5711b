import YonderGeodesy
import YonderModel
import YonderSQLite
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A search for the places nearest to a coordinate, by great-circle distance, in an open gazetteer.
///
/// It reads all places in a box around a circle. If too few of them are within the circle, places outside the
/// box may be nearer, so it repeats with a larger circle, up to the whole Earth.
///
/// `Gazetteer` runs one on a reader for each reverse search. An error is the database's. The cells must be those that
/// `Scripts/build-gazetteer` wrote, half a degree from the south-west: change both. The first angle and its growth may
/// be changed; the result may not, which `GazetteerReverseTests` compares with a look at every place.
struct GazetteerReverse {
    private static let sql = """
        SELECT \(GazetteerPlace.columns)
        FROM place p \(GazetteerPlace.joins)
        WHERE p.cell BETWEEN ? AND ?
        """

    let query: ReverseGeocodingQuery

    /// Returns the nearest places with their distances, nearest first; of equally near ones the larger first.
    func run(_ database: Database) throws -> [(place: GazetteerPlace, distance: Distance)] {
        let statement = try Statement(database, Self.sql)
        var angle = 0.5
        while true {
            let box = GazetteerBox(around: query.coordinate, angle: angle)
            let radius = Coordinate.earthRadius * (angle / 180 * .pi)
            let near = try places(box, statement).map { place in
                (place: place, distance: place.coordinate.distance(to: query.coordinate))
            }.sorted { one, other in
                if one.distance != other.distance { return one.distance < other.distance }
                return one.place.rank < other.place.rank
            }
            let within = near.prefix { $0.distance <= radius }
            if within.count >= query.limit { return Array(within.prefix(query.limit)) }
            if angle >= 180 { return Array(near.prefix(query.limit)) }
            angle = min(180, angle * 3)
        }
    }

    private func places(_ box: GazetteerBox, _ statement: Statement) throws -> [GazetteerPlace] {
        var places: [GazetteerPlace] = []
        for cells in box.cells {
            statement.bind(cells.lowerBound, at: 1)
            statement.bind(cells.upperBound, at: 2)
            try statement.forEachRow { row in
                if let place = GazetteerPlace(row) { places.append(place) }
            }
        }
        return places
    }
}

/// The cells of half a degree that a circle on the Earth touches, and possibly a few more.
struct GazetteerBox {
    private static let rows: Int64 = 360
    private static let columns: Int64 = 720

    /// Ranges of cells, without duplicates.
    let cells: [ClosedRange<Int64>]

    /// Covers the circle of `angle` degrees around a coordinate.
    init(around center: Coordinate, angle: Double) {
        // Places are rounded to 10⁻⁵ degrees after their cell was chosen.
        let reach = angle + 0.001
        let rows = Self.row(center.latitude - reach)...Self.row(center.latitude + reach)
        let columns = Self.columns(center, reach)
        cells = rows.flatMap { row in
            columns.map { row * Self.columns + $0.lowerBound...row * Self.columns + $0.upperBound }
        }
    }

    private static func row(_ latitude: Double) -> Int64 {
        min(max(Int64(((latitude + 90) * 2).rounded(.down)), 0), rows - 1)
    }

    /// The columns that the circle touches; two ranges if it crosses the antimeridian.
    private static func columns(_ center: Coordinate, _ reach: Double) -> [ClosedRange<Int64>] {
        let all = [0...columns - 1]
        guard center.latitude.magnitude + reach < 90 else { return all }
        // The circle's easternmost point: sin Δλ = sin r / cos φ.
        let sine = sin(reach / 180 * .pi) / cos(center.latitude / 180 * .pi)
        let width = asin(min(1, sine)) / .pi * 180 + 0.001
        let first = Int64(((center.longitude - width + 180) * 2).rounded(.down))
        let last = Int64(((center.longitude + width + 180) * 2).rounded(.down))
        guard last - first < columns - 1 else { return all }
        if first < 0 { return [first + columns...columns - 1, 0...last] }
        if last >= columns { return [first...columns - 1, 0...last - columns] }
        return [first...last]
    }
}
