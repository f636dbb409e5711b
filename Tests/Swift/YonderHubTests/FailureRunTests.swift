import Testing

@testable import YonderHub

@Suite struct FailureRunTests {
    @Test func `failures each second for a day are thirty lines, and the end of them is one`() {
        var run = FailureRun()
        let start = ContinuousClock.now
        let logged = (0..<86_400).compactMap { second in run.failed(at: start + .seconds(second)) }
        // At 0, 1, 3, 7, 15, 31, 63 minutes, and then each hour.
        #expect(logged.prefix(7) == [1, 61, 181, 421, 901, 1_861, 3_781])
        #expect(logged.count == 29)
        #expect(run.succeeded() == 86_400)
        #expect(run.succeeded() == nil)
    }

    @Test func `the next run is logged from its first failure on`() {
        var run = FailureRun()
        let start = ContinuousClock.now
        #expect(run.failed(at: start) == 1)
        #expect(run.failed(at: start + .seconds(1)) == nil)
        #expect(run.succeeded() == 2)
        #expect(run.failed(at: start + .seconds(2)) == 1)
    }
}
