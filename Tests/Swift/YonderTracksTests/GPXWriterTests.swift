import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

@Suite struct GPXWriterTests {
    @Test(arguments: RecordedTracks.names)
    func `a recorded file is the same once written and read`(name: String) throws {
        var document = try GPXDocument(reading: try RecordedTracks.bytes(name))
        document.issues = []
        let bytes = document.bytes(creator: "Yonder")
        #expect(try GPXDocument(reading: bytes) == document)
        #expect(FoundationReader.points(of: bytes)?.count == document.allPoints.count)
    }

    @Test func `elements stand in the order of the schema`() throws {
        let coordinate = try #require(Coordinate(latitude: 1e-7, longitude: -180))
        let point = TrackPoint(
            coordinate: coordinate,
            timestamp: Timestamp(iso8601: "2020-02-03T04:05:06Z"),
            altitude: .meters(1e20),
            course: .degrees(90),
            speed: .metersPerSecond(2.5e-10),
            name: "a<b"
        )
        let document = GPXDocument(
            name: "d",
            waypoints: [point],
            routes: [Route(name: "r", points: [])],
            tracks: [Track(segments: [[TrackPoint(coordinate: coordinate)]])]
        )
        let lines = String(decoding: document.bytes(creator: "\"me\""), as: UTF8.self).split(separator: "\n")
        #expect(
            lines.map(String.init) == [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                #"<gpx version="1.1" creator="&quot;me&quot;" xmlns="http://www.topografix.com/GPX/1/1""#
                    + #" xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">"#,
                "<metadata><name>d</name></metadata>",
                #"<wpt lat="0.0000001" lon="-180.0"><ele>100000000000000000000.0</ele>"#
                    + "<time>2020-02-03T04:05:06Z</time><name>a&lt;b</name><extensions><tpx:TrackPointExtension>"
                    + "<tpx:speed>0.00000000025</tpx:speed><tpx:course>90.0</tpx:course>"
                    + "</tpx:TrackPointExtension></extensions></wpt>",
                "<rte><name>r</name>", "</rte>",
                "<trk>", "<trkseg>", #"<trkpt lat="0.0000001" lon="-180.0"></trkpt>"#, "</trkseg>", "</trk>",
                "</gpx>",
            ]
        )
    }

    @Test func `any document is the same once written and read`() throws {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let document = GPXDocument(
                name: name(using: &random),
                waypoints: points(using: &random),
                routes: (0..<2).map { _ in Route(name: name(using: &random), points: points(using: &random))
                },
                tracks: (0..<2).map { _ in
                    Track(name: name(using: &random), segments: (0..<2).map { _ in points(using: &random) })
                }
            )
            var read = try GPXDocument(reading: document.bytes(creator: "Yonder"))
            read.issues.removeAll { $0.kind == .timeGoesBack }
            #expect(read == document, "seed \(seed)")
        }
    }

    @Test func `characters that XML doesn't allow are replaced`() throws {
        let document = GPXDocument(name: "a\u{0}b\u{1B}\u{FFFE}c\rd")
        #expect(
            try GPXDocument(reading: document.bytes(creator: "\u{2}")).name
                == "a\u{FFFD}b\u{FFFD}\u{FFFD}c\rd"
        )
    }

    private func points(using random: inout SeededGenerator) -> [TrackPoint] {
        (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
            let coordinate = Coordinate(
                latitude: .random(in: -90...90, using: &random),
                longitude: .random(in: -1e-6...1e-6, using: &random) * .random(in: 1...1e8, using: &random)
            )
            guard let coordinate else { return nil }
            let milliseconds = Int64.random(in: 315_964_800_000...4_000_000_000_000, using: &random)
            return TrackPoint(
                coordinate: coordinate,
                timestamp: Bool.random(using: &random) ? Timestamp(milliseconds: milliseconds) : nil,
                altitude: Bool.random(using: &random)
                    ? .meters(.random(in: -1e-5...1e-5, using: &random)) : nil,
                course: Bool.random(using: &random) ? .degrees(.random(in: 0..<360, using: &random)) : nil,
                speed: Bool.random(using: &random)
                    ? .metersPerSecond(.random(in: 0...1e18, using: &random)) : nil,
                name: name(using: &random)
            )
        }
    }

    private func name(using random: inout SeededGenerator) -> String? {
        let pieces = [
            "a", "<", "&", ">", "\"", "'", "]]>", "é", "🚲", "日本", "&amp;", " x", "\n\"", "-->", "<![CDATA[",
        ]
        let name = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
            pieces.randomElement(using: &random)
        }
        .joined()
        return name.isEmpty || name.first?.isWhitespace == true ? nil : name
    }
}
