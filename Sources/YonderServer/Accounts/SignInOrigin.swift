import YonderModel

/// Where an attempt to sign in comes from.
package struct SignInOrigin: Sendable {
    /// The address, or its network in version 6.
    package let network: String

    /// The network that the address is in, by which it is known again.
    package let subnet: String

    /// What the browser's device cookie has, or `nil`.
    package let device: Secret?

    /// Which browser it is, for a list of sessions; possibly empty.
    package let browser: String

    /// Creates an origin; `userAgent` is what the browser calls itself.
    package init(_ request: RequestOrigin, device: Secret? = nil, userAgent: String = "") {
        network = request.network
        subnet = request.subnet
        self.device = device
        browser = BrowserName.text(userAgent)
    }
}

/// How well the server knows where an attempt comes from: a stranger's attempts don't count for those it knows.
enum Acquaintance: Hashable, Sendable {
    /// A browser that the account was signed in with before.
    case device(SecretHash)
    /// A network that the account was signed in from before.
    case network
    case stranger
}

/// Which browser a `User-Agent` names, in words for its user.
enum BrowserName {
    /// Such as `Firefox on Linux`; empty if nothing of it is known.
    static func text(_ userAgent: String) -> String {
        let browser = browsers.first { userAgent.contains($0.mark) }?.name
        let system = systems.first { userAgent.contains($0.mark) }?.name
        guard let browser else { return system ?? "" }
        return system.map { "\(browser) on \($0)" } ?? browser
    }

    // Others' names stand in many a browser's: the first that fits is right.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]

    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("CrOS", "ChromeOS"), ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]
}
