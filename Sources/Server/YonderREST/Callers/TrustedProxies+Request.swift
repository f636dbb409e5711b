package import HTTPTypes
package import NIOCore
package import YonderModel
package import YonderTransport

// Reads `--proxy`, and finds the client of a request behind trusted proxies, for `Authenticator`. What is trusted is
// decided in `TrustedProxies` (`ProxySettingTests`).

extension TrustedProxies {
    /// Reads addresses (`10.0.0.2`, `::1`) and networks (`10.0.0.0/8`) from an operator's setting.
    ///
    /// - Throws: `invalidField` for a text that is neither.
    package init(listing texts: [String]) throws(SharingError) {
        do throws(InvalidNetwork) {
            try self.init(texts)
        } catch {
            throw SharingError(
                .invalidField,
                "\(error.text) must be an address or a network, as 10.0.0.0/8."
            )
        }
    }

    /// The client that sent a request: the last hop that isn't a trusted proxy.
    package func client(of head: HTTPRequest, from peer: SocketAddress?) -> RequestOrigin {
        client(from: peer) { name in
            head.headerFields.filter { $0.name.canonicalName == name }.map(\.value)
        }
    }
}
