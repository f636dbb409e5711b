/// The counts of a ``NATSClient`` since its start, for metrics.
///
/// `NATSOutbox` counts, and `NATSBus` makes its ``BusCounts`` of them. They only grow.
package struct NATSCounts: Hashable, Sendable {
    /// Messages given to a connection; those of them that were on their way when it ended count as ``dropped``, too.
    package var sent = 0

    /// Messages that came from a server.
    package var received = 0

    /// Messages that weren't given to a connection, or that a connection hadn't taken when it ended.
    package var dropped = 0

    /// Connections after the first.
    package var reconnects = 0

    /// Bytes given to a connection, with the protocol's and without those of TLS.
    package var bytesSent = 0

    /// Bytes that came from a server, likewise.
    package var bytesReceived = 0

    package init() {}
}
