import YonderGeodesy
import YonderModel
import YonderSQLite

/// A search by name in an open gazetteer.
///
/// `Gazetteer` runs one on a reader for each search. An error is the database's. Kinds of matches are tried from the
/// best to the weakest (``GazetteerMatch``), and sorted inside by people and nearness; ``poolSize`` bounds the reading
/// and may be changed, which changes suggestions alone (`GazetteerSearchTests`).
struct GazetteerSearch {
    /// The number of places that are compared for each kind of match, largest population first.
    private static let poolSize = 40

    private static let sql = """
        SELECT \(GazetteerPlace.columns)
        FROM (SELECT rowid AS id FROM place_fts WHERE place_fts MATCH ? ORDER BY rowid LIMIT ?) f
        JOIN place p ON p.id = f.id \(GazetteerPlace.joins)
        """

    let query: GeocodingQuery

    /// Returns the places found, best first.
    func run(_ database: Database) throws -> [GazetteerPlace] {
        guard let match = GazetteerMatch(query.text) else { return [] }
        let statement = try Statement(database, Self.sql)
        var found: [GazetteerPlace] = []
        var ranks: Set<Int64> = []
        for (index, tier) in match.tiers.enumerated() where found.count < query.limit {
            let pool = sorted(try pool(tier, statement).filter { !ranks.contains($0.rank) })
            // For whole names an alternate one counts as much; for beginnings the displayed name comes first.
            found += index == 0 ? pool : pool.filter(match.begins) + pool.filter { !match.begins($0) }
            ranks.formUnion(pool.map(\.rank))
        }
        return Array(found.prefix(query.limit))
    }

    private func pool(_ tier: String, _ statement: Statement) throws -> [GazetteerPlace] {
        let places = try places(tier, statement)
        guard let bias = query.bias, places.count == Self.poolSize else { return places }
        // The places near the bias may be smaller than the forty largest.
        let near = try self.places(GazetteerMatch.near(bias, tier), statement)
        let ranks = Set(places.map(\.rank))
        return places + near.filter { !ranks.contains($0.rank) }
    }

    private func places(_ expression: String, _ statement: Statement) throws -> [GazetteerPlace] {
        statement.bind(text: expression, at: 1)
        statement.bind(Int64(Self.poolSize), at: 2)
        var places: [GazetteerPlace] = []
        try statement.forEachRow { row in
            if let place = GazetteerPlace(row) { places.append(place) }
        }
        return places
    }

    private func sorted(_ pool: [GazetteerPlace]) -> [GazetteerPlace] {
        guard let bias = query.bias else { return pool.sorted { $0.rank < $1.rank } }
        return pool.map { (place: $0, worth: $0.worth(at: bias)) }.sorted { one, other in
            if one.worth != other.worth { return one.worth > other.worth }
            return one.place.rank < other.place.rank
        }.map(\.place)
    }
}
