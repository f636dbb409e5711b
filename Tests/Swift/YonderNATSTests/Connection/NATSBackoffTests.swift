import Testing

@testable import YonderNATS

struct NATSBackoffTests {
    @Test func `addresses are tried in turn, and each round waits twice as long`() {
        var backoff = NATSBackoff(addresses: 2, timing: NATSTiming())

        let attempts = (0..<14).map { _ in backoff.next() }

        #expect(attempts.map(\.address) == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
        #expect(
            attempts.map(\.wait)
                == [50, 50, 100, 100, 200, 200, 400, 400, 800, 800, 1_600, 1_600, 2_000, 2_000].map(
                    Duration.milliseconds
                )
        )
    }

    @Test func `after a connection the next address has the shortest wait`() {
        var backoff = NATSBackoff(addresses: 3, timing: NATSTiming())
        for _ in 0..<100 { _ = backoff.next() }
        backoff.reset()
        #expect(backoff.next() == (1, .milliseconds(50)))
    }
}
