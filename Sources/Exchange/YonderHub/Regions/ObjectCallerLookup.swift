import YonderModel

/// How a session learns what its user may do with objects: asked of the store once, because it never changes.
///
/// ```
///   unknown ── next() is ask ──▶ asked ── answered ──▶ known
///      ▲                           │
///      └──── answered, failed ─────┘
/// ```
///
/// `Session` has one on its loop and performs the actions. It is a plain value. A failed question refuses the
/// subscriptions that wait, and the next one asks again. What an account may do changes only with its version, at which
/// the session ends: this must stay, or the answer would have to be asked for each time (`ObjectCallerLookupTests`).
struct ObjectCallerLookup {
    /// The step for a subscription that waits to be admitted.
    enum Action: Hashable {
        /// Admit it for this caller.
        case admit(ObjectCaller)
        /// Ask the store, and admit all that wait then.
        case ask
        /// Leave it to the answer that is on its way.
        case wait
    }

    private enum State {
        case unknown
        case asked
        case known(ObjectCaller)
    }

    private var state: State

    /// Creates the lookup of a session; without a user there is nothing to ask.
    init(isSignedIn: Bool) {
        state = isSignedIn ? .unknown : .known(.anyone)
    }

    /// What to do with a new subscription to objects.
    mutating func next() -> Action {
        switch state {
        case .known(let caller): return .admit(caller)
        case .asked: return .wait
        case .unknown:
            state = .asked
            return .ask
        }
    }

    /// Called when the store has answered; `nil` if it failed, so that the next subscription asks again.
    mutating func answered(_ caller: ObjectCaller?) {
        state = caller.map { .known($0) } ?? .unknown
    }
}
