/// The settings of a ``NATSClient``.
///
/// `BusSettings` makes them of flags, environment and file; tests set short times. `NATSClient` and its parts read them.
/// Each number here may be changed; `ping` times `missedPings` is after how long a dead server is noticed at the latest
/// (`NATSSessionTests`, `NATSBackoffTests`).
package struct NATSSettings: Sendable {
    /// The servers of one cluster, tried in turn; never empty.
    package let addresses: [NATSAddress]

    /// The client's name, as the server's monitoring shows it.
    package var name: String

    /// The key that proves which user this is, or `nil` for a server that asks for none.
    package var key: NKey?

    /// A file in PEM form with the certificates that may sign the server's, or `nil` for the system's.
    ///
    /// A server on loopback is verified only if there is a file.
    package var certificateAuthority: String?

    package var timing = NATSTiming()

    /// The most bytes of messages that wait to be sent.
    package var unsentLimit = 8 << 20

    /// The longest payload to take from a server, however much the server allows.
    package var payloadLimit = 8 << 20

    /// The most subscriptions at a time.
    package var subscriptionLimit = 100_000

    /// Creates settings for the servers of one cluster.
    ///
    /// - Returns: `nil` if there is no address.
    package init?(_ addresses: [NATSAddress], name: String = "yonder") {
        guard !addresses.isEmpty else { return nil }
        self.addresses = addresses
        self.name = name
    }
}

/// How long a ``NATSClient`` waits.
package struct NATSTiming: Hashable, Sendable {
    /// For the connection to an address.
    package var connecting: Duration = .seconds(3)

    /// From the connection to the server's answer that the client may begin, TLS included.
    package var greeting: Duration = .seconds(5)

    /// Between two `PING`s.
    package var ping: Duration = .seconds(10)

    /// The number of `PING`s without an answer after which the server counts as gone.
    package var missedPings = 2

    /// For the last messages when the client is closed.
    package var closing: Duration = .seconds(2)

    /// Before the second attempt to connect.
    package var shortestBackoff: Duration = .milliseconds(50)

    /// The longest wait between two attempts.
    package var longestBackoff: Duration = .seconds(2)

    package init() {}
}
