import YonderLink
public import YonderModel

// Signing in and out. `SignInModel` of the app models calls these, and apps, from any task. Beside the errors named they
// throw what every call does (`RESTClient`). A sign-in takes the place of any session; one that the store can't keep works
// until the process ends. That a link's secret is sent to its own server alone must stay (`secret(_:in:)`), and that this
// device forgets its session even without an answer (`RESTClientTests`, `SignInModelTests`). A further way to sign in is a
// function here, which calls `begin`, so that the session is kept.
extension RESTClient {
    /// Whether a person is signed in, as far as this device knows; the server isn't asked.
    ///
    /// - Throws: `unavailable` if the device can't read its session now, such as before the first unlock of a phone.
    public var isSignedIn: Bool {
        get async throws(SharingError) {
            guard let sessions else { return true }
            return try await sessions.isSignedIn
        }
    }

    /// Whether the session store has what this client has: `false` while the store refuses to keep a sign-in or to remove one.
    ///
    /// The client works on meanwhile, and has the store try again before each request. A sign-in that isn't kept is lost with the
    /// process.
    public var isSessionKept: Bool {
        get async { await sessions?.isKept ?? true }
    }

    /// Signs in with a link, which is good once.
    ///
    /// - Parameter link: The whole link, as in `https://host/#link=…`, or its secret alone.
    /// - Returns: The person.
    /// - Throws: `invalidCredentials` if the link isn't good any more; `invalidField` for a link of another server.
    @discardableResult
    public func signIn(link: String) async throws(SharingError) -> User {
        try await signIn(LinkFields(link: try secret("link", in: link)))
    }

    /// Signs in with a name and a password.
    ///
    /// - Parameters:
    ///   - login: The name that the person types, which the operator gave; not the name that others see.
    ///   - password: The password; it isn't kept.
    /// - Returns: The person.
    /// - Throws: `invalidCredentials`; `passwordNotChecked` if a server with more memory has set the password, and only a
    ///   link signs in.
    @discardableResult
    public func signIn(login: String, password: String) async throws(SharingError) -> User {
        try await signIn(PasswordFields(login: login, password: password))
    }

    private func signIn(_ fields: some Encodable) async throws(SharingError) -> User {
        try checkSession()
        let answer: SignedInAnswer = try await begin("/v1/session", fields)
        return try User(answer.user)
    }

    /// Signs out: the session ends at the server, and this device forgets it in any case.
    ///
    /// Stop the person's shares first, as `SharingClient.stopShares()` does: they run on without a session.
    ///
    /// - Throws: `unavailable` if the server wasn't told, where the session lasts until it is ended from elsewhere.
    public func signOut() async throws(SharingError) {
        try checkSession()
        guard let sessions, try await isSignedIn else {
            try await self.sessions?.settle()
            return
        }
        let headers = try await sessions.requestHeaders()
        do throws(SharingError) {
            try await change(.delete, "/v1/session")
        } catch {
            try await sessions.forget(for: headers)
            // Else it had ended.
            if error.code != .notSignedIn { throw error }
        }
        // A session that a sign-in has begun since the request was sent isn't removed.
        try await sessions.forget(for: headers)
    }

    /// - Throws: `notAllowed` for a client with a token.
    func checkSession() throws(SharingError) {
        guard sessions != nil else {
            throw SharingError(
                .notAllowed,
                "A client with a token has no session; make one with a session store."
            )
        }
    }

    /// The secret of a link of this server, as in `https://host/#name=SECRET`, or of text that is a secret.
    ///
    /// - Throws: `invalidField` for a link of another server.
    func secret(_ name: String, in text: String) throws(SharingError) -> String {
        guard let start = text.firstRange(of: "#\(name)=") else { return text }
        guard let server = try? ServerAddress(String(text[..<start.lowerBound])), server == links.address
        else {
            throw SharingError(.invalidField, "\(name) must be a link of \(links.address.url).")
        }
        return decoded(text[start.upperBound...])
    }
}

/// A text in which `%` and two hexadecimal digits stand for a byte; the text itself if it isn't one of UTF-8.
private func decoded(_ text: Substring) -> String {
    let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
    var bytes = Array(parts[0])
    for part in parts.dropFirst() {
        let digits = part.prefix(2)
        guard digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
            return String(text)
        }
        bytes.append(byte)
        bytes += part.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self) ?? String(text)
}

private struct LinkFields: Encodable {
    let link: String
}

private struct PasswordFields: Encodable {
    let login: String
    let password: String
}

private struct SignedInAnswer: Decodable {
    let user: UserAnswer
}
