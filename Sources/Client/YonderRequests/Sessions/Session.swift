/// A person's sign-in at a server: what the server gave for it, and nothing that a person types.
///
/// A program that has the session acts as the person, until the person or an operator ends it. Keep it where other apps can't read it.
///
/// `SessionKeeper` makes and changes it, a `SessionStore` keeps it as JSON: keys must stay, and a further one must be
/// optional, as devices have such files (`FileSessionStoreTests`).
public struct Session: Hashable, Sendable, Codable {
    /// The scheme, host and port of the server, as `https://host:port`.
    public let origin: String

    /// The path in front of `/v1` at that server, without a slash at its end; `nil` in a session that an earlier version of this library
    /// kept.
    public let path: String?

    /// The cookies that the server set, by their names.
    public internal(set) var cookies: [String: String]

    /// Creates a session as a store kept it.
    public init(origin: String, path: String? = nil, cookies: [String: String]) {
        (self.origin, self.path) = (origin, path)
        self.cookies = cookies
    }

    /// The address of the server, for a ``RESTClient``.
    public var server: String { origin + (path ?? "") }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible {
    /// The server alone, so that no log has what signs in.
    public var description: String { "Session at \(server)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
