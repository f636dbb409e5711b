import Testing

@testable import YonderHub

@Suite struct SessionReadsTests {
    private func read() -> PendingRead { PendingRead(in: ReadLane()) { _ in } }

    @Test func `a session at its limit isn't received from, and is again when it falls below`() {
        var reads = SessionReads(limit: 2)
        let (a, b, c) = (read(), read(), read())
        let pauses = [reads.insert(a), reads.insert(b), reads.insert(c)]
        #expect(pauses == [false, true, true])
        let resumes = [a, b, c].map { reads.remove(ObjectIdentifier($0)) }
        #expect(resumes == [false, true, false], "one read above the limit, at the limit, and below it")
    }

    @Test func `a read that ends twice, or after all were taken, changes nothing`() {
        var reads = SessionReads(limit: 1)
        let (a, b) = (read(), read())
        _ = reads.insert(a)
        let ends = (0..<2).map { _ in reads.remove(ObjectIdentifier(a)) }
        #expect(ends == [true, false])
        _ = reads.insert(b)
        #expect(reads.takeAll().count == 1)
        let end = reads.remove(ObjectIdentifier(b))
        #expect(!end && reads.count == 0)
    }
}
