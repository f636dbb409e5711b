package import YonderModel

/// The state of the connection, and what to do next.
///
/// ```
///          begin()            opened()            greeted()
///   idle ──────────▶ connecting ──────▶ greeting ──────────▶ connected
///                     ▲   │                │                     │
///              begin()│   └────────────────┼─────────────────────┘
///                     │                    ▼ closed(…)
///                  waiting ◀───── lost, or later ──── refused ─────▶ ended
/// ```
///
/// Invariants:
///
/// 1. A closed connection is made again after a random wait, whose bound doubles with each failure up to a minute.
/// 2. Only a connection that lasted five seconds after its greeting resets the wait.
/// 3. A server that asks for time gets at least that time.
/// 4. `ended` is final: every later call answers with its error or changes nothing.
///
/// `ConnectionLoop` of the stream and `SocketIOClient` have one each; they perform its actions and pass it what happened. It
/// can't fail; a call that doesn't fit the phase changes nothing. The five seconds and the waits of `JitteredWait` may
/// change. That waits are random must stay, or all clients would come back at once after a restart (`ConnectionStateTests`).
package struct ConnectionState: Sendable {
    package enum Phase: Hashable, Sendable {
        case idle, connecting, greeting, connected, waiting
        case ended(SharingError)
    }

    package enum Action: Hashable, Sendable {
        case connect
        case wait(Duration)
        case end(SharingError)
    }

    package private(set) var phase = Phase.idle
    private var wait: JitteredWait

    /// A connection that ends sooner than this after its greeting counts as a failure.
    package static let settled = Duration.seconds(5)

    package init(wait: JitteredWait = JitteredWait()) {
        self.wait = wait
    }

    /// Begins to connect, at first or after a wait.
    package mutating func begin() -> Action {
        if case .ended(let error) = phase { return .end(error) }
        phase = .connecting
        return .connect
    }

    /// Call this when the connection is open.
    package mutating func opened() {
        if phase == .connecting { phase = .greeting }
    }

    /// Call this when the server has greeted the client, as with the stream's `hello`.
    package mutating func greeted() {
        if phase == .greeting { phase = .connected }
    }

    /// Call this when the connection ended or couldn't be made.
    ///
    /// - Parameters:
    ///   - closure: The reason.
    ///   - lasted: The time since the greeting.
    ///   - generator: The generator for the random wait.
    /// - Returns: What to do next.
    package mutating func closed(
        _ closure: LinkClosure,
        lasted: Duration = .zero,
        using generator: inout some RandomNumberGenerator
    ) -> Action {
        if case .ended(let error) = phase { return .end(error) }
        if phase == .connected, lasted >= Self.settled { wait.reset() }
        let jitter = wait.next(using: &generator)
        phase = .waiting
        switch closure {
        case .lost: return .wait(jitter)
        case .later(let asked, _): return .wait(max(.zero, asked) + jitter)
        case .refused(let error):
            phase = .ended(error)
            return .end(error)
        }
    }
}
