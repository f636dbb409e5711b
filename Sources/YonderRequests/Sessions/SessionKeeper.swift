import YonderLink
import YonderModel

/// The session of one client: read from its store once, changed by what the server answers.
actor SessionKeeper: LinkIdentity {
    private let store: any SessionStore
    private let origin: String
    private var session: Session?
    private var isRead = false

    /// - Parameters:
    ///   - store: Where the session is kept.
    ///   - address: The server.
    init(_ store: any SessionStore, of address: ServerAddress) {
        self.store = store
        origin = address.origin
    }

    /// Whether a person is signed in, as far as this device knows.
    ///
    /// - Throws: `unavailable` if the store can't be read now.
    var isSignedIn: Bool {
        get async throws(SharingError) {
            try await read()
            return session?.isSignedIn ?? false
        }
    }

    /// The headers of a request, also of one that signs in.
    func requestHeaders() async throws(SharingError) -> [LinkHeader] {
        try await read()
        guard let cookies = session?.cookieHeader else { return [LinkHeader("Origin", origin)] }
        return [LinkHeader("Origin", origin), LinkHeader("Cookie", cookies)]
    }

    func headers() async throws(LinkClosure) -> [LinkHeader] {
        do throws(SharingError) {
            guard try await isSignedIn else {
                throw SharingError(.notSignedIn, "Nobody is signed in on this device.")
            }
            return try await requestHeaders()
        } catch {
            // A store that can't be read now may be read later.
            throw error.code == .notSignedIn ? .refused(error) : .lost(error.message)
        }
    }

    /// Keeps the cookies of an answer.
    func take(_ fields: [String]) async throws(SharingError) {
        guard !fields.isEmpty else { return }
        try await read()
        var changed = session ?? Session(origin: origin, cookies: [:])
        changed.take(fields)
        guard changed != session else { return }
        session = changed
        try await store.keep(changed)
    }

    func refused(_ headers: [LinkHeader]) async {
        let sent = headers.first { $0.isNamed("Cookie") }?.value
        guard sent != nil, sent == session?.cookieHeader else { return }
        try? await forget()
    }

    /// Removes the session; the server knows the device no more than a new one.
    func forget() async throws(SharingError) {
        (session, isRead) = (nil, true)
        try await store.remove()
    }

    private func read() async throws(SharingError) {
        guard !isRead else { return }
        let kept = try await store.session()
        guard !isRead else { return }
        isRead = true
        session = kept?.origin == origin ? kept : nil
    }
}

extension Session {
    /// The names of the cookie that signs in, with TLS and without.
    private static let names = ["__Host-yonder", "yonder"]

    /// Whether the session has the cookie that signs in.
    var isSignedIn: Bool { Self.names.contains { cookies[$0] != nil } }
}
