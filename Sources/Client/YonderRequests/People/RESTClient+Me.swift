import YonderLink
public import YonderModel

// The person: profile, settings and password. `MeModel` and `SignInModel` of the app models call these, and apps, from any
// task. Beside the errors named they throw what every call does (`RESTClient`). ``OwnChange`` sends only what was assigned,
// so that two devices don't undo each other's changes. Members are those of `/v1/me` (`Documentation/rest.md`); a further one
// is a property here and optional in the answer (`RESTClientTests`).
extension RESTClient {
    /// The person, as the server knows them now.
    public func me() async throws(SharingError) -> OwnAccount {
        let answer: OwnAccountAnswer = try await get("/v1/session")
        return OwnAccount(
            user: try User(answer.user),
            login: answer.login,
            isOperator: answer.operator,
            hasPassword: answer.password,
            tellsReads: answer.reads
        )
    }

    /// Changes what others see of the person.
    ///
    /// - Parameter change: Changes the fields; those that stay aren't sent.
    /// - Returns: The person after the change.
    /// - Throws: `invalidField`; `invalidCredentials` for a wrong ``OwnChange/currentPassword``.
    @discardableResult
    public func changeMe(_ change: (inout OwnChange) -> Void) async throws(SharingError) -> User {
        var fields = OwnChange()
        change(&fields)
        let answer: ChangedAnswer = try await self.change(.patch, "/v1/me", fields)
        return try User(answer.user)
    }

    /// Sets the password, and ends every other session.
    ///
    /// - Parameters:
    ///   - password: 8 to 1 000 characters.
    ///   - current: The present password, if there is one.
    ///   - tokens: Whether every other token ends, too.
    /// - Throws: `invalidField`; `invalidCredentials` for a wrong present password; `passwordNotChecked` for one that the
    ///   server can't check, more than 15 minutes after the sign-in.
    public func setPassword(
        _ password: String,
        current: String? = nil,
        endingTokens tokens: Bool = false
    ) async throws(SharingError) {
        try await change(
            .put,
            "/v1/me/password",
            PasswordFields(password: password, current: current, tokens: tokens)
        )
    }
}

/// The person who is signed in.
public struct OwnAccount: Hashable, Sendable {
    /// What others see.
    public let user: User

    /// The name that the person types at sign-in, or `nil`.
    public let login: String?

    /// Whether the person runs the server.
    public let isOperator: Bool

    /// Whether there is a password.
    public let hasPassword: Bool

    /// Whether others know how far the person has read, and the person how far they have.
    public let tellsReads: Bool
}

/// A change of what others see of the person: only what is assigned is sent.
public struct OwnChange: Sendable {
    private enum Value: Sendable {
        case text(String?)
        case flag(Bool)
        case number(Int)
    }

    private var fields: [String: Value] = [:]

    /// The name that others see.
    public var name: String? {
        get { text("name") }
        set { fields["name"] = newValue.map { .text($0) } }
    }

    /// The password of the person who has one, for a change of the e-mail address.
    public var currentPassword: String? {
        get { text("current") }
        set { fields["current"] = newValue.map { .text($0) } }
    }

    /// Sets the e-mail address, or removes it.
    public mutating func setEmail(_ email: String?) { fields["email"] = .text(email) }

    /// Sets the picture: an image of this server as ``RESTClient/path(of:)`` gives it, or an `https` address; or removes it.
    public mutating func setAvatar(_ avatar: String?) { fields["avatar"] = .text(avatar) }

    /// Sets the hue in which the person is drawn, in degrees of ``YonderModel/Hue/range``.
    public mutating func setHue(_ hue: Int) { fields["hue"] = .number(hue) }

    /// Sets whether others know how far the person has read.
    public mutating func setTellsReads(_ tells: Bool) { fields["reads"] = .flag(tells) }

    private func text(_ name: String) -> String? {
        if case .text(let text)? = fields[name] { text } else { nil }
    }
}

extension OwnChange: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes what was assigned.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in fields {
            let key = Key(stringValue: name)
            switch value {
            case .text(let text?): try container.encode(text, forKey: key)
            case .text(nil): try container.encodeNil(forKey: key)
            case .flag(let flag): try container.encode(flag, forKey: key)
            case .number(let number): try container.encode(number, forKey: key)
            }
        }
    }
}

private struct OwnAccountAnswer: Decodable {
    let user: UserAnswer
    let login: String?
    let `operator`: Bool
    let password: Bool
    let reads: Bool
}

private struct ChangedAnswer: Decodable {
    let user: UserAnswer
}

private struct PasswordFields: Encodable {
    let password: String
    let current: String?
    let tokens: Bool
}
