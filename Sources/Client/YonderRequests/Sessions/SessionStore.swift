import Synchronization
public import YonderModel

/// A place on this device where an app keeps the signed-in person's session.
///
/// An app gives a store to ``RESTClient``. A store holds one session.
///
/// `SessionKeeper` alone calls it: ``session()`` once, ``keep(_:)`` after each change, one call at a time. A store that
/// throws when it reads is asked again, and is never taken for *signed out*; one that throws when it writes is asked again
/// before the next request. `KeychainSessionStore`, `FileSessionStore` and `MemorySessionStore` implement it, and apps may
/// (`RESTClientTests`).
public protocol SessionStore: Sendable {
    /// The session, or `nil` if nobody is signed in.
    ///
    /// - Throws: `unavailable` if it can't be read now, such as before the first unlock of a phone: that isn't *signed out*.
    func session() async throws(SharingError) -> Session?

    /// Keeps a session in place of the one before.
    ///
    /// - Throws: `unavailable` if it can't be kept.
    func keep(_ session: Session) async throws(SharingError)

    /// Removes the session; does nothing without one.
    ///
    /// - Throws: `unavailable` if it can't be removed.
    func remove() async throws(SharingError)
}

/// A session that is lost when the process ends.
public final class MemorySessionStore: SessionStore {
    private let kept: Mutex<Session?>

    /// Creates a store with a session, or without one.
    public init(_ session: Session? = nil) {
        kept = Mutex(session)
    }

    /// The session.
    public func session() -> Session? { kept.withLock(\.self) }

    /// Keeps a session.
    public func keep(_ session: Session) {
        kept.withLock { $0 = session }
    }

    /// Removes the session.
    public func remove() {
        kept.withLock { $0 = nil }
    }
}
