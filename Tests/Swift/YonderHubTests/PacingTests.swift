import Testing

@testable import YonderHub

@Suite struct PacingTests {
    @Test func `an idle loop delivers at once`() {
        var pacing = Pacing(wall: 0, processor: 0)
        for round in Int64(1)...100 {
            #expect(pacing.flushed(wall: round * 10_000_000, processor: round * 1_000_000) == 0)
        }
    }

    @Test func `a loop over half busy waits up to 20 ms between flushes`() {
        var pacing = Pacing(wall: 0, processor: 0)
        var wait: Int64 = 0
        for round in Int64(1)...100 {
            wait = pacing.flushed(wall: round * 10_000_000, processor: round * 7_500_000)
        }
        #expect((5_000_000...20_000_000).contains(wait))
    }

    @Test func `a loop that can't keep up waits 50 ms between flushes`() {
        var pacing = Pacing(wall: 0, processor: 0)
        var wait: Int64 = 0
        for round in Int64(1)...100 {
            wait = pacing.flushed(wall: round * 10_000_000, processor: round * 10_000_000)
        }
        #expect(wait == 50_000_000)
    }

    @Test func `a wait never shrinks as the loop gets busier`() {
        let waits = (0...100).map { Pacing.wait(busy: Double($0) / 100) }
        #expect(waits == waits.sorted())
        #expect(waits.first == 0 && waits.last == 50_000_000)
    }
}
