import LocationTestSupport
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderLocation
import YonderTracks

@Suite(.timeLimit(.minutes(20))) struct SourceConformanceTests {
    @Test(arguments: SourceRule.all)
    func `the source in memory keeps every rule`(rule: SourceRule) async throws {
        let source = MemorySource(authorization: .notDetermined, answer: .whenInUse)
        let count = Mutex(0)
        let stage = SourceStage(source: source) {
            let latitude = count.withLock { count in
                count += 1
                return Double(count)
            }
            let coordinate = try #require(Coordinate(latitude: latitude, longitude: 0))
            source.move(to: Position(coordinate: coordinate, timestamp: Timestamp(milliseconds: 0)))
            return coordinate
        } end: {
            source.end()
        }
        try await rule.check(stage)
    }

    @Test(arguments: SourceRule.all)
    func `the source of a track keeps every rule`(rule: SourceRule) async throws {
        let clock = ManualClock()
        let positions = try (0..<80).map { second in
            Position(
                coordinate: try #require(Coordinate(latitude: Double(second), longitude: 0)),
                timestamp: Timestamp(milliseconds: second * 1000)
            )
        }
        let source = TrackSource(
            try #require(TrackReplay(positions)),
            clock: clock,
            timeOfDay: LocationBench.timeOfDay(by: clock)
        )
        // The first position is told when it is started; every second gives another.
        let isFirst = Mutex(true)
        let stage = SourceStage(source: source) {
            if isFirst.withLock({ isFirst in
                defer { isFirst = false }
                return isFirst
            }) {
                return positions[0].coordinate
            }
            clock.advance(by: .seconds(1))
            return positions[Int(clock.now.offset / .seconds(1))].coordinate
        } end: {
            clock.advance(by: .seconds(1000))
        }
        try await rule.check(stage)
    }
}
