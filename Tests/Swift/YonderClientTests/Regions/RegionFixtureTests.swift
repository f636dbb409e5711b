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

    @Test func `objects move, change, go and stay selected as on the page`() throws {
        var model = MapModel()
        for (index, step) in try MapFixtures.steps(MapFixtures.json("places/keyed")).enumerated() {
            let comment: Comment = "step \(index)"
            if let selected = step["select"] as? String { model.select(selected) }
            let objects = try objects(step["objects"])
            let changes = model.show(
                objects: objects.map { object in
                    ObjectAnnotation(object, title: FieldName("name").flatMap(object.text))
                }
            )
            #expect(keys(changes.objects) == step["changes"] as? [String: [String]], comment)
            let titles = model.annotations.objects.mapValues { [$0.title ?? "-", $0.subtitle ?? "-"] }
            let written = try #require(step["titles"] as? [String: [Any]])
            let expected = written.mapValues { $0.map { $0 as? String ?? "-" } }
            #expect(titles == expected, comment)
            #expect(model.selection == step["selection"] as? String, comment)
            let subjects = Set(model.annotations.objects.values.map(\.subject))
            #expect(subjects == Set(objects), comment)
        }
    }

    private func objects(_ json: Any?) throws -> [MapObject] {
        let frame = try MapFixtures.frame([
            "type": "region", "topic": 1, "entered": try #require(json as? [Any]),
        ])
        guard case .region(let region) = frame else { throw MapFixtures.Failure(json: json) }
        return region.entered.compactMap { MapObject($0, FieldName("at")) }
    }

    private func keys(_ changes: KeyedChanges<ObjectAnnotation>) -> [String: [String]] {
        let all = [
            "added": changes.added.map(\.id), "moved": changes.moved.map(\.id),
            "changed": changes.changed.map(\.id), "removed": changes.removed,
        ]
        return all.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    }
}
