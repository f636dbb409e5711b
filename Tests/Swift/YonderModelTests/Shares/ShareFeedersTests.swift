import Testing
import YonderGeodesy
import YonderModel

@Suite struct ShareFeedersTests {
    private let start = Timestamp(milliseconds: 1_764_000_000_000)

    @Test func `the newest four sign-ins are kept, each once, and 0 is none`() {
        var feeders = ShareFeeders()
        feeders.add(0, at: start)
        #expect(feeders.isEmpty)
        for number in 1...6 {
            let time = start + .seconds(60 * Int64(number))
            for _ in 0..<2 { feeders.add(Int64(number), at: time) }
            #expect(!feeders.takes(Int64(number), at: time + .seconds(86_400)))
        }
        #expect(feeders.sources == [3, 4, 5, 6])
    }

    @Test func `sign-ins that take turns change a full list once a minute, also after the clock went back`() {
        var feeders = ShareFeeders()
        var changes = 0
        for second in 0..<600 {
            let source = Int64(second % 9 + 1)
            if feeders.takes(source, at: start + .seconds(Int64(second))) { changes += 1 }
            feeders.add(source, at: start + .seconds(Int64(second)))
        }
        #expect(changes == 4 + 9)
        #expect(feeders.takes(10, at: start - .seconds(3_600)))
    }

    @Test func `a stored list is read as it was, and a part of it that can't be read is left out`() {
        var feeders = ShareFeeders()
        for source in [1, .max, 77] as [Int64] { feeders.add(source, at: start) }
        #expect(feeders.bytes.count == 48)
        #expect(ShareFeeders(bytes: feeders.bytes) == feeders)
        #expect(ShareFeeders(bytes: Array(feeders.bytes.dropLast())).sources == [1, .max])
        #expect(ShareFeeders(bytes: []).isEmpty && ShareFeeders(bytes: [1, 2, 3]).isEmpty)
        #expect(ShareFeeders(bytes: Array(repeating: 7, count: 160)).sources.count == ShareFeeders.limit)
    }
}
