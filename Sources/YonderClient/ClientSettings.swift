public import Logging

/// How a client behaves.
public struct ClientSettings: Sendable {
    /// How long to wait before connecting again.
    public var backoff = Backoff()

    /// How many updates may wait for a reader before they skip to now.
    public var readerCapacity = 1_024

    /// A PEM file with the certificate of the authority that the server's is signed by.
    ///
    /// For a server with an authority of its own; `nil` for those that the system trusts.
    public var certificateAuthority: String?

    /// Where it says what happens.
    public var logger = Logger(label: "yonder.client", factory: { _ in SwiftLogNoOpLogHandler() })

    /// The usual settings.
    public init() {}
}
