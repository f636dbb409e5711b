import Foundation
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderSQLite

@testable import YonderGeocoding

/// The gazetteer that is compiled into the program, from its file.
func shippedGazetteer() throws -> Gazetteer {
    try Gazetteer.open(path: shippedPath)
}

let shippedPath = repository.appending(path: "Data/gazetteer/places.sqlite").path()

/// Places all over the Earth, many of them at its edges, in a file of the gazetteer's format.
struct ScatteredPlaces {
    let coordinates: [Coordinate]

    init(count: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        coordinates = (0..<count).compactMap { _ in .scattered(using: &random) }
    }

    /// The `count` nearest, by looking at each.
    func nearest(_ count: Int, to here: Coordinate) -> [Distance] {
        Array(coordinates.map { $0.distance(to: here) }.sorted().prefix(count))
    }

    func write(to path: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.inDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = 1498302298; PRAGMA user_version = 1;
                    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
                    INSERT INTO meta VALUES ('attribution', 'Nobody');
                    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
                    CREATE TABLE division (id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, country TEXT, division INTEGER,
                        latitude INTEGER, longitude INTEGER, population INTEGER, cell INTEGER);
                    CREATE INDEX place_cell ON place (cell);
                    BEGIN
                    """
            )
            for (index, place) in coordinates.enumerated() {
                let row = min(Int((place.latitude + 90) * 2), 359)
                let cell = row * 720 + Int((place.longitude + 180) * 2) % 720
                try database.execute(
                    sql: "INSERT INTO place VALUES (?, ?, 'NO', NULL, ?, ?, 0, ?)",
                    arguments: [
                        index + 1, "P\(index)", Int((place.latitude * 1e5).rounded()),
                        Int((place.longitude * 1e5).rounded()), cell,
                    ]
                )
            }
            try database.execute(sql: "COMMIT")
        }
        try database.close()
    }
}

extension Coordinate {
    /// Anywhere, or at a pole, or at the antimeridian, in steps of 10⁻⁵ degrees as the file has them.
    static func scattered(using random: inout SeededGenerator) -> Coordinate? {
        var latitude = Int.random(in: -9_000_000...9_000_000, using: &random)
        var longitude = Int.random(in: -18_000_000..<18_000_000, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: latitude = 9_000_000 - Int.random(in: 0...200_000, using: &random)
        case 1: latitude = -9_000_000 + Int.random(in: 0...200_000, using: &random)
        case 2: longitude = 17_999_999 - Int.random(in: 0...100_000, using: &random)
        case 3: longitude = -18_000_000 + Int.random(in: 0...100_000, using: &random)
        case 4: longitude = Int.random(in: -100_000...100_000, using: &random)
        case 5: latitude = Int.random(in: -100_000...100_000, using: &random)
        case 6: latitude = Bool.random(using: &random) ? 9_000_000 : -9_000_000
        default: break
        }
        return Coordinate(latitude: Double(latitude) / 1e5, longitude: Double(longitude) / 1e5)
    }
}
