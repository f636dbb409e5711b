import Testing

@testable import YonderHub

@Suite struct ReadQueueTests {
    private func read(in lane: ReadLane) -> PendingRead {
        PendingRead(in: lane) { _ in }
    }

    @Test func `lanes take turns, however long one is`() {
        var queue = ReadQueue(limit: 100)
        let (long, short) = (ReadLane(limit: 100), ReadLane(limit: 100))
        for _ in 0..<20_000 { queue.append(read(in: long)) }
        for _ in 0..<3 { queue.append(read(in: short)) }
        let started = (0..<6).compactMap { _ in queue.next()?.lane }
        #expect(started.filter { $0 === short }.count == 3)
    }

    @Test func `a lane has so many reads under way, and the others wait`() {
        var queue = ReadQueue(limit: 100)
        let lane = ReadLane(limit: 2)
        let reads = (0..<5).map { _ in read(in: lane) }
        for read in reads { queue.append(read) }
        #expect(queue.next() === reads[0] && queue.next() === reads[1] && queue.next() == nil)
        queue.ended(reads[0])
        #expect(queue.next() === reads[2] && queue.next() == nil)
    }

    @Test func `all lanes together have so many reads under way`() {
        var queue = ReadQueue(limit: 3)
        let lanes = (0..<5).map { _ in ReadLane() }
        let reads = lanes.map { read(in: $0) }
        for read in reads { queue.append(read) }
        for index in 0..<3 { #expect(queue.next() === reads[index]) }
        #expect(queue.next() == nil)
        queue.ended(reads[1])
        #expect(queue.next() === reads[3])
    }

    @Test func `a queued read that is canceled is gone at once, and never starts`() {
        var queue = ReadQueue(limit: 1)
        let lane = ReadLane()
        var ended = 0
        for _ in 0..<1_000 {
            let read = read(in: lane)
            read.onEnd = { ended += 1 }
            queue.append(read)
            read.cancel()
            #expect(lane.queued.isEmpty)
        }
        #expect(ended == 1_000 && queue.next() == nil)
        let last = read(in: lane)
        queue.append(last)
        #expect(queue.next() === last)
    }
}
