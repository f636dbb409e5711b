public import YonderGeodesy
public import YonderModel

/// The way to the world: it stays connected, passes on what happens, and shows the caller's pin.
///
/// `WorldModel` runs one and calls it; `StreamWorld` and `SocketIOWorld` make them, and an app may. Only the run throws,
/// after which `WorldModel` shows the reason. Events come on the main actor, in order, and begin with `connected`. A further
/// event needs its meaning in `WorldModel`; these are the messages of Socket.IO's world, which must stay (`WorldModelTests`).
public struct WorldChannel: Sendable {
    /// What happens in the world; the messages of Socket.IO, and the connection.
    public enum Event: Hashable, Sendable {
        /// There is a connection: these are the others who are there, `nil` for one without a position.
        case connected([String: Coordinate?])
        /// The connection was lost; the channel connects again.
        case disconnected
        /// `join`: another one is there, without a position yet.
        case joined(String)
        /// `update`: another one is at a place.
        case moved(String, Coordinate)
        /// `disappear`: another one left.
        case left(String)
    }

    /// Receives events, one after another.
    public typealias Receive = @MainActor @Sendable (Event) -> Void

    let run: @Sendable (_ receive: @escaping Receive) async throws(SharingError) -> Void
    let show: @Sendable (Coordinate) async -> Void
    let hide: @Sendable () async -> Void

    /// Creates a channel over any client.
    ///
    /// - Parameters:
    ///   - run: Connects, stays connected, and passes each event on until the task is canceled. Throws the error with which the
    ///     server refuses the world, such as `worldClosed`.
    ///   - show: Shows the caller's pin, or moves it: `location`. Without a connection it does nothing, and the model repeats the
    ///     call when there is one.
    ///   - hide: Takes the caller's pin away.
    public init(
        run: @escaping @Sendable (_ receive: @escaping Receive) async throws(SharingError) -> Void,
        show: @escaping @Sendable (Coordinate) async -> Void,
        hide: @escaping @Sendable () async -> Void
    ) {
        (self.run, self.show, self.hide) = (run, show, hide)
    }

    /// A channel that uses `other` where the server's world is closed to this channel.
    ///
    /// Socket.IO has no sign-in: a world that is open to members alone refuses it, and lets the same person in over the stream.
    ///
    /// - Parameter other: The other channel.
    /// - Returns: A channel that begins with this one at each run.
    public func or(_ other: WorldChannel) -> WorldChannel {
        WorldChannel(
            run: { [self] (receive) async throws(SharingError) in
                do throws(SharingError) {
                    try await run(receive)
                } catch {
                    guard error.code == .worldClosed else { throw error }
                    try await other.run(receive)
                }
            },
            show: { [self] place in
                await show(place)
                await other.show(place)
            },
            hide: { [self] in
                await hide()
                await other.hide()
            }
        )
    }
}
