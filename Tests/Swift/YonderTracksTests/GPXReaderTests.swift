import Foundation
import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

@Suite struct GPXReaderTests {
    @Test(arguments: RecordedTracks.names)
    func `a recorded file has the points that Foundation's parser finds`(name: String) throws {
        let bytes = try RecordedTracks.bytes(name)
        let document = try GPXDocument(reading: bytes)
        let expected = try #require(FoundationReader.points(of: bytes))
        let byKind = ["wpt", "rtept", "trkpt"].flatMap { kind in expected.filter { $0.kind == kind } }
        #expect(document.allPoints.count == byKind.count)
        #expect(document.allPoints.count > 100)
        #expect(zip(byKind, document.allPoints).allSatisfy { $0.agrees(with: $1) })
    }

    @Test func `the walk round the lake is complete`() throws {
        let document = try GPXDocument(reading: try RecordedTracks.bytes("cerknicko-jezero"))
        #expect(document.issues.isEmpty)
        #expect(document.waypoints.first?.name == "001")
        #expect(document.waypoints.first?.timestamp == Timestamp(iso8601: "2010-08-05T14:23:59Z"))
        #expect(document.waypoints.contains { $0.timestamp == nil })
        let track = try #require(document.tracks.last)
        let last = try #require(track.positions.last)
        #expect(last.coordinate == Coordinate(latitude: 45.790873384, longitude: 14.304442042))
        #expect(last.altitude == .meters(562.508545))
        #expect(last.timestamp == Timestamp(iso8601: "2010-08-05T16:23:49Z"))
        #expect(track.positions.count == track.points.count)
    }

    @Test func `broken times are reported, and the points are kept without them`() throws {
        let bytes = try RecordedTracks.bytes("Mojstrovka")
        let document = try GPXDocument(reading: bytes)
        let track = try #require(document.tracks.first)
        let withoutTime = track.points.filter { $0.timestamp == nil }.count
        #expect(withoutTime > 0)
        #expect(document.issues.filter { $0.kind == .impossibleTime }.count == withoutTime)
        #expect(track.positions.count == track.points.count - withoutTime)
        for issue in document.issues {
            #expect(bytes[issue.offset - 7..<issue.offset].elementsEqual("</time>".utf8))
        }
    }

    @Test func `every element that counts is read, wherever it may stand`() throws {
        let document = try GPXDocument(reading: Array(everything.utf8))
        let time = Timestamp(iso8601: "2020-02-03T04:05:06.700Z")
        #expect(document.name == "All &\tsundry")
        #expect(
            document.waypoints == [
                try point(1, 2, name: "Ünïcode 🚲 <A>"), try point(-90, -180),
            ]
        )
        #expect(document.routes == [Route(name: "r", points: [try point(3, 4, altitude: 5)])])
        let first = try point(1.5, -2.5, altitude: -10.25, time: time, course: 359.5, speed: 3)
        let second = try point(1.6, 180, time: time, course: 90, speed: 1.5)
        let third = try point(1.7, 2.5, course: 0, speed: 2)
        #expect(
            document.tracks == [
                Track(name: "t]]>", segments: [[first, second], []]), Track(segments: [[third]]),
                Track(segments: []),
            ]
        )
        #expect(document.issues.isEmpty)
    }

    @Test(arguments: [
        ("<time>yesterday</time>", TrackIssue.Kind.unreadableTime), ("<time/>", .unreadableTime),
        ("<time>1901-12-13T20:45:52Z</time>", .impossibleTime), ("<ele>high</ele>", .unreadableNumber),
        ("<ele></ele>", .unreadableNumber), ("<speed>-1</speed>", .unreadableNumber),
        ("<course>361</course>", .unreadableNumber), ("<ele>1e999</ele>", .unreadableNumber),
    ])
    func `impossible values are left out and listed`(element: String, kind: TrackIssue.Kind) throws {
        let text = #"<gpx><trk><trkseg><trkpt lat="1" lon="2">"# + element
        let document = try GPXDocument(reading: Array((text + "</trkpt></trkseg></trk></gpx>").utf8))
        #expect(document.tracks == [Track(segments: [[try point(1, 2)]])])
        #expect(document.issues == [TrackIssue(kind, at: text.utf8.count)])
    }

    @Test func `a time that goes back is kept and listed`() throws {
        let points = ["05", "07", "06", "06"].map {
            #"<trkpt lat="1" lon="2"><time>2020-01-01T00:00:\#($0)Z</time></trkpt>"#
        }
        let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let document = try GPXDocument(reading: Array(text.utf8))
        #expect(document.issues.map(\.kind) == [.timeGoesBack])
        #expect(document.tracks.first?.positions.count == 4)
    }

    @Test(arguments: [
        ("", TrackFileFailure.Reason.notWellFormed, 0), ("  ", .notWellFormed, 2),
        ("<gpx>", .notWellFormed, 5),
        ("<gpx></gpy>", .notWellFormed, 7), ("<gpx/><gpx/>", .notWellFormed, 6),
        ("x<gpx/>", .notWellFormed, 0),
        ("<gpx/>x", .notWellFormed, 6), ("<kml/>", .notGPX, 1), ("<gpx a='1' a='2'/>", .notWellFormed, 12),
        ("<gpx a=1/>", .notWellFormed, 7), ("<gpx a='<'/>", .notWellFormed, 8),
        ("<gpx>&nbsp;</gpx>", .notWellFormed, 5),
        ("<gpx>&#0;</gpx>", .notWellFormed, 5), ("<gpx>&#xD800;</gpx>", .notWellFormed, 5),
        ("<gpx>&amp</gpx>", .notWellFormed, 5), ("<gpx>]]></gpx>", .notWellFormed, 5),
        ("<gpx><!-- a -- b --></gpx>", .notWellFormed, 14),
        ("<gpx>\u{1}</gpx>", .notWellFormed, 5), ("<gpx a='1'b='2'/>", .notWellFormed, 10),
        ("<!DOCTYPE gpx><gpx/>", .documentType, 0), ("<gpx><?xml ?></gpx>", .notWellFormed, 10),
        (#"<?xml version="1.0" encoding="ISO-8859-1"?><gpx/>"#, .notUTF8, 30),
        (#"<?xml encoding="UTF-8"?><gpx/>"#, .notWellFormed, 22),
        ("<gpx><wpt lat='1'/></gpx>", .invalidCoordinate, 6),
        ("<gpx><wpt lat='91' lon='0'/></gpx>", .invalidCoordinate, 6),
        ("<gpx><wpt lat='1' lon='181'/></gpx>", .invalidCoordinate, 6),
        ("<gpx><wpt lat='nan' lon='1'/></gpx>", .invalidCoordinate, 6),
        ("<gpx>\u{FFFF}</gpx>", .notWellFormed, 5),
    ])
    func `a file that isn't GPX is refused, with the offset`(
        text: String,
        reason: TrackFileFailure.Reason,
        offset: Int
    ) {
        #expect(throws: TrackFileFailure(reason, at: offset)) { try GPXDocument(reading: Array(text.utf8)) }
    }

    @Test func `nesting and attributes have a limit`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            let inner = (1..<depth)
            return Array("<gpx>".utf8) + inner.flatMap { _ in "<a>".utf8 }
                + inner.flatMap { _ in "</a>".utf8 }
                + Array("</gpx>".utf8)
        }
        #expect(throws: Never.self) { try GPXDocument(reading: nested(64)) }
        #expect(throws: TrackFileFailure(.tooComplex, at: 5 + 63 * 3)) {
            try GPXDocument(reading: nested(65))
        }

        func attributes(_ count: Int) -> [UInt8] {
            Array("<gpx \((0..<count).map { "a\($0)='' " }.joined())/>".utf8)
        }
        #expect(throws: Never.self) { try GPXDocument(reading: attributes(64)) }
        #expect(throws: TrackFileFailure.self) { try GPXDocument(reading: attributes(65)) }
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xFF], [0xC3],
        ] as [[UInt8]]
    )
    func `text that isn't UTF-8 is refused`(sequence: [UInt8]) {
        let bytes = Array("<gpx>".utf8) + sequence + Array("</gpx>".utf8)
        #expect(throws: TrackFileFailure(.notUTF8, at: 5)) { try GPXDocument(reading: bytes) }
        #expect(throws: TrackFileFailure(.notUTF8, at: 5)) {
            try GPXDocument(reading: Array(bytes.prefix(5)) + sequence)
        }
    }

    @Test func `mutated files are refused, or read as Foundation's parser reads them`() {
        var accepted = 0
        for seed in UInt64(0)..<20_000 {
            var random = SeededGenerator(seed: seed)
            var bytes = Array(everything.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, using: &random) }
            guard let document = try? GPXDocument(reading: bytes) else { continue }
            accepted += 1
            guard accepted.isMultiple(of: 4) else { continue }

            guard let expected = FoundationReader.points(of: bytes) else {
                // Names beyond ASCII are taken as they come, so only here may Foundation be stricter.
                #expect(
                    bytes.contains { $0 >= 0x80 },
                    "seed \(seed): \(String(decoding: bytes, as: UTF8.self))"
                )
                continue
            }
            let byKind = ["wpt", "rtept", "trkpt"].flatMap { kind in expected.filter { $0.kind == kind } }
            let agree =
                document.allPoints.count == byKind.count
                && zip(byKind, document.allPoints).allSatisfy { $0.agrees(with: $1) }
            #expect(agree, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(accepted > 1000)
    }

    @Test(arguments: RecordedTracks.names)
    func `a file cut off anywhere is refused`(name: String) throws {
        let bytes = try RecordedTracks.bytes(name)
        var random = SeededGenerator(seed: 60)
        for _ in 0..<40 {
            let prefix = Array(bytes.prefix(.random(in: 0..<bytes.count - 7, using: &random)))
            #expect(throws: TrackFileFailure.self) { try GPXDocument(reading: prefix) }
        }
    }

    private func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + .random(in: 1...12, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[start] = .random(in: 0...255, using: &random)
        case 1: bytes[start] = Array("<>/&;'\"=-]?! 0.e".utf8).randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(start..<end)
        case 3: bytes.insert(contentsOf: bytes[start..<end], at: .random(in: 0..<bytes.count, using: &random))
        case 4: bytes[start] = .random(in: 0x30...0x39, using: &random)
        default: bytes.swapAt(start, end - 1)
        }
        if bytes.isEmpty { bytes = [0x20] }
    }

    private func point(
        _ latitude: Double,
        _ longitude: Double,
        altitude: Double? = nil,
        time: Timestamp? = nil,
        course: Double? = nil,
        speed: Double? = nil,
        name: String? = nil
    ) throws -> TrackPoint {
        TrackPoint(
            coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)),
            timestamp: time,
            altitude: altitude.flatMap(Distance.init(meters:)),
            course: course.flatMap(Bearing.init(degrees:)),
            speed: speed.flatMap(Speed.init(metersPerSecond:)),
            name: name
        )
    }
}

/// A bit of everything that a GPX file may have.
private let everything = """
    \u{FEFF}<?xml version="1.0" encoding='utf-8' standalone="yes" ?>
    <!-- a comment with <tags> & such -->
    <?pi some <thing> ?>
    <g:gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:g='u:g' xmlns:x="u:x">
    <metadata><name> All &amp;\tsundry </name><author><name>nobody</name></author></metadata>
    <wpt lat="1" lon="+2.0"><name>Ünïcode <!-- here -->&#x1F6B2;<![CDATA[ <A>]]></name><sym>x</sym></wpt>
    <wpt lon='-180' lat='-9e1'/>
    <rte><name>r</name><rtept lat="3" lon="4"><ele>\r
     5 </ele></rtept></rte>
    <trk><name>t]]&gt;</name><trkseg>
    <trkpt lat="1.5" lon="-2.5"><ele>-10.25</ele><time>2020-02-03T05:05:06.7+01:00</time>
    <course>359.5</course><speed>3</speed><name></name></trkpt>
    <trkpt lat="1.6" lon="180"><time>2020-02-03T04:05:06.700Z</time><extensions><x:TrackPointExtension>
    <x:hr>120</x:hr><x:speed>1.5</x:speed><x:course>90</x:course></x:TrackPointExtension></extensions></trkpt>
    </trkseg><trkseg/></trk>
    <trk><trkseg><trkpt lat="1.7" lon="2.5"><extensions><x:speed>2</x:speed><x:course>360</x:course>
    <x:other><speed>9</speed></x:other></extensions></trkpt></trkseg></trk>
    <trk></trk>
    </g:gpx>
    <!-- the end -->
    """
