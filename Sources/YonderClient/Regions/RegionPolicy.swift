/// Where the answer to a region query comes from.
///
/// What is kept is only shown where it is exact: see ``RegionCache``.
public enum RegionPolicy: String, Hashable, Sendable, CaseIterable {
    /// Always the server. Nothing is kept.
    case remoteOnly

    /// What is kept, at once, and a failure if there is nothing. The server is never asked.
    case localOnly

    /// What is kept, at once, then the server's answer, which is kept. If that fails, what was shown stays.
    case localThenRemote

    /// What is kept, at once; the server, whose answer is kept, only if there is nothing.
    case localOrRemote

    /// Always the server, whose answer is kept for those who look here.
    case remoteAndStore

    /// Whether what is kept is shown.
    var looksLocally: Bool {
        switch self {
        case .localOnly, .localThenRemote, .localOrRemote: true
        case .remoteOnly, .remoteAndStore: false
        }
    }

    /// Whether answers of the server are kept.
    var stores: Bool {
        switch self {
        case .localThenRemote, .localOrRemote, .remoteAndStore: true
        case .remoteOnly, .localOnly: false
        }
    }
}
