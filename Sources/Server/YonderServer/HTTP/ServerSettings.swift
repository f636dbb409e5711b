package import YonderAccounts
package import YonderHub
package import YonderTiles
package import YonderTransport

/// The operator's settings of the server.
///
/// `ServeSettings` makes one from flags, environment and file; `ServerAssembly` reads it once. Values are checked
/// before. Defaults are those that `Documentation/configuration.md` promises: change both (`test_command_line.py`). A
/// further setting is a property here and a name in `ServeSettings`.
///
/// Names of properties may be changed, defaults only together with that page.
package struct ServerSettings: Sendable {
    /// The address to listen on: an IP address or a host name.
    package var address: String

    /// The port to listen on; 0 for any free one.
    package var port: Int

    /// The foreign origins whose pages may send cookies.
    package var origins: Origins

    /// The proxies whose forwarding headers are trusted.
    package var proxies: TrustedProxies

    /// The certificate chain and its key, as PEM files, or `nil` for HTTP without TLS.
    package var certificate: Certificate?

    /// The most connections at once; above that, connections without an account are closed first.
    package var maxConnections: Int

    /// The most connections from one address without an account, or `nil` for the default of ``Admission``.
    package var maxAddressConnections: Int?

    /// The settings for connections.
    package var connections: ClientConnections.Settings

    /// The exchange's limits.
    package var hub: HubSettings

    /// The maps by name, served as `/tiles/NAME/…`.
    package var tiles: [String: TileSource] = [:]

    /// The maps that are offered to the page.
    package var map = MapOffer()

    /// Two files in PEM form.
    package struct Certificate: Hashable, Sendable {
        package var chain: String
        package var key: String

        package init(chain: String, key: String) {
            self.chain = chain
            self.key = key
        }
    }

    /// Creates the settings; each default is the safe one.
    package init(
        address: String = "127.0.0.1",
        port: Int = 8080,
        origins: Origins = .own,
        proxies: TrustedProxies = .none,
        certificate: Certificate? = nil,
        maxConnections: Int = 50_000,
        connections: ClientConnections.Settings = ClientConnections.Settings(),
        hub: HubSettings = HubSettings()
    ) {
        self.address = address
        self.port = port
        self.origins = origins
        self.proxies = proxies
        self.certificate = certificate
        self.maxConnections = maxConnections
        self.connections = connections
        self.hub = hub
        self.hub.page = WebFile.assetsHash
    }

    /// Whether only this machine can connect.
    package var isLocal: Bool {
        address == "localhost" || IPAddress(address)?.isLoopback ?? false
    }
}
