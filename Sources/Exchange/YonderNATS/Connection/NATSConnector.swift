import NIOCore
import NIOPosix
import NIOSSL

/// Opens connections, and has what TLS needs.
///
/// `NATSClient` makes one, connects for each attempt of `NATSSession`, and adds the handler of TLS when the session says
/// so. A connection that isn't open within the timeout fails; each error becomes a ``NATSError``, `insecure` if it is of
/// TLS. That nothing is read before the owner asks must stay: bytes of before TLS would be mixed in. So must the least
/// version, TLS 1.2, and that a server beyond loopback is verified (decision 31, `NATSClientTests`).
struct NATSConnector: Sendable {
    private let timeout: Duration

    /// For every server that is verified; `nil` if none is.
    private let verified: NIOSSLContext?

    /// For a server on loopback, where no file says which certificates to trust.
    private let unverified: NIOSSLContext?

    /// - Throws: `invalidCertificate` if the file of certificates can't be read.
    init(_ settings: NATSSettings) throws(NATSError) {
        timeout = settings.timing.connecting
        do {
            let isVerified =
                settings.certificateAuthority != nil || settings.addresses.contains { !$0.isLoopback }
            verified = isVerified ? try Self.context(trusting: settings.certificateAuthority) : nil
            unverified = settings.certificateAuthority == nil ? try Self.unverifiedContext() : nil
        } catch {
            let file = settings.certificateAuthority ?? "the system's certificates"
            throw NATSError(.invalidCertificate, "\(file) can't be used; it must be in PEM form: \(error)")
        }
    }

    private static func context(trusting file: String?) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let file { tls.trustRoots = .file(file) }
        return try NIOSSLContext(configuration: tls)
    }

    private static func unverifiedContext() throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = .certificates([])
        tls.certificateVerification = .none
        return try NIOSSLContext(configuration: tls)
    }

    /// Connects to an address; the channel has a handler, and doesn't read before it is asked to.
    func connect(
        _ address: NATSAddress,
        on eventLoop: any EventLoop,
        _ handler: @escaping @Sendable () -> NATSHandler
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler())
                }
            }
            .connect(host: address.host, port: address.port)
    }

    /// Makes the handler of TLS for a connection to an address.
    func tlsHandler(_ address: NATSAddress) throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: address.host, port: address.port)) != nil
        guard let context = address.isLoopback ? unverified ?? verified : verified else {
            throw NATSError(.insecure, "There are no certificates to trust for \(address).")
        }
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : address.host)
    }

    /// The reason that an error of a channel stands for.
    func error(_ error: any Error, _ address: NATSAddress, isOpen: Bool) -> NATSError {
        if let fault = error as? NATSFault { return NATSError(fault) }
        if let error = error as? NATSError { return error }
        let isOfTLS =
            error is NIOSSLExtraError || error is BoringSSLError
            || (error as? NIOSSLError)?.isOfHandshake == true
        guard isOfTLS, !isOpen else {
            let first = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
            return NATSError(.unavailable, "The connection to the NATS server \(address) failed: \(first)")
        }
        return NATSError(.insecure, "TLS with the NATS server \(address) failed: \(error)")
    }
}

extension NIOSSLError {
    fileprivate var isOfHandshake: Bool {
        switch self {
        case .handshakeFailed, .unableToValidateCertificate, .noCertificateToValidate: true
        default: false
        }
    }
}
