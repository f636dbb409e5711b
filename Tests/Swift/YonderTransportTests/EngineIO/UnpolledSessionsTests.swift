import TestSupport
import Testing

@testable import YonderTransport

@Suite struct UnpolledSessionsTests {
    private let start = ContinuousClock.now

    private func sessions(
        bytes: Int = 100_000,
        bytesPerAddress: Int = 50_000,
        sessionsPerAddress: Int = 20
    ) -> UnpolledSessions {
        UnpolledSessions(
            UnpolledSessions.Limits(
                timeout: .seconds(45),
                sessionBytes: 1_000,
                bytes: bytes,
                bytesPerAddress: bytesPerAddress,
                sessionsPerAddress: sessionsPerAddress
            )
        )
    }

    @Test func `at an address's limit its own oldest session is closed`() {
        var sessions = sessions(sessionsPerAddress: 3)
        #expect(sessions.hold(0, for: .address("other"), 0, at: start) == [])
        for id in 1...3 { #expect(sessions.hold(id, for: .address("a"), 0, at: start) == []) }
        #expect(sessions.hold(4, for: .address("a"), 0, at: start) == [1])
        // What a client posts doesn't make its session a newer one.
        #expect(sessions.hold(2, for: .address("a"), 10, at: start) == [])
        #expect(sessions.hold(5, for: .address("a"), 0, at: start) == [2])
        #expect(sessions.count(of: .address("other")) == 1)
    }

    @Test func `data that waits for a client counts for its address`() {
        var sessions = sessions(bytesPerAddress: 10_000)
        for id in 1...5 { #expect(sessions.hold(id, for: .address("a"), 0, at: start) == []) }
        #expect(sessions.hold(5, for: .address("a"), 5_000, at: start) == [])
        #expect(sessions.bytes == 10_000)
        #expect(sessions.hold(4, for: .address("a"), 1_500, at: start) == [1, 2])
        #expect(sessions.bytes == 9_500)
    }

    @Test func `at the server's limit the address that holds the most makes room`() {
        var sessions = sessions(bytes: 20_000, sessionsPerAddress: 100)
        #expect(sessions.hold(0, for: .address("single"), 0, at: start) == [])
        var closed: [Int] = []
        for id in 1...1_000 {
            closed += sessions.hold(id, for: .address("flood \(id % 4)"), 0, at: start)
        }
        #expect(sessions.bytes == 20_000 && sessions.count == 20)
        #expect(sessions.count(of: .address("single")) == 1 && !closed.contains(0))
        // A flood from many addresses leaves each of them about the same.
        for address in 0..<4 { #expect((3...7).contains(sessions.count(of: .address("flood \(address)")))) }
    }

    @Test func `a session that isn't polled ends after its time`() {
        var sessions = sessions()
        _ = sessions.hold(1, for: .address("a"), 0, at: start)
        _ = sessions.hold(2, for: .address("a"), 0, at: start + .seconds(10))
        // It posts, and isn't polled.
        _ = sessions.hold(1, for: .address("a"), 100, at: start + .seconds(40))
        #expect(sessions.nextEnd == start + .seconds(45))
        #expect(sessions.expire(at: start + .seconds(44)) == [])
        #expect(sessions.expire(at: start + .seconds(45)) == [1])
        // It is polled, and then is here anew.
        sessions.release(2)
        _ = sessions.hold(2, for: .address("a"), 0, at: start + .seconds(50))
        #expect(sessions.expire(at: start + .seconds(60)) == [])
        #expect(sessions.nextEnd == start + .seconds(95))
    }

    @Test func `limits and sums hold after any calls`() {
        for seed in UInt64(0)..<50 {
            var random = SeededGenerator(seed: seed)
            var sessions = sessions(bytes: 30_000, bytesPerAddress: 12_000, sessionsPerAddress: 6)
            var held: [Int: (holder: String, bytes: Int)] = [:]
            for id in 0..<400 {
                let known = held.keys.sorted().randomElement(using: &random) ?? id
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    sessions.release(known)
                    held[known] = nil
                case 1 where held[known] != nil:
                    let bytes = Int.random(in: 0..<4_000, using: &random)
                    held[known]?.bytes = bytes
                    let closed = sessions.hold(known, for: .address("ignored"), bytes, at: start)
                    for over in closed { held[over] = nil }
                default:
                    let holder = "\(Int.random(in: 0..<8, using: &random))"
                    held[id] = (holder, 0)
                    for over in sessions.hold(id, for: .address(holder), 0, at: start) { held[over] = nil }
                }
                #expect(sessions.count == held.count, "seed \(seed)")
                let sums = Dictionary(grouping: held.values, by: \.holder).mapValues { own in
                    own.reduce(0) { $0 + $1.bytes + 1_000 }
                }
                #expect(sessions.bytes == sums.values.reduce(0, +), "seed \(seed)")
                #expect(sessions.bytes <= 30_000, "seed \(seed)")
                #expect(sums.values.allSatisfy { $0 <= 12_000 }, "seed \(seed)")
            }
        }
    }
}
