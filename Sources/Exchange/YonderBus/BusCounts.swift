/// Counts of a bus since its start.
///
/// Names of the metrics are promised in `Documentation/operations.md`.
package struct BusCounts: Hashable, Sendable {
    /// The frames of this node that were given to a connection; some of them may count as ``dropped``, too.
    package var sent: Int

    /// The frames of other nodes that were received.
    package var received: Int

    /// The received frames that couldn't be read; what they had is read from the store.
    package var unreadable = 0

    /// The frames of this node that weren't sent, or were being sent when a connection ended.
    package var dropped: Int

    /// The number of connections after the first.
    package var reconnects: Int

    /// Creates counts.
    package init(sent: Int = 0, received: Int = 0, dropped: Int = 0, reconnects: Int = 0) {
        self.sent = sent
        self.received = received
        self.dropped = dropped
        self.reconnects = reconnects
    }
}
