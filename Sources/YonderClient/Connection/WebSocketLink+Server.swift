import Logging
import NIOSSL
import YonderModel

extension WebSocketLink {
    /// Returns a function that connects to a server.
    ///
    /// - Throws: `invalidField` for an invalid server, token or certificate file.
    static func factory(
        server: String,
        token: String?,
        settings: ClientSettings
    ) throws(SharingError) -> LinkFactory {
        let address = try ServerAddress(server)
        if let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw SharingError(
                .invalidField,
                "token must be one or more visible ASCII characters without spaces."
            )
        }
        if token != nil, !address.isSecure, !address.isLoopback {
            settings.logger.warning("The token goes to the server without TLS.")
        }
        let tls = address.isSecure ? try tls(settings) : nil
        let link = Settings(address: address, token: token, tls: tls)
        return { () async throws(LinkClosure) in try await connect(link) }
    }

    private static func tls(_ settings: ClientSettings) throws(SharingError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let file = settings.certificateAuthority { configuration.trustRoots = .file(file) }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw SharingError(
                .invalidField,
                "certificateAuthority can't be used; it must be a file in PEM form: \(error)"
            )
        }
    }
}
