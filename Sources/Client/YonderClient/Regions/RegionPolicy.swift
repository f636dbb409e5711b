/// Where the answer to a region query comes from.
///
/// A cached answer is shown only if it is exact: see ``RegionCache``.
///
/// An app chooses one for a `RegionQuery`, which asks both properties. Cases and raw values are public
/// (`RegionQueryFixtureTests`, the page's tests with the same fixtures).
public enum RegionPolicy: String, Hashable, Sendable, CaseIterable {
    /// Always asks the server, and doesn't cache.
    case remoteOnly

    /// Shows a cached answer at once, or fails if there is none. Never asks the server.
    case localOnly

    /// Shows a cached answer at once, then asks the server and caches the answer. If that fails, the shown
    /// answer stays.
    case localThenRemote

    /// Shows a cached answer at once; asks the server, and caches the answer, only if there is none.
    case localOrRemote

    /// Always asks the server, and caches the answer for queries with another policy.
    case remoteAndStore

    /// Whether cached answers are shown.
    var looksLocally: Bool {
        switch self {
        case .localOnly, .localThenRemote, .localOrRemote: true
        case .remoteOnly, .remoteAndStore: false
        }
    }

    /// Whether the server's answers are cached.
    var stores: Bool {
        switch self {
        case .localThenRemote, .localOrRemote, .remoteAndStore: true
        case .remoteOnly, .localOnly: false
        }
    }
}
