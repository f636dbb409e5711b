package import YonderModel

/// Why a connection is no more.
package enum LinkClosure: Error, Hashable, Sendable {
    /// It broke, or could not be made.
    case lost(String)
    /// The server asks to come again later.
    case later(Duration, String)
    /// The server won't have this client: trying again can't help.
    case refused(SharingError)
}

/// Whether there is a connection, and what to do about it next.
struct ConnectionState: Sendable {
    enum Phase: Hashable, Sendable {
        case idle, connecting, greeting, connected, waiting
        case ended(SharingError)
    }

    enum Action: Hashable, Sendable {
        case connect
        case wait(Duration)
        case end(SharingError)
    }

    private(set) var phase = Phase.idle
    private var backoff: Backoff

    /// A connection that broke sooner after its greeting counts as a failure.
    static let settled = Duration.seconds(5)

    init(backoff: Backoff = Backoff()) {
        self.backoff = backoff
    }

    /// Begins, or begins again after a wait.
    mutating func begin() -> Action {
        if case .ended(let error) = phase { return .end(error) }
        phase = .connecting
        return .connect
    }

    /// The WebSocket is open.
    mutating func opened() {
        phase = .greeting
    }

    /// The server has said `hello`.
    mutating func greeted() {
        phase = .connected
    }

    /// There is no connection, or no longer one.
    ///
    /// - Parameters:
    ///   - closure: Why.
    ///   - lasted: How long ago the greeting was.
    ///   - generator: Draws the wait.
    /// - Returns: What to do next.
    mutating func closed(
        _ closure: LinkClosure,
        lasted: Duration = .zero,
        using generator: inout some RandomNumberGenerator
    ) -> Action {
        if phase == .connected, lasted >= Self.settled { backoff.reset() }
        let jitter = backoff.next(using: &generator)
        phase = .waiting
        switch closure {
        case .lost: return .wait(jitter)
        case .later(let wait, _): return .wait(max(.zero, wait) + jitter)
        case .refused(let error):
            phase = .ended(error)
            return .end(error)
        }
    }
}
