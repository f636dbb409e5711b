package import YonderModel

/// A caller as a queue of shared work sees them: the requests of one caller wait behind one another, and those of known callers apart
/// from strangers'.
package enum TurnTaker: Hashable, Sendable {
    /// A person or an app.
    case writer(Writer)

    /// Everyone without an account at one network address.
    case stranger(String)

    /// The server itself, and the user who runs it.
    case server

    /// A person, over all their connections.
    package static func person(_ user: UserID) -> TurnTaker { .writer(.person(user)) }

    /// Whether the server knows the caller.
    package var isKnown: Bool {
        if case .stranger = self { false } else { true }
    }
}
