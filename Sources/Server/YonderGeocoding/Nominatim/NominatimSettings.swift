package import YonderModel
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The Nominatim server for addresses, and its rate limit.
///
/// `ServeSettings` reads `--geocoder` and its rate into one, where an error ends the start; `NominatimGeocoder` uses it.
/// The public server of OpenStreetMap may be asked once a second at most, by its rules: that limit must stay. Names of
/// settings are promised in `Documentation/configuration.md` (`UpstreamValueTests`).
package struct NominatimSettings: Hashable, Sendable {
    /// Its address without a slash at the end.
    let base: String

    /// Its host, which candidates name as their source.
    let host: String

    /// How many requests a second it gets at most.
    package private(set) var rate: Int

    /// How this server calls itself there.
    package var agent: String

    /// How long an answer may take.
    package var timeout: Duration = .seconds(5)

    /// How long a request may wait for its turn.
    package var patience: Duration = .seconds(3)

    /// How many bytes an answer may have.
    package var answerLimit = 512 * 1024

    /// How many answers are kept, of each kind, and how long.
    package var cacheCapacity = 1_000
    package var cacheLifetime: Duration = .seconds(24 * 60 * 60)

    /// Creates settings from an address like `https://nominatim.example.org` or `http://127.0.0.1:8088/nominatim`.
    ///
    /// One request a second goes there, unless `rate` says otherwise; to the servers of the OpenStreetMap Foundation
    /// never more, as their usage policy asks.
    ///
    /// - Throws: `invalidField`.
    package init(_ url: String, rate: Int? = nil, agent: String = "Yonder") throws(SharingError) {
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
            let host = parts.host, !host.isEmpty
        else {
            throw SharingError(.invalidField, "\(url) must be an http or https address.")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw SharingError(.invalidField, "\(url) must not have a user, a query or a fragment.")
        }
        let rate = rate ?? 1
        guard (1...1_000).contains(rate) else {
            throw SharingError(.invalidField, "The rate must be in 1…1000 requests a second; it is \(rate).")
        }
        base = String(url.reversed().drop { $0 == "/" }.reversed())
        self.host = host.lowercased()
        self.rate = Self.isPublic(host.lowercased()) ? 1 : rate
        self.agent = agent
    }

    private static func isPublic(_ host: String) -> Bool {
        host == "openstreetmap.org" || host.hasSuffix(".openstreetmap.org")
    }
}
