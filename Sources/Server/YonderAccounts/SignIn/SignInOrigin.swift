import YonderJSON
import YonderModel
import YonderRules

/// The network and the browser from which an attempt to sign in comes.
///
/// `RESTCall` makes one for each request that signs in, `Accounts` decides by it whose attempts count together. Headers
/// are a stranger's: a browser that isn't recognized has no name. What makes an origin known, its device or its network,
/// must stay: strangers' attempts would otherwise lock a user out (`AcquaintanceTests`). Names of browsers may be
/// changed.
package struct SignInOrigin: Sendable {
    /// The IPv4 address, or the IPv6 network.
    package let network: String

    /// The subnet of the address, by which it is recognized later.
    package let subnet: String

    /// The secret in the browser's device cookie, or `nil`.
    package let device: Secret?

    /// The browser's name for a list of sessions; may be empty.
    package let browser: String

    /// Creates an origin; `userAgent` is the browser's `User-Agent`.
    package init(network: String, subnet: String, device: Secret? = nil, userAgent: String = "") {
        self.network = network
        self.subnet = subnet
        self.device = device
        browser = BrowserName.text(userAgent)
    }
}

/// Whether the server knows the origin of an attempt, so that attempts of strangers don't count for known
/// origins.
enum Acquaintance: Hashable, Sendable {
    /// A browser with which the account was signed in before.
    case device(SecretHash)
    /// A network from which the account was signed in before.
    case network
    case stranger
}

/// The name of the browser in a `User-Agent`.
enum BrowserName {
    /// A name such as `Firefox on Linux`; empty if neither browser nor system is recognized.
    static func text(_ userAgent: String) -> String {
        // Names stand at the beginning.
        let bytes = userAgent.utf8.prefix(1_024)
        let browser = browsers.first { bytes.contains($0.mark) }?.name
        let system = systems.first { bytes.contains($0.mark) }?.name
        guard let browser else { return system ?? "" }
        return system.map { "\(browser) on \($0)" } ?? browser
    }

    // Many browsers include the names of others, so the first match counts.
    private static let browsers: [(mark: StaticString, name: String)] = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]

    private static let systems: [(mark: StaticString, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("CrOS", "ChromeOS"), ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]
}
