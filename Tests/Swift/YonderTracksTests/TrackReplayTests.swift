import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

@Suite struct TrackReplayTests {
    private func positions(_ seconds: [Int64]) throws -> [Position] {
        try seconds.enumerated().map { index, second in
            Position(
                coordinate: try #require(Coordinate(latitude: Double(index), longitude: 0)),
                timestamp: Timestamp(milliseconds: 1_000_000_000_000 + second * 1000)
            )
        }
    }

    /// The times in milliseconds at which fixes are due, up to a time, each asked for after the one before.
    private func dueTimes(_ replay: TrackReplay, upTo end: Duration) -> [Int64] {
        var times: [Int64] = []
        var last = Duration.seconds(-1)
        while let fix = replay.next(after: last), fix.elapsed <= end {
            times.append(Int64(fix.elapsed / .milliseconds(1)))
            last = fix.elapsed
        }
        return times
    }

    @Test func `positions are due at the pace of the record`() throws {
        let replay = try #require(TrackReplay(positions([0, 10, 30])))
        #expect(dueTimes(replay, upTo: .seconds(1000)) == [0, 10_000, 30_000])
        #expect(replay.duration == .seconds(30))
        #expect(replay.fix(at: .seconds(-1)) == nil)
        #expect(replay.fix(at: .zero)?.position.coordinate.latitude == 0)
        #expect(replay.fix(at: .milliseconds(9999))?.position.coordinate.latitude == 0)
        #expect(replay.fix(at: .seconds(10))?.position.coordinate.latitude == 1)
        #expect(replay.fix(at: .seconds(500))?.position.coordinate.latitude == 2)
        #expect(replay.next(after: .seconds(30)) == nil)
    }

    @Test func `a speed divides the times`() throws {
        let fast = try #require(TrackReplay(positions([0, 10, 30]), speed: 4))
        #expect(dueTimes(fast, upTo: .seconds(1000)) == [0, 2500, 7500])
        let slow = try #require(TrackReplay(positions([0, 10]), speed: 0.5))
        #expect(dueTimes(slow, upTo: .seconds(1000)) == [0, 20_000])
    }

    @Test func `a loop begins again after a mean step`() throws {
        let replay = try #require(TrackReplay(positions([0, 10, 30]), isLooping: true))
        #expect(replay.duration == .seconds(45))
        #expect(
            dueTimes(replay, upTo: .seconds(100)) == [
                0, 10_000, 30_000, 45_000, 55_000, 75_000, 90_000, 100_000,
            ]
        )
        let fix = try #require(replay.fix(at: .seconds(56)))
        #expect(fix.elapsed == .seconds(55))
        #expect(fix.position.coordinate.latitude == 1)
        #expect(
            fix.position(startingAt: Timestamp(milliseconds: 5)).timestamp == Timestamp(milliseconds: 55_005)
        )
    }

    @Test func `a single position comes every second of the record in a loop, and once otherwise`() throws {
        let once = try #require(TrackReplay(positions([7])))
        #expect(dueTimes(once, upTo: .seconds(9)) == [0])
        let loop = try #require(TrackReplay(positions([7]), speed: 2, isLooping: true))
        #expect(dueTimes(loop, upTo: .seconds(2)) == [0, 500, 1000, 1500, 2000])
    }

    @Test func `positions that aren't later are left out`() throws {
        let replay = try #require(TrackReplay(positions([0, 10, 10, 5, 12])))
        #expect(dueTimes(replay, upTo: .seconds(100)) == [0, 10_000, 12_000])
        #expect(replay.positions.map(\.coordinate.latitude) == [0, 1, 4])
    }

    @Test func `a track without positions and a speed out of range are refused`() throws {
        #expect(TrackReplay([]) == nil)
        #expect(TrackReplay(Track(segments: [[]])) == nil)
        for speed in [0, -1, .nan, .infinity, 0.0001, 1e7] {
            #expect(TrackReplay(try positions([0]), speed: speed) == nil)
        }
    }

    @Test(arguments: [0.001, 1, 1_000_000])
    func `absurd times play without overflow`(speed: Double) throws {
        let coordinate = try #require(Coordinate(latitude: 0, longitude: 0))
        let ends = [Int64.min, 0, .max].map {
            Position(coordinate: coordinate, timestamp: Timestamp(milliseconds: $0))
        }
        let replay = try #require(TrackReplay(ends, speed: speed, isLooping: true))
        var last = Duration.seconds(-1)
        for _ in 0..<10 {
            let fix = try #require(replay.next(after: last))
            #expect(fix.elapsed > last)
            last = fix.elapsed
        }
        #expect(replay.fix(at: .seconds(Int64.max)) != nil)
        #expect(replay.next(after: .seconds(Int64.max)) != nil)
    }

    @Test(arguments: ["cerknicko-jezero", "korita-zbevnica"])
    func `a recorded track plays every position in order`(name: String) throws {
        let document = try GPXDocument(reading: try RecordedTracks.bytes(name))
        let track = try #require(document.tracks.max { $0.positions.count < $1.positions.count })
        let replay = try #require(TrackReplay(track, speed: 10))
        let times = dueTimes(replay, upTo: replay.duration)
        #expect(times.count == replay.positions.count)
        #expect(times.count > 50)
        #expect(times == times.sorted())
        for (time, position) in zip(times, replay.positions) {
            #expect(replay.fix(at: .milliseconds(time))?.position == position)
        }
    }
}
