import Foundation
import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct MapFixtureTests {
    @Test(arguments: ["a-pin-moves-in-place", "all-and-last", "gone", "what-has-no-place", "late"])
    func `the map does in each step what the fixture says`(_ name: String) throws {
        let fixture = try MapFixture(named: name)
        var model = MapModel()
        for (index, step) in fixture.steps.enumerated() {
            let place: Comment = "\(name), step \(index)"
            if let select = step.select { model.select(select) }
            let next = MapAnnotations(fixture.chat, step.messages, extent: step.all ? .all : .last)
            let changes = model.show(next)
            #expect(next.pins.mapValues(step.described) == step.pins, place)
            #expect(
                next.lines.mapValues { $0.points.map { [$0.latitude, $0.longitude] } } == step.lines,
                place
            )
            #expect(next.stops.keys.sorted() == step.stops, place)
            #expect(changes.pins.ids == step.changes["pins"] ?? [:], place)
            #expect(changes.lines.ids == step.changes["lines"] ?? [:], place)
            #expect(changes.stops.ids == step.changes["stops"] ?? [:], place)
            #expect(model.selection == step.selection, place)
        }
    }

    @Test func `a member of the world is drawn by its id`() throws {
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
        let world = MapAnnotations(world: ["a1b2": coordinate])
        #expect(world.pins["a1b2"]?.coordinate == coordinate)
        #expect(world.pins["a1b2"]?.color == PersonColor(ofStranger: "a1b2"))
    }

    @Test func `pins, lines and stops have the person's color in this chat`() throws {
        let fixture = try MapFixture(named: "all-and-last")
        let messages = try #require(fixture.steps.first { $0.all }).messages
        let map = MapAnnotations(fixture.chat, messages, extent: .all)
        #expect(map.lines.values.map(\.color.hue).sorted() == [26, 206])
        #expect(map.lines.allSatisfy { map.pins[$0]?.color == $1.color })
        #expect(
            map.stops.allSatisfy { key, stop in
                map.lines.contains { key.hasPrefix($0 + "/") && $1.color == stop.color }
            }
        )
    }
}

extension KeyedChanges where Value.ID == String {
    fileprivate var ids: [String: [String]] {
        guard !isEmpty else { return [:] }
        return [
            "added": added.map(\.id).sorted(), "changed": changed.map(\.id).sorted(),
            "removed": removed.sorted(),
        ]
    }
}

/// A file of `Tests/Fixtures/map`.
private struct MapFixture {
    struct Step {
        var select: String?
        var all = false
        var messages: [Message] = []
        var pins: [String: [Double]] = [:]
        var lines: [String: [[Double]]] = [:]
        var stops: [String] = []
        var changes: [String: [String: [String]]] = [:]
        var selection: String?

        func described(_ pin: MapPin) -> [Double] {
            let time = Double(pin.time?.milliseconds ?? 0)
            return [pin.coordinate.latitude, pin.coordinate.longitude, Double(pin.color.hue), time]
        }
    }

    let chat: NamedChat
    let steps: [Step]

    init(named name: String, file: String = #filePath) throws {
        let folder = URL(filePath: file).appending(path: "../../../../Fixtures/map").standardized
        let json = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.appending(path: name + ".json"))
        )
        let fixture = try #require(json as? [String: Any])
        guard
            case .chat(_, let chat)? = try Self.frame([
                "type": "chat", "topic": 1, "chat": fixture["chat"] ?? 0,
            ])
        else { throw MapFixtureFailure() }
        self.chat = chat
        steps = try #require(fixture["steps"] as? [[String: Any]]).map(Self.step)
    }

    private static func step(_ json: [String: Any]) throws -> Step {
        let page: [String: Any] = [
            "type": "messages", "id": 1, "topic": 1, "first": 1, "through": 1, "current": true,
            "messages": json["messages"] ?? 0,
        ]
        guard case .messages(let read)? = try frame(page) else { throw MapFixtureFailure() }
        return Step(
            select: json["select"] as? String,
            all: try #require(json["all"] as? Bool),
            messages: read.messages,
            pins: try #require(json["pins"] as? [String: [Double]]),
            lines: try #require(json["lines"] as? [String: [[Double]]]),
            stops: try #require(json["stops"] as? [String]),
            changes: try #require(json["changes"] as? [String: [String: [String]]]),
            selection: json["selection"] as? String
        )
    }

    private static func frame(_ json: [String: Any]) throws -> ServerFrame? {
        try JSONSerialization.data(withJSONObject: json).withUnsafeBytes { try ServerFrame.parse($0) }
    }
}

private struct MapFixtureFailure: Error {}
