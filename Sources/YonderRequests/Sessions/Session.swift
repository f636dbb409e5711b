/// A person's sign-in at a server: what the server gave for it, and nothing that a person types.
///
/// A program that has the session acts as the person, until the person or an operator ends it. Keep it where other apps can't read it.
public struct Session: Hashable, Sendable, Codable {
    /// The server, as `https://host:port`.
    public let origin: String

    /// The cookies that the server set, by their names.
    public internal(set) var cookies: [String: String]

    /// Creates a session as a store kept it.
    public init(origin: String, cookies: [String: String]) {
        self.origin = origin
        self.cookies = cookies
    }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible {
    /// The server alone, so that no log has what signs in.
    public var description: String { "Session at \(origin)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
