import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderObjects

@Suite struct TurnstileTests {
    @Test func `a caller is refused while the queue is full, and accepted afterward`() async throws {
        let turnstile = Turnstile(admitting: 1, waiting: 0)
        try await turnstile.pass(.server) { () async throws(SharingError) in
            let refusal = await #expect(throws: SharingError.self) { try await turnstile.pass(.server) {} }
            #expect(refusal?.code == .tooManyRequests && refusal?.retryAfter == .seconds(1))
        }
        try await turnstile.pass(.server) {}
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
                    try? await turnstile.pass(.server) {
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
                try await turnstile.pass(.server) { () async throws(SharingError) in throw .unknownEntity }
            }
            #expect(refusal?.code == .unknownEntity)
        }
    }

    /// A door that a test opens.
    private final class Door: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                defer { state = (true, []) }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    @Test func `however many strangers wait, a member is let in at once and never refused`() async throws {
        let turnstile = Turnstile(admitting: 2, waiting: 8)
        let (door, ann) = (Door(), try #require(UserID(1)))
        await withTaskGroup(of: Void.self) { tasks in
            for number in 0..<90 {
                tasks.addTask {
                    try? await turnstile.pass(.stranger("192.0.2.\(number)")) { await door.pass() }
                }
            }
            while turnstile.waiting < 8 { await Task.yield() }
            for _ in 0..<20 {
                await #expect(throws: Never.self) { try await turnstile.pass(.person(ann)) {} }
            }
            door.open()
        }
    }
}
