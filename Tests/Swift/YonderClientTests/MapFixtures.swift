import Foundation
import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

/// Files below `Tests/Fixtures/map`, which the page's modules pass too.
enum MapFixtures {
    struct Failure: Error {
        let json: String

        init(json: Any?) {
            self.json = json.map { "\($0)" } ?? "nothing"
        }
    }

    private static let folder = URL(filePath: #filePath).appending(path: "../../../Fixtures/map").standardized

    static func json(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appending(path: name + ".json"))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    static func names(in folder: String) throws -> [String] {
        let url = self.folder.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".json") }
            .map { "\(folder)/\($0.dropLast(5))" }
            .sorted()
    }

    static func frame(_ json: Any?) throws -> ServerFrame {
        // In one order, as a server writes the same thing twice.
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
        let data = try JSONSerialization.data(withJSONObject: json ?? 0, options: options)
        guard let frame = try data.withUnsafeBytes({ try ServerFrame.parse($0) }) else {
            throw Failure(json: json)
        }
        return frame
    }

    static func region(_ json: Any?) throws -> Region {
        guard let edges = json as? [String: Double], let west = edges["west"], let south = edges["south"],
            let east = edges["east"], let north = edges["north"],
            let region = Region(west: west, south: south, east: east, north: north)
        else { throw Failure(json: json) }
        return region
    }

    static func coordinate(_ json: Any?) throws -> Coordinate {
        guard let place = json as? [String: Any], let latitude = place["latitude"] as? Double,
            let longitude = place["longitude"] as? Double,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw Failure(json: json) }
        return coordinate
    }

    static func steps(_ fixture: [String: Any]) throws -> [[String: Any]] {
        try #require(fixture["steps"] as? [[String: Any]])
    }
}

/// Something with a place, and nothing else.
struct Spot: Locatable {
    let id: String
    var coordinate: Coordinate
    var note = ""

    func isSame(elsewhere older: Spot) -> Bool { id == older.id && note == older.note }
}
