import Testing
import YonderSQLite

@testable import YonderStorage

struct StoreHealthTests {
    private let start = ContinuousClock.now

    @Test func `what failed last is what a reader is told, without a path`() {
        var health = StoreHealth()
        _ = health.fail(StoreTrouble(DatabaseError(resultCode: .inputOutput, message: "disk I/O error")))
        #expect(health.trouble.text == "The disk fails, with SQLite's code 10")
        _ = health.fail(StoreTrouble(DatabaseError(resultCode: .readOnly)))
        #expect(health.trouble == .readOnly)
        _ = health.fail(StoreTrouble(DatabaseError(resultCode: .full, message: "database or disk is full")))
        #expect(health.trouble == .full && health.trouble.text.hasPrefix("The disk is full"))
        // Without room for the reserve the disk is full, whatever failed before.
        _ = health.fail(StoreTrouble(DatabaseError(resultCode: .inputOutput)))
        health.recover(hasReserve: false)
        #expect(health.trouble == .full)
    }

    @Test
    func `invariant 1 of StoreHealth: after a failure nothing is written until the store has recovered`() {
        var health = StoreHealth()
        #expect(health.mayWrite(isErasing: false))
        do { let isFirst = health.fail(); #expect(isFirst) }
        #expect(!health.mayWrite(isErasing: false))
        #expect(!health.mayWrite(isErasing: true))
        health.recover(hasReserve: true)
        #expect(health.mayWrite(isErasing: false))
    }

    @Test
    func
        `invariant 2 of StoreHealth: without room for the reserve content is erased and nothing else is written`()
    {
        var health = StoreHealth()
        _ = health.fail()
        health.recover(hasReserve: false)
        #expect(health.state == .short)
        #expect(health.mayWrite(isErasing: true))
        #expect(!health.mayWrite(isErasing: false))
    }

    @Test func `a second failure in a row isn't the first`() {
        var health = StoreHealth()
        do { let isFirst = health.fail(); #expect(isFirst) }
        do { let isFirst = health.fail(); #expect(!isFirst) }
        health.recover(hasReserve: false)
        do { let isFirst = health.fail(); #expect(!isFirst) }
        health.recover(hasReserve: true)
        do { let isFirst = health.fail(); #expect(isFirst) }
    }

    @Test
    func `invariant 3 of StoreHealth: attempts come at once, then at pauses that double up to two seconds`() {
        var health = StoreHealth()
        do { let tries = health.attempt(at: start); #expect(!tries) }
        _ = health.fail()
        var (now, times) = (start, [Duration]())
        while times.count < 8 {
            if health.attempt(at: now) { times.append(now - start) }
            now = now.advanced(by: .milliseconds(50))
        }
        #expect(times == [0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100].map { .milliseconds($0) })
    }

    @Test
    func
        `invariants 1 and 2 of Erasure: erasures are gathered, and rounds keep their distance and the deadline`()
    {
        var erasure = Erasure()
        do { let since = erasure.begin(at: start); #expect(since == nil) }
        var (now, begun, last) = (start, [Duration](), Optional<ContinuousClock.Instant>.none)
        for second in 0..<300 {
            now = start.advanced(by: .seconds(second))
            erasure.note(at: now)
            guard let since = erasure.begin(at: now) else { continue }
            #expect(now - since < Erasure.deadline - .seconds(30))
            if let last { #expect(now - last >= Erasure.pause) }
            begun.append(now - start)
            erasure.succeed(at: now)
            last = now
        }
        #expect(begun.count >= 12)
    }

    @Test
    func
        `invariant 3 of Erasure: a round that was prevented is tried again less and less often, for the oldest erasure`()
    {
        var erasure = Erasure()
        erasure.note(at: start)
        var (now, attempts) = (start.advanced(by: .seconds(10)), [ContinuousClock.Instant]())
        while attempts.count < 8 {
            if let since = erasure.begin(at: now) {
                #expect(since == start)
                attempts.append(now)
                erasure.note(at: now)
                erasure.fail(since: since, at: now)
            }
            now += .milliseconds(100)
        }
        let pauses = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
        #expect(pauses == [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000].map { .milliseconds($0) })
        now += .seconds(8)
        do { let since = erasure.begin(at: now); #expect(since == start) }
        erasure.succeed(at: now)
        #expect(!erasure.isPending)
    }
}
