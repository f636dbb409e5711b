import TestSupport
import Testing
import YonderRules
import YonderGeodesy
import YonderModel

struct SharedClockTests {
    private let start = ContinuousClock.now
    private let noon = Timestamp(milliseconds: 1_764_000_000_000)

    /// A sample that is requested `after` the start, of a clock that shows noon plus `offset` at the start.
    private func sample(
        after: Duration = .zero,
        roundTrip: Duration = .milliseconds(2),
        offset: Duration = .zero,
        readAt: Double = 0.5
    ) -> ClockSample {
        let read = after + .nanoseconds(Int64(Double(roundTrip / .nanoseconds(1)) * readAt))
        return ClockSample(
            sent: start + after,
            time: noon + offset + read,
            received: start + after + roundTrip
        )
    }

    @Test func `of several samples the one with the least round trip counts`() throws {
        let samples = [
            sample(roundTrip: .milliseconds(300), readAt: 1), sample(roundTrip: .milliseconds(4)),
            sample(roundTrip: .milliseconds(90), readAt: 0),
        ]
        var clock = try #require(SharedClock(samples, at: start + .seconds(1)))
        #expect(clock.time(at: start + .seconds(1)) == noon + .seconds(1))
        #expect(clock.state(at: start + .milliseconds(4)).uncertainty == .milliseconds(2))
    }

    @Test func `the estimate is never further off than half the round trip`() throws {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            let trip = Duration.milliseconds(Int64.random(in: 0...2_000, using: &random))
            let sample = sample(roundTrip: trip, readAt: .random(in: 0...1, using: &random))
            let error = (noon + .seconds(5)).milliseconds - sample.time(at: start + .seconds(5)).milliseconds
            #expect(
                Duration.milliseconds(abs(error)) <= sample.uncertainty + .milliseconds(1),
                "seed \(seed)"
            )
        }
    }

    @Test func `the time never goes backwards, whatever is measured`() throws {
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            var clock = try #require(SharedClock([sample()], at: start))
            var (now, last) = (Duration.zero, noon)
            for _ in 0..<200 {
                now += .milliseconds(Int64.random(in: 0...3_000, using: &random))
                if Bool.random(using: &random) {
                    let offset = Duration.milliseconds(Int64.random(in: -5_000...5_000, using: &random))
                    clock.measure([sample(after: now, offset: offset)], at: start + now + .milliseconds(2))
                    now += .milliseconds(2)
                }
                let time = clock.time(at: start + now)
                #expect(time >= last, "seed \(seed)")
                last = time
            }
        }
    }

    @Test func `a clock that is ahead runs at half its speed until it is right`() throws {
        var clock = try #require(SharedClock([sample()], at: start))
        let at = start + .seconds(10) + .milliseconds(2)
        let change = clock.measure([sample(after: .seconds(10), offset: .milliseconds(-400))], at: at)
        #expect(change == .milliseconds(400))
        #expect(clock.state(at: at).error == .milliseconds(400) && clock.state(at: at).isDoubtful)
        #expect(clock.time(at: at + .milliseconds(400)) == noon + .milliseconds(10_202))
        #expect(clock.time(at: at + .seconds(2)) == noon + .milliseconds(11_602))
        #expect(clock.state(at: at + .seconds(2)).error == .zero)
    }

    @Test func `a server is doubtful over 250 ms and not ready over 2 s of uncertainty`() throws {
        for (trip, isDoubtful, isReady) in [(2, false, true), (600, true, true), (4_200, true, false)] {
            let trip = Duration.milliseconds(Int64(trip))
            let clock = try #require(SharedClock([sample(roundTrip: trip)], at: start + trip))
            let state = clock.state(at: start + trip)
            #expect(state.isDoubtful == isDoubtful && state.isReady == isReady)
        }
    }

    @Test func `a clock that isn't measured for a minute isn't ready`() throws {
        let clock = try #require(SharedClock([sample()], at: start))
        #expect(clock.state(at: start + .seconds(59)).isReady)
        #expect(!clock.state(at: start + .seconds(61)).isReady)
    }

    @Test func `a worse sample is ignored until the estimate is older than it is good`() throws {
        var clock = try #require(SharedClock([sample()], at: start))
        let worse = sample(after: .seconds(10), roundTrip: .milliseconds(500), offset: .milliseconds(200))
        #expect(clock.measure([worse], at: start + .milliseconds(10_500)) == .zero)
        let late = sample(after: .seconds(70), roundTrip: .milliseconds(500), offset: .milliseconds(200))
        #expect(clock.measure([late], at: start + .milliseconds(70_500)) == .milliseconds(200))
    }
}
