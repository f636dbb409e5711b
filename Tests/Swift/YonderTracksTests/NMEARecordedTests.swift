import Foundation
import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

/// Recorded receivers, beside what gpsd's own decoder makes of them; see `Tests/Fixtures/nmea/make-expected`.
@Suite struct NMEARecordedTests {
    static let names = ["bundg_zeus_9", "garmin-10x", "haicom-305N", "humminbird-M37", "motorola-t805"]

    @Test(arguments: names)
    func `a recorded log has the fixes that gpsd finds`(name: String) throws {
        let expected = try Self.expected(name)
        let epochs = NMEAReader.epochs(try Self.log(name))
        #expect(expected.count >= 8)
        var rest = epochs[...]
        var compared = 0
        for fix in expected {
            let found = rest.firstIndex { $0.timeOfDay == fix.timeOfDay && $0.coordinate != nil }
            let index = try #require(found, "\(fix.timeOfDay)")
            let position = try #require(epochs[index].position)
            #expect(abs(position.coordinate.latitude - fix.latitude) < 1e-9)
            #expect(abs(position.coordinate.longitude - fix.longitude) < 1e-9)
            if let altitude = fix.altitude { #expect(position.altitude == .meters(altitude)) }
            // Where the receiver said no course, gpsd may compute one, and a speed, from two positions.
            if let course = position.course, let speed = position.speed, let expected = fix.course {
                #expect(abs(course.degrees - expected) < 1e-3)
                #expect(abs(speed.metersPerSecond - (fix.speed ?? -1)) < 1e-3)
                compared += 1
            }
            rest = epochs[(index + 1)...]
        }
        #expect(compared >= expected.filter { $0.course != nil }.count - 1)
    }

    /// How many fixes there are, as RMC with status A and others count them, and how many aren't later than the
    /// one before: one receiver says a second twice, and the clock of another goes back, as its log's head says.
    private static let counts = [
        ("bundg_zeus_9", 149, 1), ("garmin-10x", 9, 0), ("haicom-305N", 68, 0), ("humminbird-M37", 33, 1),
        ("motorola-t805", 16, 0),
    ]

    @Test(arguments: counts)
    func `a recorded log gives one position for each moment`(name: String, count: Int, steps: Int) throws {
        let positions = NMEAReader.epochs(try Self.log(name)).compactMap(\.position)
        #expect(positions.count == count)
        #expect(zip(positions, positions.dropFirst()).filter { $0.timestamp >= $1.timestamp }.count == steps)
    }

    @Test(arguments: names)
    func `few epochs wait for the next one to begin`(name: String) throws {
        var reader = NMEAReader()
        var (count, late) = (0, 0)
        for line in try Self.log(name).split(separator: 0x0A, omittingEmptySubsequences: false) {
            let fields = String(decoding: line, as: UTF8.self).split(
                separator: ",",
                omittingEmptySubsequences: false
            )
            for epoch in reader.read(Array(line) + [0x0A]) {
                let clock = fields[fields[0].hasSuffix("GLL") ? 5 : 1]
                let time = Timestamp(iso8601: "1970-01-01T\(Self.withColons(clock))Z")
                let isLate =
                    !fields[0].hasSuffix("VTG")
                    && epoch.timeOfDay != time.map { .milliseconds($0.milliseconds) }
                (count, late) = (count + 1, late + (isLate ? 1 : 0))
            }
        }
        #expect(late <= 3 + count / 10, "\(late) of \(count)")
    }

    @Test(arguments: names)
    func `every way of cutting a recorded log gives the same epochs and counts`(name: String) throws {
        let log = try Self.log(name).prefix(6000)
        var whole = NMEAReader()
        var expected = whole.read(Array(log))
        whole.finish { expected.append($0) }
        for size in [1, 2, 3, 7, 64, 255, 256, 257, 1000] {
            let (epochs, counts) = Self.read(log, inPiecesOf: { size })
            #expect(epochs == expected && counts == whole.counts, "pieces of \(size)")
        }
        for seed in UInt64(0)..<10 {
            var random = SeededGenerator(seed: seed)
            let (epochs, counts) = Self.read(log) { Int.random(in: 1...100, using: &random) }
            #expect(epochs == expected && counts == whole.counts, "seed \(seed)")
        }
    }

    @Test(arguments: names)
    func `nothing in a recorded log is malformed`(name: String) throws {
        var reader = NMEAReader()
        _ = reader.read(try Self.log(name))
        #expect(reader.counts.sentences > 40)
        #expect(reader.counts.malformed == 0)
        #expect(reader.counts.wrongChecksums == 0)
    }

    static func log(_ name: String) throws -> [UInt8] {
        try RecordedTracks.file("Tests/Fixtures/nmea/\(name).log")
    }

    static func read(_ bytes: ArraySlice<UInt8>, inPiecesOf size: () -> Int) -> (
        [NMEAEpoch], NMEAReader.Counts
    ) {
        var reader = NMEAReader()
        var epochs: [NMEAEpoch] = []
        var rest = bytes
        while !rest.isEmpty {
            let count = size()
            epochs += reader.read(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        reader.finish { epochs.append($0) }
        return (epochs, reader.counts)
    }

    private static func withColons(_ clock: Substring) -> String {
        "\(clock.prefix(2)):\(clock.dropFirst(2).prefix(2)):\(clock.dropFirst(4))"
    }

    private struct Fix {
        let timeOfDay: Duration
        let latitude: Double
        let longitude: Double
        let altitude: Double?
        let speed: Double?
        let course: Double?
    }

    private static func expected(_ name: String) throws -> [Fix] {
        let data = Data(try RecordedTracks.file("Tests/Fixtures/nmea/\(name).json"))
        let fixes = try #require(try JSONSerialization.jsonObject(with: data) as? [[Any]])
        return try fixes.map { fix in
            let clock = try #require(fix[0] as? String)
            let time = try #require(Timestamp(iso8601: "1970-01-01T\(clock)Z"))
            return Fix(
                timeOfDay: .milliseconds(time.milliseconds),
                latitude: try #require(fix[1] as? Double),
                longitude: try #require(fix[2] as? Double),
                altitude: fix[3] as? Double,
                speed: fix[4] as? Double,
                course: fix[5] as? Double
            )
        }
    }
}
