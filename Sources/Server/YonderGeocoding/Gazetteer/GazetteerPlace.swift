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

/// A place from the gazetteer's file.
///
/// The three searches of the gazetteer read rows into it. A row with an impossible coordinate is passed over. The
/// columns and their order are those of the queries' text and of `Scripts/build-gazetteer`; the weights of
/// ``worth(at:)`` may be changed, which changes the order of suggestions alone (`GazetteerSearchTests`).
struct GazetteerPlace {
    /// The rank by population, from 1.
    let rank: Int64
    let name: String
    let countryCode: String
    let country: String?
    let division: String?
    let coordinate: Coordinate
    let population: Int

    /// The columns of a place `p`, in the order in which ``init(_:)`` reads them.
    static let columns = "p.id, p.name, p.country, c.name, d.name, p.latitude, p.longitude, p.population"

    /// The joins for the names of country and division.
    static let joins = "LEFT JOIN country c ON c.code = p.country LEFT JOIN division d ON d.id = p.division"

    /// Reads a row of ``columns``.
    ///
    /// - Returns: `nil` if the row has no valid coordinate.
    init?(_ row: Row) {
        guard
            let coordinate = Coordinate(
                latitude: Double(row.integer(5)) / 1e5,
                longitude: Double(row.integer(6)) / 1e5
            )
        else { return nil }
        self.coordinate = coordinate
        rank = row.integer(0)
        name = row.string(1)
        countryCode = row.string(2)
        country = row.isNull(3) ? nil : row.string(3)
        division = row.isNull(4) ? nil : row.string(4)
        population = Int(row.integer(7))
    }

    /// The place as a candidate.
    func candidate(_ source: GeocodingSource) -> GeocodingCandidate {
        GeocodingCandidate(
            name: name,
            address: GeocodingAddress(division: division, country: country, countryCode: countryCode),
            coordinate: coordinate,
            kind: .settlement,
            population: population > 0 ? population : nil,
            source: source
        )
    }

    /// The place's score for a user at `coordinate`: ten times the population outweighs about three times the
    /// distance.
    func worth(at coordinate: Coordinate) -> Double {
        let way = self.coordinate.distance(to: coordinate).kilometers
        return log10(Double(population) + 100) - 2 * log10(1 + way / 100)
    }
}
