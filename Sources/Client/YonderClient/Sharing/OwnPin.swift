import YonderWire

/// The caller's own pin in the world, and the rate at which its positions are sent.
///
/// Invariants:
///
/// 1. Between two calls of ``rested(isWritable:)`` at most one position is sent on a connection; of more, the newest.
/// 2. Each new connection is sent the pin.
/// 3. A position that the connection can't accept is sent after the rest.
///
/// `SharingClient` has one, calls it for `movePin`, each connection and each rest, and performs the actions. It can't fail.
/// ``interval`` may change with the documentation of `movePin(to:)`; the server's limit of pins a second must stay above it.
/// The invariants are tried by `OwnPinTests`.
struct OwnPin: Sendable {
    enum Action: Hashable, Sendable {
        case send(WorldPosition)

        /// Call ``OwnPin/rested(isWritable:)`` after ``OwnPin/interval``.
        case rest
    }

    /// The time between two positions.
    static let interval = Duration.milliseconds(100)

    private var position: WorldPosition?

    /// The position that this connection was sent last.
    private var sent: WorldPosition?

    private var isResting = false
    private var isConnected = false

    /// Whether the caller has a pin in the world.
    var isShown: Bool { position != nil }

    /// Shows the pin, or moves it.
    mutating func move(to position: WorldPosition, isWritable: Bool) -> [Action] {
        self.position = position
        return isResting ? [] : send(isWritable)
    }

    /// Removes the pin.
    mutating func remove() {
        position = nil
        sent = nil
    }

    /// Call this when the connection is open.
    mutating func connected(isWritable: Bool) -> [Action] {
        isConnected = true
        return send(isWritable)
    }

    /// Call this when the connection ended.
    mutating func disconnected() {
        isConnected = false
        isResting = false
        sent = nil
    }

    /// Call this when a rest is over.
    mutating func rested(isWritable: Bool) -> [Action] {
        isResting = false
        return position == sent ? [] : send(isWritable)
    }

    private mutating func send(_ isWritable: Bool) -> [Action] {
        guard isConnected, let position else { return [] }
        if isWritable { sent = position }
        let sending: [Action] = isWritable ? [.send(position)] : []
        guard !isResting else { return sending }
        isResting = true
        return sending + [.rest]
    }
}
