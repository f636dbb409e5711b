/// The counts of a ``NATSClient`` since its start, for metrics.
package struct NATSCounts: Hashable, Sendable {
    /// Messages given to a connection.
    package var sent = 0

    /// Messages that came from a server.
    package var received = 0

    /// Messages that weren't sent, or were on their way when the connection ended.
    package var dropped = 0

    /// Connections after the first.
    package var reconnects = 0

    /// Bytes given to a connection, with the protocol's and without those of TLS.
    package var bytesSent = 0

    /// Bytes that came from a server, likewise.
    package var bytesReceived = 0

    package init() {}
}
