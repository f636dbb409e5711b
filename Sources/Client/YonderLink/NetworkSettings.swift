#if os(Linux)
import NIOCore
import NIOSSL
import YonderClientTrait
import YonderModel

/// The server that NIO's connections lead to, and how they are secured.
///
/// On Linux `Links` makes one for a server, and each connection reads it; tests make shorter times. Only a certificate file
/// that can't be read throws. The times may change, within the server's: it answers pings, and closes a connection that is
/// silent for longer (`LinkSuiteTests`, `Documentation/connections.md`). That a server's certificate is checked must stay.
struct NetworkSettings: Sendable {
    let address: ServerAddress
    private let tls: NIOSSLContext?

    /// The longest time to connect and to be greeted.
    var timeout: TimeAmount = .seconds(15)

    /// The longest time without a byte in either direction: of a stream, after which the server is pinged; of a request.
    var silence: TimeAmount = .seconds(40)

    /// The longest time for a request and its answer.
    var deadline: TimeAmount = .minutes(5)

    /// - Throws: `invalidField` for an invalid certificate file.
    init(_ address: ServerAddress, certificateAuthority: String?) throws(SharingError) {
        self.address = address
        tls = address.isSecure ? try Self.context(certificateAuthority) : nil
    }

    private static func context(_ certificateAuthority: String?) throws(SharingError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let file = certificateAuthority { configuration.trustRoots = .file(file) }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw SharingError(
                .invalidField,
                "certificateAuthority can't be used; it must be a file in PEM form: \(error)"
            )
        }
    }

    /// A handler for TLS, or `nil` for a server without it.
    func tlsHandler() throws -> NIOSSLClientHandler? {
        guard let tls else { return nil }
        let isAddress = (try? SocketAddress(ipAddress: address.host, port: address.port)) != nil
        return try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : address.host)
    }
}
#endif
