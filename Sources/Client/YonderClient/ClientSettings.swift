public import Logging

/// The settings of a client.
///
/// An app passes them to `SharingClient`; later changes have no effect. Names are public, defaults may change
/// (`make check-api`).
public struct ClientSettings: Sendable {
    /// The wait before each attempt to reconnect.
    public var backoff = Backoff()

    /// The most updates queued for a reader; a reader who falls behind further gets the whole list next.
    public var readerCapacity = 1_024

    /// A PEM file with the certificate of the authority that signed the server's certificate.
    ///
    /// For a server with a private authority; `nil` to trust the system's authorities. On Apple's systems it must be `nil`, and the
    /// authority is trusted in the device's settings.
    public var certificateAuthority: String?

    /// The logger of the client; logs nothing by default.
    public var logger = Logger(label: "yonder.client", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Creates the default settings.
    public init() {}
}
