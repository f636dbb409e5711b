package import HTTPTypes
package import NIOCore
package import YonderModel

/// Finds out who stands behind a request: a bearer token, else the page's cookie, else nobody.
///
/// Nothing is read from a query string.
package struct Authenticator: Sendable {
    private let store: any AccountStore
    private let origins: Origins
    private let proxies: TrustedProxies
    private let isTLS: Bool
    private let clock: ExpiryClock
    private let seen: @Sendable (CredentialUse) -> Void

    /// Creates an authenticator; `isTLS` says whether the server itself speaks TLS, `clock` when a sign-in ends.
    ///
    /// `seen` is called for every request that comes with a good sign-in.
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

    /// Where a request came from, and whose attempts it counts for.
    package func origin(of head: HTTPRequest, from peer: SocketAddress?) -> RequestOrigin {
        proxies.client(of: head, from: peer)
    }

    /// Whether a user is an operator.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    func isOperator(_ user: UserID) async throws(SharingError) -> Bool {
        try await store.account(user).isOperator
    }

    /// Whether the client spoke TLS, to the server or to a listed proxy.
    package func isSecure(_ head: HTTPRequest, from peer: SocketAddress?) -> Bool {
        isTLS || proxies.client(of: head, from: peer).isForwardedSecurely
    }

    /// Whether a connection is a listed proxy's.
    func isForwarded(_ peer: SocketAddress?) -> Bool {
        proxies.trusts(peer)
    }

    /// Who stands behind a request, or `nil` if nobody does.
    ///
    /// `isSafe` says whether the request only reads. What changes something, a stream's upgrade included, takes
    /// a cookie only from the server's own page or a listed one.
    ///
    /// - Throws: `invalidCredentials` for a token that is not good; `forbiddenOrigin`; `unavailable`.
    package func caller(
        of head: HTTPRequest,
        from peer: SocketAddress?,
        isSafe: Bool
    ) async throws(SharingError) -> Caller? {
        let cookie = SecretCookie.session.secret(in: head.headerFields, isSecure: isSecure(head, from: peer))
        let found: Caller?
        if head.headerFields.contains(.authorization) {
            found = try await bearer(head)
        } else if let cookie {
            found = try await caller(cookie, .session)
            if found != nil, !isSafe { try checkOrigin(of: head, from: peer, isRequired: true) }
        } else {
            found = nil
        }
        guard let caller = found else { return nil }
        let network = proxies.client(of: head, from: peer).network
        seen(
            CredentialUse(credential: caller.credential, user: caller.user, time: clock.now, network: network)
        )
        return caller
    }

    /// Refuses a request that a foreign page sent.
    ///
    /// `isRequired` says whether one that names no page is refused, too.
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
            throw SharingError(.forbiddenOrigin, "Not a page of this server, nor of a listed origin.")
        }
    }

    private func bearer(_ head: HTTPRequest) async throws(SharingError) -> Caller? {
        let values = head.headerFields[values: .authorization]
        guard values.count == 1, values[0].prefix(7).lowercased() == "bearer ",
            let secret = Secret(values[0].dropFirst(7)), let caller = try await caller(secret, .token)
        else {
            throw SharingError(.invalidCredentials, "The token is not good.")
        }
        return caller
    }

    private func caller(_ secret: Secret, _ kind: Credential.Kind) async throws(SharingError) -> Caller? {
        let signIn = try await store.signIn(secret.hash, kind: kind, at: clock.now)
        return signIn.map {
            Caller(person: $0.user, credential: secret.hash, kind: kind, expires: $0.credential.expires)
        }
    }
}
