/// The other nodes, each with its last frame's number and the time at which that arrived.
///
/// A plain value. A node beyond the limit is received as new each time, which costs reads and loses nothing.
/// ``patience`` is several heartbeats, as one may be late or lost; it is promised in `Documentation/cluster.md` (decision
/// 32).
package struct NodeRoll: Sendable {
    /// How long a node may be silent: three of its heartbeats.
    package static let patience = Duration.seconds(3)

    /// The most nodes that are remembered; each frame of a further node is received as if it were the node's first.
    static let limit = 1_024

    private struct Entry {
        var number: UInt64
        var heard: ContinuousClock.Instant
    }

    /// How a frame's number follows the one before.
    package enum Reception: Hashable, Sendable {
        /// It follows the node's last frame.
        case next
        /// The node wasn't known.
        case new
        /// Frames before it were lost.
        case gap
        /// It was received before, or after a later one.
        case old
    }

    private let patience: Duration
    private var entries: [UInt64: Entry] = [:]

    /// Creates a roll without nodes.
    ///
    /// - Parameter patience: How long a node may be silent.
    package init(patience: Duration = patience) {
        self.patience = patience
    }

    /// The nodes that have sent a frame, and haven't left or gone silent since.
    package var nodes: Set<UInt64> { Set(entries.keys) }

    /// Whether a node is among them.
    package func knows(_ node: UInt64) -> Bool { entries[node] != nil }

    /// Receives a frame of a node.
    package mutating func receive(node: UInt64, number: UInt64, at now: ContinuousClock.Instant) -> Reception
    {
        guard let entry = entries[node] else {
            if entries.count < Self.limit { entries[node] = Entry(number: number, heard: now) }
            return .new
        }
        guard number > entry.number else { return .old }
        entries[node] = Entry(number: number, heard: now)
        return number - entry.number == 1 ? .next : .gap
    }

    /// Removes a node from the roll, after its `leaving` frame.
    package mutating func remove(_ node: UInt64) {
        entries[node] = nil
    }

    /// Removes and returns the nodes that have been silent for too long at `now`.
    package mutating func takeDead(at now: ContinuousClock.Instant) -> [UInt64] {
        let dead = entries.filter { $0.value.heard + patience < now }.map(\.key).sorted()
        for node in dead { entries[node] = nil }
        return dead
    }
}
