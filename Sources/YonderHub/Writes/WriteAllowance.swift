import Synchronization
package import YonderModel

/// What one person may still write: shared by all their sessions, on every event loop, and by REST.
///
/// A person who exceeds a limit is refused for at least ``minimalRest``, whatever becomes free meanwhile. So of writes that a
/// client sends without waiting for answers, none behind a refused one is accepted before the client has learned of it.
package final class WriteAllowance: Sendable {
    private struct State {
        var messages: TokenBucket?
        var bytes: TokenBucket?
        var objects: TokenBucket?
        var restsUntil: ContinuousClock.Instant?
        var imports = 0
    }

    /// How long writing rests at least once a limit was exceeded.
    static let minimalRest = Duration.seconds(1)

    private let importLimit: Int
    private let state: Mutex<State>

    init(_ limits: WriteLimits) {
        importLimit = limits.imports
        state = Mutex(
            State(
                messages: limits.messages.map(TokenBucket.init),
                bytes: limits.bytes.map(TokenBucket.init),
                objects: limits.objects.map(TokenBucket.init)
            )
        )
    }

    /// Uses one message of so many bytes.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal, `tooManyRequests`, and nothing is used.
    package func useMessage(bytes: Int, at now: ContinuousClock.Instant = .now) -> SharingError? {
        use(at: now) { state in
            let wait = max(
                state.messages?.wait(at: now) ?? .zero,
                state.bytes?.wait(for: bytes, at: now) ?? .zero
            )
            guard wait == .zero else { return wait }
            _ = state.messages?.take(at: now)
            _ = state.bytes?.take(bytes, at: now)
            return nil
        }
    }

    /// Uses one object.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal, `tooManyRequests`, and nothing is used.
    package func useObject(at now: ContinuousClock.Instant = .now) -> SharingError? {
        use(at: now) { $0.objects?.take(at: now) }
    }

    private func use(
        at now: ContinuousClock.Instant,
        _ take: (inout State) -> Duration?
    ) -> SharingError? {
        let wait: Duration? = state.withLock { state in
            if let end = state.restsUntil {
                if end > now { return now.duration(to: end) }
                state.restsUntil = nil
            }
            guard let wait = take(&state) else { return nil }
            let rest = max(wait, Self.minimalRest)
            state.restsUntil = now + rest
            return rest
        }
        return wait.map { SharingError(.tooManyRequests, "You write too fast.", retryAfter: $0) }
    }

    /// Begins to import a file.
    ///
    /// - Returns: `nil` if it may be imported, and ``endImport()`` is owed; otherwise the refusal, `tooManyRequests`.
    package func beginImport() -> SharingError? {
        let isAdmitted = state.withLock { state in
            guard state.imports < importLimit else { return false }
            state.imports += 1
            return true
        }
        guard !isAdmitted else { return nil }
        return SharingError(
            .tooManyRequests,
            "You import \(importLimit) files already; wait until one of them is finished.",
            retryAfter: .seconds(1)
        )
    }

    /// Ends what ``beginImport()`` began.
    package func endImport() {
        state.withLock { $0.imports -= 1 }
    }

    /// Whether nothing is known of the person that a new allowance wouldn't say, too.
    func isUnused(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            let isResting = state.restsUntil.map { $0 > now } ?? false
            let areFull = [state.messages, state.bytes, state.objects].allSatisfy {
                $0?.isFull(at: now) ?? true
            }
            return !isResting && areFull && state.imports == 0
        }
    }
}
