import TestSupport
import Testing
import YonderLink
import YonderModel

@Suite struct ConnectionStateTests {
    @Test func `invariant 1 of ConnectionState: waits grow to a minute, jittered over the whole range`() {
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            var jitter = JitteredWait()
            for failure in 0..<30 {
                let bound = min(60, 0.5 * Double(1 << min(failure, 20)))
                let wait = jitter.next(using: &random)
                #expect(wait >= .zero && wait <= .seconds(bound), "seed \(seed), failure \(failure)")
            }
        }
        var random = SeededGenerator(seed: 1)
        let waits = (0..<200).map { _ in
            var jitter = JitteredWait()
            return jitter.next(using: &random)
        }
        #expect(waits.contains { $0 < .milliseconds(50) } && waits.contains { $0 > .milliseconds(450) })
    }

    @Test func `invariant 1 of ConnectionState: a lost connection is made again after a wait`() {
        var random = SeededGenerator(seed: 1)
        var state = ConnectionState()
        #expect(state.begin() == .connect)
        state.opened()
        #expect(state.phase == .greeting)
        state.greeted()
        #expect(state.phase == .connected)
        guard case .wait(let wait) = state.closed(.lost("Cut."), using: &random) else {
            Issue.record("No wait.")
            return
        }
        #expect(wait <= .milliseconds(500))
        #expect(state.phase == .waiting)
        #expect(state.begin() == .connect)
    }

    @Test
    func
        `invariant 2 of ConnectionState: a connection that lasted forgives the failures before it, a short one doesn't`()
    {
        func longestWait(lasted: Duration) -> Duration {
            var random = SeededGenerator(seed: 7)
            var longest = Duration.zero
            var state = ConnectionState()
            for _ in 0..<50 {
                _ = state.begin()
                state.opened()
                state.greeted()
                guard case .wait(let wait) = state.closed(.lost(""), lasted: lasted, using: &random) else {
                    continue
                }
                longest = max(longest, wait)
            }
            return longest
        }
        #expect(longestWait(lasted: .seconds(6)) <= .milliseconds(500))
        #expect(longestWait(lasted: .seconds(1)) > .seconds(20))
    }

    @Test func `invariant 3 of ConnectionState: a server that asks for time gets it`() {
        var random = SeededGenerator(seed: 1)
        var state = ConnectionState()
        _ = state.begin()
        guard case .wait(let wait) = state.closed(.later(.seconds(90), ""), using: &random) else {
            Issue.record("No wait.")
            return
        }
        #expect(wait >= .seconds(90))
    }

    @Test func `invariant 4 of ConnectionState: a refusal ends it for good`() {
        var random = SeededGenerator(seed: 1)
        var state = ConnectionState()
        let error = SharingError(.invalidCredentials, "No.")
        _ = state.begin()
        #expect(state.closed(.refused(error), using: &random) == .end(error))
        #expect(state.begin() == .end(error))
        state.opened()
        state.greeted()
        #expect(state.closed(.lost("Cut."), using: &random) == .end(error))
        #expect(state.phase == .ended(error))
    }

    @Test func `a close frame that ends the session ends the client`() {
        let ended = LinkClosure(code: 1008, reason: "notSignedIn")
        guard case .refused(let error) = ended else {
            Issue.record("\(ended)")
            return
        }
        #expect(error.code == .notSignedIn)
        guard case .lost = LinkClosure(code: 1008, reason: "slowReader"),
            case .lost = LinkClosure(code: nil, reason: "")
        else {
            Issue.record("A slow reader may come back.")
            return
        }
    }
}
