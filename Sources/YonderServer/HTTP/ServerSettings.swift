package import YonderHub

/// What an operator sets.
package struct ServerSettings: Sendable {
    /// Where to listen: an address or a host name.
    package var address: String

    /// At which port; 0 for any that is free.
    package var port: Int

    /// The pages from elsewhere that may use a cookie.
    package var origins: Origins

    /// The proxies whose word about a client is taken.
    package var proxies: TrustedProxies

    /// The certificate's chain and its key, as files in PEM form, or `nil` to speak HTTP without TLS.
    package var certificate: Certificate?

    /// How many connections there may be at once; beyond that those without an account give way.
    package var maxConnections: Int

    /// How many connections without an account one address may have, or `nil` for what ``Admission`` takes.
    package var maxAddressConnections: Int?

    /// How a connection is kept.
    package var connections: ChildChannel.Settings

    /// The exchange's limits.
    package var hub: HubSettings

    /// Maps by name, as `/tiles/NAME/…` serves them.
    package var tiles: [String: TileSource] = [:]

    /// What the page is told of maps.
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
        connections: ChildChannel.Settings = ChildChannel.Settings(),
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
