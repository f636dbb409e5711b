import Foundation
import TestSupport
import Testing
import YonderGeodesy

@Suite struct PositionCodingTests {
    private static let keys = [
        "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed",
        "timestamp", "magneticHeading", "trueHeading", "headingAccuracy",
    ]

    private let full =
        #"{"altitude":-3.5,"course":359.5,"headingAccuracy":4,"horizontalAccuracy":0,"latitude":46.25,"#
        + #""longitude":-14.5,"magneticHeading":90,"speed":1.5,"timestamp":1700000000123,"trueHeading":93.5,"#
        + #""verticalAccuracy":8}"#

    private func decode(_ json: String) throws -> Position {
        try JSONDecoder().decode(Position.self, from: Data(json.utf8))
    }

    private func encode(_ position: Position) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(position), as: UTF8.self)
    }

    @Test func `a position has exactly these keys, in both directions`() throws {
        let position = try decode(full)
        #expect(position.coordinate == Coordinate(latitude: 46.25, longitude: -14.5))
        #expect(position.timestamp == Timestamp(milliseconds: 1_700_000_000_123))
        #expect(position.altitude == .meters(-3.5))
        #expect(position.horizontalAccuracy == .zero)
        #expect(position.verticalAccuracy == .meters(8))
        #expect(position.course == .degrees(359.5))
        #expect(position.speed == .metersPerSecond(1.5))
        #expect(position.magneticHeading == .degrees(90))
        #expect(position.trueHeading == .degrees(93.5))
        #expect(position.headingAccuracy == 4)
        #expect(try encode(position) == full)
        let object = try JSONSerialization.jsonObject(with: Data(full.utf8)) as? [String: Any]
        #expect(object.map { Set($0.keys) } == Set(Self.keys))
    }

    @Test func `an absent value isn't written, and a missing or null one is absent`() throws {
        let json = #"{"latitude":1,"longitude":2,"timestamp":3}"#
        let position = try decode(json)
        #expect(try encode(position) == json)
        let optional = Self.keys.filter { !["latitude", "longitude", "timestamp"].contains($0) }
        let nulls = optional.map { "\"\($0)\":null" }.joined(separator: ",")
        #expect(try decode(#"{"latitude":1,"longitude":2,"timestamp":3,\#(nulls)}"#) == position)
    }

    @Test(arguments: ["latitude", "longitude", "timestamp"])
    func `a required key that is missing or null is refused`(key: String) {
        for json in [
            full.replacing("\"\(key)\":", with: "\"other\":"),
            full.replacing("\"\(key)\":", with: "\"\(key)\":null,\"o\":"),
        ] {
            #expect(throws: DecodingError.self) { try decode(json) }
        }
    }

    @Test(arguments: [
        ("latitude", "90.001"), ("latitude", "-91"), ("longitude", "180.5"), ("longitude", "-181"),
        ("horizontalAccuracy", "-1"), ("verticalAccuracy", "-0.5"), ("course", "-1"), ("course", "361"),
        ("speed", "-1"), ("magneticHeading", "-1"), ("trueHeading", "360.5"), ("headingAccuracy", "-1"),
        ("headingAccuracy", "360"), ("timestamp", "1e300"), ("latitude", "\"46\""), ("speed", "true"),
        ("timestamp", "\"2020-01-01T00:00:00Z\""), ("altitude", "[]"),
    ])
    func `a value out of range or of another type is refused`(key: String, value: String) {
        let other = #"{"latitude":1,"longitude":2,"timestamp":3}"#
        let json = other.replacing("\"\(key)\":", with: "\"was\":").dropLast() + ",\"\(key)\":\(value)}"
        #expect(throws: DecodingError.self) { try decode(String(json)) }
    }

    @Test func `edges are folded, parts of a millisecond rounded, unknown keys ignored`() throws {
        let position = try decode(
            #"{"latitude":-90,"longitude":180,"timestamp":12.6,"course":360,"heading":5,"floor":{"level":[1]}}"#
        )
        #expect(position.coordinate.longitude == -180)
        #expect(position.timestamp == Timestamp(milliseconds: 13))
        #expect(position.course == .north)
        #expect(position.heading == nil)
    }

    @Test func `a heading from an unspecified north is left out`() throws {
        var position = try decode(full)
        position.heading = .degrees(12)
        #expect(try encode(position) == full)
    }

    @Test func `any position comes back as it was`() throws {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            func maybe<Value>(_ range: ClosedRange<Double>, _ make: (Double) -> Value?) -> Value? {
                Bool.random(using: &random) ? make(.random(in: range, using: &random)) : nil
            }
            let position = Position(
                coordinate: .random(using: &random),
                timestamp: Timestamp(milliseconds: Int64.random(in: .min ... .max, using: &random)),
                altitude: maybe(-500...9000, Distance.init(meters:)),
                horizontalAccuracy: maybe(0...1e6, Distance.init(meters:)),
                verticalAccuracy: maybe(0...1e6, Distance.init(meters:)),
                course: maybe(0...359.9, Bearing.init(degrees:)),
                speed: maybe(0...400, Speed.init(metersPerSecond:)),
                magneticHeading: maybe(0...359.9, Bearing.init(degrees:)),
                trueHeading: maybe(0...359.9, Bearing.init(degrees:)),
                headingAccuracy: maybe(0...180) { $0 }
            )
            #expect(try decode(encode(position)) == position, "seed \(seed)")
        }
    }
}
