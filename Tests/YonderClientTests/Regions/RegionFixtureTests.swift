import Foundation
import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct RegionFixtureTests {
    @Test func `regions contain, cover and grow as on the page`() throws {
        let fixture = try MapFixtures.json("regions/arithmetic")
        for row in try #require(fixture["contains"] as? [[String: Any]]) {
            let place = try MapFixtures.coordinate(row["place"])
            #expect(
                try MapFixtures.region(row["region"]).contains(place) == row["inside"] as? Bool,
                "\(row)"
            )
        }
        for row in try #require(fixture["covers"] as? [[String: Any]]) {
            let inner = try MapFixtures.region(row["inner"])
            #expect(
                try MapFixtures.region(row["outer"]).contains(inner) == row["covers"] as? Bool,
                "\(row)"
            )
        }
        for row in try #require(fixture["padded"] as? [[String: Any]]) {
            let fraction = try #require(row["fraction"] as? Double)
            let padded = try MapFixtures.region(row["region"]).padded(by: fraction)
            #expect(try padded == MapFixtures.region(row["padded"]), "\(row)")
        }
    }

    @Test func `places move, change, go and stay selected as on the page`() throws {
        var model = MapModel()
        for (index, step) in try MapFixtures.steps(MapFixtures.json("places/keyed")).enumerated() {
            let comment: Comment = "step \(index)"
            if let selected = step["select"] as? String { model.select(selected) }
            let places = try places(step["objects"])
            let changes = model.show(
                places: places.map { place in
                    PlaceAnnotation(place, title: FieldName("name").flatMap(place.text))
                }
            )
            #expect(keys(changes.places) == step["changes"] as? [String: [String]], comment)
            let titles = model.annotations.places.mapValues { [$0.title ?? "-", $0.subtitle ?? "-"] }
            let written = try #require(step["titles"] as? [String: [Any]])
            let expected = written.mapValues { $0.map { $0 as? String ?? "-" } }
            #expect(titles == expected, comment)
            #expect(model.selection == step["selection"] as? String, comment)
            let subjects = Set(model.annotations.places.values.map(\.subject))
            #expect(subjects == Set(places), comment)
        }
    }

    private func places(_ objects: Any?) throws -> [Place] {
        let frame = try MapFixtures.frame([
            "type": "region", "topic": 1, "entered": try #require(objects as? [Any]),
        ])
        guard case .region(let region) = frame else { throw MapFixtures.Failure(json: objects) }
        return region.entered.compactMap { Place($0, FieldName("at")) }
    }

    private func keys(_ changes: KeyedChanges<PlaceAnnotation>) -> [String: [String]] {
        let all = [
            "added": changes.added.map(\.id), "moved": changes.moved.map(\.id),
            "changed": changes.changed.map(\.id), "removed": changes.removed,
        ]
        return all.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    }
}
