import YonderGeodesy
import YonderSQLite

/// The greatest places within edges, in an open gazetteer.
///
/// `Gazetteer.places` runs one on a reader for each tile of `TownTiles`. An error is the database's. The numbers of
/// cells are those of `Scripts/build-gazetteer`; the factor 8 may be changed: less may miss places near a tile's edge.
struct GazetteerTile {
    private static let sql = """
        SELECT \(GazetteerPlace.columns)
        FROM place p \(GazetteerPlace.joins)
        WHERE p.cell BETWEEN ? AND ?
        ORDER BY p.id LIMIT ?
        """

    let west: Double
    let south: Double
    let east: Double
    let north: Double
    let limit: Int

    /// The places, most people first; looks at the cells of half a degree that the edges enclose or cut.
    func run(_ database: Database) throws -> [GazetteerPlace] {
        let statement = try Statement(database, Self.sql)
        var places: [GazetteerPlace] = []
        for row in Self.index(south + 90, 359)...Self.index(north + 90, 359) {
            let first = row * 720
            statement.bind(first + Self.index(west + 180, 719), at: 1)
            statement.bind(first + Self.index(east + 180, 719), at: 2)
            // Of a row of cells as many may lie outside the edges as inside.
            statement.bind(Int64(limit) * 8, at: 3)
            try statement.forEachRow { row in
                if let place = GazetteerPlace(row), contains(place.coordinate) { places.append(place) }
            }
        }
        return Array(places.sorted { $0.rank < $1.rank }.prefix(limit))
    }

    private func contains(_ coordinate: Coordinate) -> Bool {
        (south..<north).contains(coordinate.latitude) && (west..<east).contains(coordinate.longitude)
    }

    private static func index(_ degrees: Double, _ last: Int64) -> Int64 {
        min(max(Int64((degrees * 2).rounded(.down)), 0), last)
    }
}
