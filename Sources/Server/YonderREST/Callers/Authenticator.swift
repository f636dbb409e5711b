package import HTTPTypes
package import NIOCore
package import YonderAccounts
import YonderGeodesy
import YonderJSON
package import YonderModel
package import YonderRules
package import YonderTransport

/// Finds the caller of a request: by its bearer token, or else by the page's cookie.
///
/// Credentials in a query string are never accepted.
///
/// `RESTRoutes` asks it for each request and `StreamAdmission` for each upgrade, on any thread; it asks the store anew each
/// time, so that a sign-in that ended is refused at once. A request without a credential has no caller, which is no error;
/// one that isn't good throws. A cookie counts only for a request of the server's own page or a listed origin: this must
/// stay, or another site could act as the user.
///
/// `SessionTests`, `TokenTests` and `OriginTests` hold it.
package struct Authenticator: Sendable {
    private let store: any AccountStore
    private let origins: Origins
    private let proxies: TrustedProxies
    private let isTLS: Bool
    private let clock: ExpiryClock
    private let seen: @Sendable (CredentialUse) -> Void

    /// Creates an authenticator; `isTLS` states whether the server itself uses TLS, and `clock` decides when
    /// a sign-in expires.
    ///
    /// `seen` is called for every request with a valid sign-in.
    package init(
        store: any AccountStore,
        origins: Origins,
        proxies: TrustedProxies,
        isTLS: Bool,
        clock: ExpiryClock,
        seen: @escaping @Sendable (CredentialUse) -> Void = { _ in }
    ) {
        self.store = store
        self.origins = origins
        self.proxies = proxies
        self.isTLS = isTLS
        self.clock = clock
        self.seen = seen
    }

    /// The network from which a request came, for which its attempts are counted.
    package func origin(of head: HTTPRequest, from peer: SocketAddress?) -> RequestOrigin {
        proxies.client(of: head, from: peer)
    }

    /// The time by which sign-ins expire.
    var now: Timestamp { clock.now }

    /// Whether a user is an operator.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    package func isOperator(_ user: UserID) async throws(SharingError) -> Bool {
        try await store.account(user).isOperator
    }

    /// Whether the client used TLS, to the server or to a trusted proxy.
    package func isSecure(_ head: HTTPRequest, from peer: SocketAddress?) -> Bool {
        isTLS || proxies.client(of: head, from: peer).isForwardedSecurely
    }

    /// Whether a connection comes from a trusted proxy.
    package func isForwarded(_ peer: SocketAddress?) -> Bool {
        proxies.trusts(peer)
    }

    /// Returns the caller of a request, or `nil` if it has no credential.
    ///
    /// `isSafe` states whether the request only reads. For a request that changes data, and for a stream's
    /// upgrade, a cookie is accepted only from the server's own page or a listed origin.
    ///
    /// A token of the kind `accounts` is refused unless `acceptsAccountsToken`, so that no endpoint takes it by mistake.
    ///
    /// - Throws: `invalidCredentials` for an invalid token; `notAllowed` for a token of the kind `accounts`;
    ///   `forbiddenOrigin`; `unavailable`.
    package func caller(
        of head: HTTPRequest,
        from peer: SocketAddress?,
        isSafe: Bool,
        acceptsAccountsToken: Bool = false
    ) async throws(SharingError) -> Caller? {
        let origin = proxies.client(of: head, from: peer)
        let found: Caller?
        if head.headerFields.contains(.authorization) {
            found = try await bearer(head, acceptsAccountsToken)
        } else {
            let isSecure = isTLS || origin.isForwardedSecurely
            let cookie = SecretCookie.session.secret(in: head.headerFields, isSecure: isSecure)
            guard let cookie else { return nil }
            found = try await caller(cookie, .session)
            if found != nil, !isSafe { try checkOrigin(of: head, from: peer, isRequired: true) }
        }
        guard let caller = found else { return nil }
        seen(
            CredentialUse(
                credential: caller.credential,
                user: caller.user,
                time: clock.now,
                network: origin.network
            )
        )
        return caller
    }

    /// Refuses a request that a foreign page sent.
    ///
    /// `isRequired` states whether a request without an `Origin` is refused, too.
    ///
    /// - Throws: `forbiddenOrigin`.
    package func checkOrigin(
        of head: HTTPRequest,
        from peer: SocketAddress?,
        isRequired: Bool
    ) throws(SharingError) {
        let values = head.headerFields[values: .origin]
        if values.isEmpty, !isRequired { return }
        let isSecure = isSecure(head, from: peer)
        guard values.count == 1, origins.allows(values[0], authority: head.authority, isSecure: isSecure)
        else {
            throw SharingError(
                .forbiddenOrigin,
                "Origin must be this server's own, or one that its operator lists with --origin."
            )
        }
    }

    private func bearer(_ head: HTTPRequest, _ acceptsAccountsToken: Bool) async throws(SharingError)
        -> Caller?
    {
        let values = head.headerFields[values: .authorization]
        if values.count == 1, values[0].utf8.beginsIgnoringCase(with: "bearer "),
            let secret = Secret(values[0].utf8.dropFirst(7))
        {
            if let caller = try await caller(secret, .token) { return caller }
            if let caller = try await caller(secret, .accounts) {
                guard acceptsAccountsToken else { throw Self.accountsTokenOnly }
                return caller
            }
        }
        throw SharingError(
            .invalidCredentials,
            "Authorization must be Bearer and a valid token; this one is unknown or was removed."
        )
    }

    private static var accountsTokenOnly: SharingError {
        SharingError(
            .notAllowed,
            "This token changes other people's accounts below /v1/users, and may do nothing else."
        )
    }

    private func caller(_ secret: Secret, _ kind: Credential.Kind) async throws(SharingError) -> Caller? {
        let signIn = try await store.signIn(secret.hash, kind: kind, at: clock.now)
        return signIn.map {
            Caller(
                person: $0.user,
                credential: secret.hash,
                kind: kind,
                expires: $0.credential.expires,
                version: $0.version
            )
        }
    }
}
