import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderObjects

@Suite struct TurnstileTests {
    @Test func `a caller is refused while the queue is full, and accepted afterward`() async throws {
        let turnstile = Turnstile(admitting: 1, waiting: 0)
        try await turnstile.pass { () async throws(SharingError) in
            let refusal = await #expect(throws: SharingError.self) { try await turnstile.pass {} }
            #expect(refusal?.code == .tooManyRequests && refusal?.retryAfter == .seconds(1))
        }
        try await turnstile.pass {}
    }

    /// How many were inside at once and altogether.
    private final class Tally: Sendable {
        private let state = Mutex((now: 0, most: 0, ever: 0))

        var most: Int { state.withLock { $0.most } }
        var ever: Int { state.withLock { $0.ever } }

        func enter() {
            state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.ever + 1) }
        }

        func leave() {
            state.withLock { $0.now -= 1 }
        }
    }

    @Test func `there are never more inside than there may be, and all get in`() async throws {
        let turnstile = Turnstile(admitting: 2, waiting: 100)
        let tally = Tally()
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<100 {
                tasks.addTask {
                    try? await turnstile.pass {
                        tally.enter()
                        await Task.yield()
                        tally.leave()
                    }
                }
            }
        }
        #expect(tally.ever == 100 && (1...2).contains(tally.most))
    }

    @Test func `a refusal inside is passed on and lets the next caller in`() async throws {
        let turnstile = Turnstile(admitting: 1, waiting: 0)
        for _ in 0..<3 {
            let refusal = await #expect(throws: SharingError.self) {
                try await turnstile.pass { () async throws(SharingError) in throw .unknownEntity }
            }
            #expect(refusal?.code == .unknownEntity)
        }
    }
}
