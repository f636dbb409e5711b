public import YonderModel

/// Keeps the stops that a client hasn't sent yet, across restarts.
///
/// An outbox that is a `StopStore`, too, as that of `YonderOutbox` is, keeps the stops of its client. An outbox belongs to one
/// person at one server: a client of another person never sends the stops in it, but would send the messages. A client calls it once at a
/// time.
///
/// `SharingClient+Stops.swift` calls it, and logs what it throws: the stop is sent all the same. `SQLiteOutboxStore`
/// implements it (`SQLiteStopStoreTests`); an app may, too.
public protocol StopStore: Sendable {
    /// Keeps a stop, in place of one with the same id. It is on disk when this returns.
    ///
    /// - Throws: `tooMany` if ``UnsentStop/limit`` others are kept; `unavailable`.
    func keep(_ stop: UnsentStop) async throws(SharingError)

    /// Forgets a stop that the server has; nothing if it isn't kept.
    ///
    /// - Throws: `unavailable`.
    func remove(stop id: String) async throws(SharingError)

    /// The stops that are kept, by the time of the tap.
    ///
    /// - Throws: `unavailable`.
    func stops() async throws(SharingError) -> [UnsentStop]

    /// Keeps which user was connected last.
    ///
    /// - Throws: `unavailable`.
    func setUser(_ user: UserID) async throws(SharingError)

    /// The user whose client over this store was connected last, or `nil` if none ever was.
    ///
    /// - Throws: `unavailable`.
    func user() async throws(SharingError) -> UserID?
}
