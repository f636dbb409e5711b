import Testing
import YonderGeodesy
import YonderModel
import YonderRules

/// Tables of transitions by a hand-moved clock: seconds since a share's start, what is heard, what is said.
@Suite struct FreshnessTests {
    private static let start = Timestamp(milliseconds: 1_764_000_000_000)

    /// What happens at a second.
    enum Event: Sendable {
        /// A position so many meters north of the start, of its own second.
        case position(Int)
        /// A position that was recorded so many seconds before it came.
        case late(Double)
        /// A heartbeat without a fix.
        case beat
        /// A heartbeat with a fix of now, so many meters north.
        case beatAt(Int)
        /// A heartbeat with an empty battery, that charges or doesn't.
        case empty(charging: Bool)
        /// The person paused.
        case pause
        /// Nothing.
        case look
    }

    private struct Stage {
        var reports = ShareReports(started: start)
        var share = Share(id: identifier(1), chat: identifier(2), user: identifier(3), started: start)

        mutating func happen(_ event: Event, at second: Double) {
            let now = start + .milliseconds(Int64(second * 1_000))
            switch event {
            case .position(let meters):
                reports.receive(north(meters), accuracy: nil, at: now, time: now)
            case .late(let age):
                let fix = now - .milliseconds(Int64(age * 1_000))
                reports.receive(north(0), accuracy: nil, at: fix, time: now)
            case .beat: beat(nil, now)
            case .beatAt(let meters): beat(ShareHeartbeat.Fix(time: now, coordinate: north(meters)), now)
            case .empty(let charging): beat(nil, now, battery: 0.05, charging: charging)
            case .pause: beat(nil, now, paused: true)
            case .look: break
            }
        }

        private mutating func beat(
            _ fix: ShareHeartbeat.Fix?,
            _ now: Timestamp,
            battery: Double? = nil,
            charging: Bool? = nil,
            paused: Bool = false
        ) {
            let heartbeat = ShareHeartbeat(fix: fix, battery: battery, isCharging: charging, isPaused: paused)
            if let heartbeat { reports.receive(heartbeat, at: now) }
        }

        func freshness(at second: Double) -> Freshness {
            reports.freshness(of: share, at: start + .milliseconds(Int64(second * 1_000)))
        }
    }

    /// A line of a table: second, what happens, the state then, its cause.
    typealias Line = (second: Double, event: Event, state: Freshness.State, cause: Freshness.Cause?)

    private func expect(_ table: [Line], _ location: SourceLocation = #_sourceLocation) {
        var stage = Stage()
        for line in table {
            stage.happen(line.event, at: line.second)
            let freshness = stage.freshness(at: line.second)
            #expect(freshness.state == line.state, "at \(line.second)", sourceLocation: location)
            #expect(freshness.cause == line.cause, "at \(line.second)", sourceLocation: location)
        }
    }

    @Test func `a phone that falls silent becomes slow, stale and offline, each after its time`() {
        expect([
            (0, .position(0), .live, nil), (15, .position(30), .live, nil), (45, .look, .live, nil),
            (45.1, .look, .slow, .silent), (315, .look, .slow, .silent), (315.1, .look, .stale, .silent),
            (915, .look, .stale, .silent), (915.1, .look, .offline, .silent),
            (9_000, .look, .offline, .silent),
            (9_001, .position(60), .live, nil),
        ])
    }

    @Test func `the times are multiples of the gap that the phone keeps`() {
        var table: [Line] = (0...8).map { (Double($0) * 300, .position($0), .live, nil) }
        table += [
            (2_400 + 600, .look, .live, nil), (2_400 + 601, .look, .slow, .interval),
            (2_400 + 1_200, .look, .slow, .interval), (2_400 + 1_201, .look, .stale, .silent),
            (2_400 + 2_400, .look, .stale, .silent), (2_400 + 2_401, .look, .offline, .silent),
        ]
        expect(table)
    }

    @Test func `entering live needs a fix, and a heartbeat with a fresh fix near the last position is one`() {
        expect([
            (0, .look, .slow, .noFix), (5, .beat, .slow, .noFix), (10, .beatAt(0), .slow, .noFix),
            (15, .position(0), .live, nil), (80, .beat, .slow, .noFix), (85, .beatAt(15), .live, nil),
            (150, .beatAt(40), .slow, .noFix), (155, .beatAt(5), .live, nil),
        ])
    }

    @Test func `a late batch never makes live`() {
        expect([
            (0, .position(0), .live, nil), (1_000, .late(900), .slow, .noFix),
            (1_001, .late(300), .slow, .noFix),
            (1_002, .position(10), .live, nil),
        ])
    }

    @Test func `paused is what the person says, until the next position or heartbeat`() {
        expect([
            (0, .position(0), .live, nil), (10, .pause, .paused, .paused), (5_000, .look, .paused, .paused),
            (5_001, .position(0), .live, nil), (5_002, .pause, .paused, .paused),
            (5_003, .beatAt(0), .live, nil),
        ])
    }

    @Test func `an empty battery is the cause of a silence unless it charges`() {
        expect([
            (0, .position(0), .live, nil), (1, .empty(charging: false), .live, nil),
            (901.5, .look, .offline, .battery),
        ])
        expect([
            (0, .position(0), .live, nil), (1, .empty(charging: true), .live, nil),
            (901.5, .look, .offline, .silent),
        ])
    }

    @Test func `the changes say what a client cut off would see, and nothing after the end`() {
        var stage = Stage()
        stage.share.until = Self.start + .seconds(600)
        stage.happen(.position(0), at: 0)
        let told = stage.freshness(at: 0)
        #expect(told.changes.map(\.state) == [.slow, .stale, .ended])
        for second in 0...599 {
            let now = Self.start + .seconds(second)
            #expect(told.state(at: now) == stage.freshness(at: Double(second)).state, "at \(second)")
        }
        #expect(told.state(at: Self.start + .seconds(600)) == .ended)
        #expect(
            stage.freshness(at: 600)
                == Freshness(ended: .init(time: Self.start + .seconds(600), ending: .expired))
        )
    }

    @Test func `after the end there is the end and nothing more`() {
        var stage = Stage()
        stage.happen(.position(0), at: 0)
        stage.happen(.empty(charging: true), at: 1)
        let end = Share.End(time: Self.start + .seconds(2), ending: .stopped)
        stage.share.end = end
        stage.happen(.position(500), at: 3)
        let freshness = stage.freshness(at: 10)
        #expect(freshness == Freshness(state: .ended, cause: .stopped, asOf: end.time))
        #expect(freshness.battery == nil && freshness.since == nil && freshness.changes.isEmpty)
    }

    @Test func `the battery is shown only where the sharer allows it`() {
        var stage = Stage()
        stage.happen(.empty(charging: true), at: 1)
        #expect(stage.freshness(at: 1).battery == 0.05 && stage.freshness(at: 1).isCharging == true)
        stage.share.showsBattery = false
        #expect(stage.freshness(at: 1).battery == nil && stage.freshness(at: 1).isCharging == nil)
    }

    @Test func `a person within 20 meters for a minute stands still since then`() {
        var stage = Stage()
        stage.happen(.position(0), at: 0)
        stage.happen(.position(100), at: 10)
        stage.happen(.position(110), at: 60)
        #expect(stage.freshness(at: 60).since == nil)
        stage.happen(.beatAt(105), at: 70)
        #expect(stage.freshness(at: 70).since == Self.start + .seconds(10))
        stage.happen(.position(140), at: 80)
        #expect(stage.freshness(at: 80).since == nil)
    }

    @Test func `a person whose circle of accuracy lies in the place for 60 seconds has arrived`() throws {
        let arrival = try #require(Arrival(coordinate: north(0)))
        var reports = ShareReports(started: Self.start)
        func arrives(_ meters: Int, accuracy: Double, at second: Int) -> Bool {
            let now = Self.start + .seconds(second)
            reports.receive(north(meters), accuracy: Distance(meters: accuracy), at: now, time: now)
            return reports.arrives(at: arrival)
        }
        #expect(!arrives(60, accuracy: 30, at: 0))
        #expect(!arrives(60, accuracy: 50, at: 30))
        #expect(!arrives(60, accuracy: 30, at: 40))
        #expect(!arrives(60, accuracy: 30, at: 99))
        #expect(arrives(69, accuracy: 30, at: 100))
    }
}

/// So many meters north of a place.
private func north(_ meters: Int) -> Coordinate {
    guard let place = Coordinate(latitude: 52 + Double(meters) / 111_195, longitude: 13) else {
        fatalError("no place")
    }
    return place
}

private func identifier<Subject>(_ number: Int64) -> Identifier<Subject> {
    guard let identifier = Identifier<Subject>(number) else { fatalError("\(number) is negative") }
    return identifier
}
