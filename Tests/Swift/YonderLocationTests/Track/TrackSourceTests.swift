import TestSupport
import Testing
import YonderGeodesy
import YonderLocation
import YonderTracks

@Suite(.timeLimit(.minutes(20))) struct TrackSourceTests {
    private let clock = ManualClock()
    private let events = Recorder<LocationSourceEvent>()

    private func source(_ seconds: [Int64], speed: Double = 1, isLooping: Bool = false) throws -> TrackSource
    {
        let positions = try seconds.enumerated().map { index, second in
            Position(
                coordinate: try #require(Coordinate(latitude: Double(index), longitude: 0)),
                timestamp: Timestamp(milliseconds: 1_000_000_000_000 + second * 1000)
            )
        }
        let replay = try #require(TrackReplay(positions, speed: speed, isLooping: isLooping))
        let source = TrackSource(replay, clock: clock, timeOfDay: LocationBench.timeOfDay(by: clock))
        source.setReceiver { [events] in events.record($0) }
        return source
    }

    /// What was told: the latitude of a position and the seconds since the beginning at which it is due, or `nil`
    /// for the end.
    private func told(_ count: Int) async -> [[Double]?] {
        await events.wait(for: count).map { event in
            guard case .positions(let positions) = event, let position = positions.first else { return nil }
            return [
                position.coordinate.latitude, (position.timestamp - LocationBench.beginning) / .seconds(1),
            ]
        }
    }

    @Test func `a track is replayed at its own times, then ends`() async throws {
        let source = try source([0, 10, 30])
        clock.advance(by: .seconds(5))
        source.start()
        #expect(await told(1) == [[0, 5]])
        for (step, count) in [(10, 2), (20, 3)] {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(step))
            _ = await told(count)
        }
        #expect(await told(4) == [[0, 5], [1, 15], [2, 35], nil])
        source.stop()
    }

    @Test func `a track is replayed faster`() async throws {
        let source = try source([0, 10, 30], speed: 10)
        source.start()
        clock.advance(by: .milliseconds(2999))
        #expect(await told(2) == [[0, 0], [1, 1]])
        clock.advance(by: .milliseconds(1))
        #expect(await told(4) == [[0, 0], [1, 1], [2, 3], nil])
    }

    @Test func `a track is looped`() async throws {
        let source = try source([0, 10], isLooping: true)
        source.start()
        clock.advance(by: .seconds(45))
        #expect(await told(5) == [[0, 0], [1, 10], [0, 20], [1, 30], [0, 40]])
        source.stop()
    }

    @Test func `time goes on while it is stopped`() async throws {
        let source = try source([0, 10, 20, 30])
        source.start()
        _ = await told(1)
        source.stop()
        clock.advance(by: .seconds(22))
        source.start()
        #expect(await told(2) == [[0, 0], [2, 20]])
        clock.advance(by: .seconds(8))
        #expect(await told(4) == [[0, 0], [2, 20], [3, 30], nil])
    }

    @Test func `a track that ended while nobody listened says that it has ended`() async throws {
        let source = try source([0, 10])
        source.start()
        _ = await told(1)
        source.stop()
        clock.advance(by: .seconds(11))
        source.start()
        #expect(await told(2) == [[0, 0], nil])
    }

    @Test func `stopped, nobody sleeps for it`() async throws {
        let source = try source([0, 10])
        source.start()
        await clock.waitForSleepers()
        source.stop()
        while clock.sleeperCount > 0 { await Task.yield() }
    }

    @Test func `a service over a track gives a position and then the end`() async throws {
        let source = try source([0, 10])
        let provider = LocationProvider(
            source: source,
            clock: clock,
            timeOfDay: LocationBench.timeOfDay(by: clock)
        )
        #expect(try await provider.position().coordinate.latitude == 0)
        let iterator = provider.monitor().makeAsyncIterator()
        var events: [MonitoringEvent] = []
        clock.advance(by: .seconds(10))
        while let event = await iterator.next() { events.append(event) }
        #expect(events.compactMap(\.position).last?.coordinate.latitude == 1)
        #expect(events.last?.failure?.code == .sourceEnded)
    }

    // Files.

    private func gpx(_ body: String) -> [UInt8] {
        Array("<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(body)</gpx>".utf8)
    }

    private let timed = #"<trkpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time></trkpt>"#

    @Test func `broken times are reported, and the rest is replayed`() async throws {
        let broken = #"<trkpt lat="3" lon="4"><time>yesterday</time></trkpt>"#
        let source = try TrackSource(readingGPX: gpx("<trk><trkseg>\(broken)\(timed)</trkseg></trk>"))
        #expect(source.issues.map(\.kind) == [.unreadableTime])
        #expect(source.replay.positions.map(\.coordinate.latitude) == [1])
    }

    @Test func `a file without any time is unreadable`() {
        let error = #expect(throws: LocationError.self) {
            try TrackSource(readingGPX: gpx(#"<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>"#))
        }
        #expect(error?.code == .sourceUnreadable)
    }

    @Test func `a file that isn't GPX is unreadable, and says why`() {
        let error = #expect(throws: LocationError.self) {
            try TrackSource(readingGPX: Array("<kml/>".utf8))
        }
        #expect(error?.code == .sourceUnreadable)
        #expect((error?.underlying as? TrackFileFailure)?.reason == .notGPX)
    }

    @Test func `a speed out of range is refused`() {
        let error = #expect(throws: LocationError.self) {
            try TrackSource(readingGPX: gpx("<trk><trkseg>\(timed)</trkseg></trk>"), speed: 0)
        }
        #expect(error?.code == .sourceUnreadable)
    }

    @Test func `without tracks, routes are replayed, and without routes, waypoints`() throws {
        let route = timed.replacing("trkpt", with: "rtept")
        let waypoint = timed.replacing("trkpt", with: "wpt").replacing("lat=\"1\"", with: "lat=\"5\"")
        let both = try TrackSource(readingGPX: gpx("\(waypoint)<rte>\(route)</rte>"))
        #expect(both.replay.positions.map(\.coordinate.latitude) == [1])
        let alone = try TrackSource(readingGPX: gpx(waypoint))
        #expect(alone.replay.positions.map(\.coordinate.latitude) == [5])
    }

    @Test func `all tracks of a file are replayed one after another`() throws {
        let later = timed.replacing("2020", with: "2021").replacing("lat=\"1\"", with: "lat=\"7\"")
        let source = try TrackSource(
            readingGPX: gpx("<trk><trkseg>\(timed)</trkseg></trk><trk><trkseg>\(later)</trkseg></trk>")
        )
        #expect(source.replay.positions.map(\.coordinate.latitude) == [1, 7])
    }
}
