import Foundation
import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

@Suite struct GeoJSONWriterTests {
    @Test(arguments: [GeoJSONWriter.Form.collection, .lines])
    func `any features are the same once written and read`(form: GeoJSONWriter.Form) throws {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let features = try (0..<Int.random(in: 1...6, using: &random)).map { _ in
                try feature(using: &random)
            }
            var writer = GeoJSONWriter(form)
            for feature in features { writer.write(feature) }
            writer.finish()
            let bytes = writer.takeBytes()
            #expect(
                FormatFixtures.features(bytes).map(\.value) == features.map(Optional.some),
                "seed \(seed)"
            )
            if form == .collection {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
            } else {
                #expect(bytes.count { $0 == 0x0A } == features.count)
            }
        }
    }

    @Test func `line ends in properties become spaces in a feature's line`() throws {
        let text = "{\"type\":\"Feature\",\"properties\":{\n\"a\":\r\n\"\\n\"}}"
        let feature = try #require(FormatFixtures.features(Array(text.utf8)).first?.value)
        var writer = GeoJSONWriter(.lines)
        writer.write(feature)
        let line = "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{ \"a\":  \"\\n\"}}\n"
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self) == line)
    }

    @Test(arguments: RecordedTracks.names)
    func `a recorded track is the same as GeoJSON`(name: String) throws {
        for track in try GPXDocument(reading: RecordedTracks.bytes(name)).tracks {
            var bare = track
            bare.segments = track.segments.filter { $0.count > 1 }.map { segment in
                segment.map {
                    TrackPoint(coordinate: $0.coordinate, timestamp: $0.timestamp, altitude: $0.altitude)
                }
            }
            if !bare.points.allSatisfy({ $0.timestamp != nil }) {
                bare.segments = bare.segments.map {
                    $0.map { TrackPoint(coordinate: $0.coordinate, altitude: $0.altitude) }
                }
            }
            var writer = GeoJSONWriter()
            writer.write(GeoJSONFeature(track))
            writer.finish()
            let feature = try #require(FormatFixtures.features(writer.takeBytes()).first?.value)
            #expect(Track(feature) == (bare.segments.isEmpty ? nil : bare))
        }
    }

    @Test func `a place is no track`() throws {
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
        #expect(Track(GeoJSONFeature(geometry: .point(coordinate, altitude: nil))) == nil)
        #expect(Track(GeoJSONFeature(geometry: nil)) == nil)
        let one = Track(segments: [[TrackPoint(coordinate: coordinate)]])
        #expect(GeoJSONFeature(one).geometry == nil)
    }

    @Test(arguments: ["compact", "indented", "sorted", "lines"])
    func `a damaged file never traps, however it is cut`(name: String) throws {
        let file = try FormatFixtures.bytes("\(name).geojson")
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let signs = "{{}}[[]],,::\"\"\\0-1.e\n "
            let damaged = FormatFixtures.damage(file.prefix(2500), with: signs, using: &random)
            let length = Int.random(in: 40...900, using: &random)
            let whole = FormatFixtures.features(damaged, featureLength: length)
            let cut = FormatFixtures.features(damaged, featureLength: length) {
                Int.random(in: 1...60, using: &random)
            }
            #expect(cut == whole, "seed \(seed)")
            let offsets = whole.map(\.offset)
            #expect(offsets.allSatisfy { (0...damaged.count).contains($0) } && offsets == offsets.sorted())
        }
    }

    private func feature(using random: inout SeededGenerator) throws -> GeoJSONFeature {
        let geometry: GeoJSONFeature.Geometry? =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .point(try point(using: &random).coordinate, altitude: try point(using: &random).altitude)
            case 1: .line(try line(using: &random))
            case 2:
                .lines(try (0..<Int.random(in: 0...3, using: &random)).map { _ in try line(using: &random) })
            default: nil
            }
        let ids = [GeoJSONFeature.Identifier("a\"\\\u{1}é\n"), GeoJSONFeature.Identifier(-17), nil]
        let values = [
            "1", "-0.0e-5", "null", "[1, {\"a\": [ ]}]", "\"\\u00e9\\ud83d\\ude00\"", "\"日本\"", "{}",
        ]
        let members = (0..<Int.random(in: 0...12, using: &random)).map { index in
            let key = ["k", "é\"", "\u{7}\\"].randomElement(using: &random) ?? ""
            return GeoJSONProperties.Member(
                key: "\(key)\(index)",
                json: Array((values.randomElement(using: &random) ?? "0").utf8)
            )
        }
        return GeoJSONFeature(
            id: ids.randomElement(using: &random) ?? nil,
            geometry: geometry,
            properties: GeoJSONProperties(members) ?? .none
        )
    }

    private func line(using random: inout SeededGenerator) throws -> [TrackPoint] {
        try (0..<Int.random(in: 2...5, using: &random)).map { _ in try point(using: &random) }
    }

    private func point(using random: inout SeededGenerator) throws -> TrackPoint {
        let small = Double.random(in: -1e-6...1e-6, using: &random)
        let coordinate = Coordinate(
            latitude: .random(in: -90...90, using: &random),
            longitude: small * .random(in: 1...1e8, using: &random)
        )
        let altitude = Distance.meters(small * .random(in: 1...1e12, using: &random))
        return TrackPoint(
            coordinate: try #require(coordinate),
            altitude: Bool.random(using: &random) ? altitude : nil
        )
    }
}
