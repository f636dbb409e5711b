import Testing
import YonderGeodesy

@testable import YonderReceivers

@Suite struct GpsdReportTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func position(_ line: String) -> Position? {
        guard case .fix(let fix) = GpsdReport(Array(line.utf8)) else { return nil }
        return GpsdPosition().position(of: fix, at: now)
    }

    @Test(arguments: Fixtures.captures) func `every captured fix is read as Foundation reads it`(
        _ name: String
    ) throws {
        let lines = try Fixtures.capture(name)
        #expect(lines.count > 20)

        let expected = try lines.compactMap { try Place(gpsd: $0) }
        let read = lines.compactMap { position(String(decoding: $0, as: UTF8.self)) }.map(Place.init)

        #expect(read == expected)
    }

    @Test(arguments: Fixtures.captures) func `every captured line is understood`(_ name: String) throws {
        for line in try Fixtures.capture(name) { #expect(GpsdReport(line) != nil) }
    }

    @Test func `a fix becomes a position with all that gpsd knows`() throws {
        let position = try #require(self.position(GpsdLines.fix))

        #expect(position.coordinate == Coordinate(latitude: 52.850091667, longitude: 5.313483333))
        #expect(position.timestamp == Timestamp(iso8601: "2018-08-20T09:47:41Z"))
        #expect(position.altitude == .meters(-4))
        #expect(position.horizontalAccuracy == .meters(11.4))
        #expect(position.verticalAccuracy == .meters(20.7))
        #expect(position.course == .degrees(226.5))
        #expect(position.speed == .metersPerSecond(3.241))
        #expect(position.heading == nil && position.magneticHeading == nil && position.trueHeading == nil)
    }

    @Test func `the larger of two errors stands for one in the plane`() {
        let line = #"{"class":"TPV","mode":2,"lat":1,"lon":2,"epx":7.5,"epy":8.9}"#
        #expect(position(line)?.horizontalAccuracy == .meters(8.9))
    }

    @Test func `an older gpsd calls the height alt, and without a time the moment of arrival counts`() {
        let line = #"{"class":"TPV","mode":3,"lat":1,"lon":2,"alt":55.5}"#
        #expect(position(line)?.altitude == .meters(55.5))
        #expect(position(line)?.timestamp == now)
    }

    @Test(arguments: [
        #"{"class":"TPV","mode":1,"lat":1,"lon":2}"#,
        #"{"class":"TPV","mode":0}"#,
        #"{"class":"TPV","lat":1,"lon":2}"#,
        #"{"class":"TPV","mode":3,"time":"2018-08-20T09:47:41.000Z"}"#,
        #"{"class":"TPV","mode":3,"lat":91,"lon":2}"#,
    ]) func `without a fix there is no position`(_ line: String) {
        #expect(position(line) == nil)
    }

    @Test(arguments: [
        "", "{", "null", "[]", "{}", #"{"class":7}"#, #"{"class":"TPV","mode":"three"}"#,
        #"{"class":"TPV","mode":3,"lat":1e999,"lon":2}"#, #"{"class":"TPV","mode":3,"lat":nan,"lon":2}"#,
        "SSH-2.0-OpenSSH_9.2", #"{"class":"DEVICES","devices":7}"#, "\u{0}\u{1}", #"{"class":"TPV""#,
    ]) func `text other than a report gives no report`(_ line: String) {
        #expect(GpsdReport(Array(line.utf8)) == nil)
    }

    @Test func `unknown classes are told apart from what can't be read`() {
        #expect(GpsdReport(Array(#"{"class":"PPS","real_sec":1}"#.utf8)) == .other("PPS"))
        #expect(GpsdReport(Array(#"{"class":"TOFF"}"#.utf8)) == .other("TOFF"))
    }

    @Test func `a device is there unless it was activated at zero`() {
        #expect(GpsdReport(Array(GpsdLines.gone.utf8)) == .device(.init(path: "/dev/pts/7", isGone: true)))
        #expect(GpsdReport(Array(GpsdLines.found.utf8)) == .device(.init(path: "/dev/pts/7", isGone: false)))
        #expect(
            GpsdReport(Array(GpsdLines.devices.utf8)) == .devices([.init(path: "/dev/pts/7", isGone: false)])
        )
    }

    @Test func `a heading counts for two seconds and for its own device`() throws {
        guard case .fix(let fix) = GpsdReport(Array(GpsdLines.fix.utf8)) else { return }
        var assembler = GpsdPosition()

        assembler.take(.init(device: "/dev/pts/7", heading: 231.5), at: now)

        #expect(assembler.position(of: fix, at: now + .seconds(2))?.heading == .degrees(231.5))
        #expect(assembler.position(of: fix, at: now + .seconds(3))?.heading == nil)
        assembler.take(.init(device: "/dev/pts/8", heading: 10), at: now + .seconds(3))
        #expect(assembler.position(of: fix, at: now + .seconds(3))?.heading == nil)
    }
}
