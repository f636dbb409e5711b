import NIOCore
import Testing

@testable import YonderHub

@Suite struct FlushScheduleTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test func `one flush is scheduled for all requests before it begins`() {
        var schedule = FlushSchedule(at: start, processor: 0)
        let requests = (0..<3).map { _ in schedule.request(at: start) }
        #expect(requests == [.soon, nil, nil] && schedule.isScheduled)
        schedule.began()
        #expect(schedule.request(at: start) == .soon, "what comes during a flush needs another one")
    }

    @Test func `an idle loop flushes at once`() {
        var schedule = FlushSchedule(at: start, processor: 0)
        let later = start + .milliseconds(100)
        schedule.ended(at: later, processor: 1_000_000)
        #expect(schedule.request(at: later) == .soon)
    }

    @Test func `a loop that can't keep up flushes 50 ms after its last flush`() {
        var schedule = FlushSchedule(at: start, processor: 0)
        let later = start + .milliseconds(100)
        schedule.ended(at: later, processor: 100_000_000)
        #expect(schedule.request(at: later) == .at(later + .milliseconds(50)))
        schedule.began()
        #expect(schedule.request(at: later + .milliseconds(50)) == .soon)
    }
}
