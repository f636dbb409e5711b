public import YonderModel
public import YonderGeodesy
import YonderLink

// Where a person is signed in. The list of a person's sessions, for apps, from any task. Beside the errors named they throw
// what every call does (`RESTClient`). An event of a kind that this version doesn't know is left out. Members are those of
// `/v1/me/sessions` (`Documentation/rest.md`, `RESTClientTests`). A further kind of event is a case of `AccountEvent`; the
// order is the server's.
extension RESTClient {
    /// Where the person is signed in, and what was changed of the sign-in, the newest first.
    public func sessions() async throws(SharingError) -> OwnSessions {
        let answer: OwnSessionsAnswer = try await get("/v1/me/sessions")
        return OwnSessions(
            sessions: answer.sessions.map(SignIn.init),
            events: answer.events.compactMap(AccountEvent.init)
        )
    }

    /// Ends one of the person's other sessions, and what is open by it.
    ///
    /// - Throws: `unknownSession`; `notAllowed` for this device's own, which ``signOut()`` ends.
    public func endSession(_ id: SignIn.ID) async throws(SharingError) {
        try await change(.delete, "/v1/me/sessions/\(Query.escaped(id))")
    }

    /// Ends all other sessions of the person.
    ///
    /// - Parameter tokens: Whether every other token ends, too.
    /// - Throws: `notAllowed` for a client with a token; and what every call throws.
    public func endOtherSessions(tokens: Bool = false) async throws(SharingError) {
        try await change(.delete, "/v1/me/sessions", TokensFields(tokens: tokens))
    }
}

/// Where a person is signed in, and what was changed of the sign-in.
public struct OwnSessions: Hashable, Sendable {
    /// The sessions, the newest first.
    public let sessions: [SignIn]

    /// The changes, the newest first, at most 50.
    public let events: [AccountEvent]
}

/// A session of the person's, on this device or on another.
public struct SignIn: Hashable, Sendable, Identifiable {
    /// Names the session.
    public let id: String

    /// The browser or the app, as far as the server knows.
    public let label: String

    /// The time of the sign-in.
    public let created: Timestamp

    /// When the session was last used, to about a minute, or `nil`.
    public let lastSeen: Timestamp?

    /// The address that it was last used from, of version 6 its network; or `nil`.
    public let network: String?

    /// Whether it is this device's.
    public let isCurrent: Bool
}

private struct OwnSessionsAnswer: Decodable {
    struct Session: Decodable {
        let id: String
        let label: String
        let created: Int64
        let lastSeen: Int64?
        let network: String?
        let current: Bool?
    }

    struct Event: Decodable {
        let time: Int64
        let change: String
        let by: String
        let network: String?
    }

    let sessions: [Session]
    let events: [Event]
}

extension SignIn {
    fileprivate init(_ answer: OwnSessionsAnswer.Session) {
        self.init(
            id: answer.id,
            label: answer.label,
            created: Timestamp(milliseconds: answer.created),
            lastSeen: answer.lastSeen.map { Timestamp(milliseconds: $0) },
            network: answer.network,
            isCurrent: answer.current ?? false
        )
    }
}

extension AccountEvent {
    /// `nil` for a change or an author that this version doesn't know.
    fileprivate init?(_ answer: OwnSessionsAnswer.Event) {
        guard let change = Change(rawValue: answer.change), let actor = Actor(rawValue: answer.by) else {
            return nil
        }
        self.init(
            time: Timestamp(milliseconds: answer.time),
            change: change,
            actor: actor,
            network: answer.network
        )
    }
}

private struct TokensFields: Encodable {
    let tokens: Bool
}
