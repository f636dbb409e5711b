import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct TimeWindowTests {
    @Test
    func `every message between two times has a number in the range, also in logs whose times step back`() {
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            let log = Log(using: &random)
            for _ in 0..<20 {
                let window = log.window(using: &random)
                let range = log.range(of: window)
                let missed = log.times.indices.filter { index in
                    window.contains(log.times[index]) && !(range?.contains(Int64(index)) ?? false)
                }
                #expect(missed.isEmpty, "seed \(seed)")
            }
        }
    }

    @Test func `in a log in the order of its times the range has nothing else`() {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            var log = Log(using: &random)
            log.times.sort()
            log.stepBack = 0
            let window = log.window(using: &random)
            let expected = log.times.indices.filter { window.contains(log.times[$0]) }.map(Int64.init)
            #expect(log.range(of: window).map(Array.init) ?? [] == expected, "seed \(seed)")
        }
    }

    @Test func `a range of ten million numbers is found with two dozen looks at each end`() {
        var looks = 0
        let window = TimeWindow(
            from: Timestamp(milliseconds: 5_000_000),
            to: Timestamp(milliseconds: 5_000_010),
            stepBack: 0
        )
        let range = window.range(in: 1...10_000_000) { number in
            looks += 1
            return Timestamp(milliseconds: number)
        }
        #expect(range == 5_000_000...5_000_009 && looks <= 48)
    }

    @Test func `bounds at the ends of what a time can be don't overflow`() {
        let window = TimeWindow(
            from: Timestamp(milliseconds: .min),
            to: Timestamp(milliseconds: .max),
            stepBack: .max
        )
        #expect(window.range(in: 1...3) { Timestamp(milliseconds: $0) } == 1...3)
    }
}

/// The times of a log, at each number its own, and their largest step back.
private struct Log {
    var times: [Timestamp]
    var stepBack: Int64

    /// Times that mostly grow; now and then the clock is put back or forward.
    init(using random: inout SeededGenerator) {
        var clock = Int64(1_000)
        let count = Int.random(in: 1...60, using: &random)
        times = (0..<count).map { _ in
            clock += Int64.random(in: 0...20, using: &random)
            if Int.random(in: 0..<12, using: &random) == 0 {
                clock += Int64.random(in: -300...100, using: &random)
            }
            return Timestamp(milliseconds: clock)
        }
        var newest = Int64.min
        stepBack = 0
        for time in times {
            newest = max(newest, time.milliseconds)
            stepBack = max(stepBack, newest - time.milliseconds)
        }
    }

    func window(using random: inout SeededGenerator) -> TimeWindow {
        let bounds = (0..<2).map { _ in
            Timestamp(milliseconds: Int64.random(in: 500...2_500, using: &random))
        }.sorted()
        return TimeWindow(
            from: Int.random(in: 0..<5, using: &random) == 0 ? nil : bounds[0],
            to: Int.random(in: 0..<5, using: &random) == 0 ? nil : bounds[1],
            stepBack: stepBack
        )
    }

    func range(of window: TimeWindow) -> ClosedRange<Int64>? {
        window.range(in: 0...Int64(times.count - 1)) { times[Int($0)] }
    }
}

extension TimeWindow {
    fileprivate func contains(_ time: Timestamp) -> Bool {
        (from.map { time >= $0 } ?? true) && (to.map { time < $0 } ?? true)
    }
}
