import YonderLink
import YonderModel

/// The session of one client: read from its store once, changed by what the server answers.
///
/// A store that can't write doesn't stop the client: what it didn't write is written before the next request.
///
/// `RESTClient` has one, asks it for headers before each request, and passes it the cookies of each answer; streams read the
/// same headers (`LinkIdentity`). Nothing but reading the store and forgetting throws, with `unavailable`. That an answer of
/// an older session changes nothing must stay, or a late answer would sign a person out again (`RESTClientTests`,
/// `FileSessionStoreTests`). Cookies are in `Session`, stores in `SessionStore`.
///
/// How writes are queued may change, as long as one begins after the other has ended.
actor SessionKeeper: LinkIdentity {
    private let store: any SessionStore
    private let origin: String
    private let path: String
    private var session: Session?
    private var isRead = false

    /// Whether the store has what is here.
    private(set) var isKept = true

    /// The last write, so that one begins when the one before has ended.
    private var writing: Task<SharingError?, Never>?

    /// - Parameters:
    ///   - store: Where the session is kept.
    ///   - address: The server.
    init(_ store: any SessionStore, of address: ServerAddress) {
        self.store = store
        (origin, path) = (address.origin, address.prefix)
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
        if !isKept { _ = await keep() }
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
    ///
    /// - Parameters:
    ///   - fields: The values of `Set-Cookie`.
    ///   - headers: The headers of the request. An answer to a session that was replaced or forgotten meanwhile changes nothing.
    ///   - beginsSession: Whether the answer's cookies are a new session's.
    func take(_ fields: [String], for headers: [LinkHeader], beginsSession: Bool) async {
        guard !fields.isEmpty, beginsSession || isCurrent(headers) else { return }
        var changed = session ?? Session(origin: origin, path: path, cookies: [:])
        changed.take(fields)
        guard changed != session else { return }
        session = changed
        isKept = false
        _ = await keep()
    }

    func refused(_ headers: [LinkHeader]) async {
        try? await forget(for: headers)
    }

    /// Whether a request was made as the session that is here now.
    private func isCurrent(_ headers: [LinkHeader]) -> Bool {
        Session.signIn(in: headers.first { $0.isNamed("Cookie") }?.value) == session?.signIn
    }

    /// Removes the session as which a request was made: for the server the device is a new one then.
    ///
    /// A session that took its place stays.
    ///
    /// - Throws: `unavailable` if the store couldn't remove it now. The client has forgotten it, and the store tries again later.
    func forget(for headers: [LinkHeader]) async throws(SharingError) {
        guard let session, session.signIn == nil || isCurrent(headers) else { return }
        self.session = nil
        isKept = false
        try await settle()
    }

    /// Has the store write what it has refused to.
    ///
    /// - Throws: `unavailable` if it still can't.
    func settle() async throws(SharingError) {
        if !isKept, let error = await keep() { throw error }
    }

    /// Has the store write what is here.
    ///
    /// - Returns: Why it couldn't.
    private func keep() async -> SharingError? {
        let before = writing
        let task = Task {
            _ = await before?.value
            return await write()
        }
        writing = task
        return await task.value
    }

    private func write() async -> SharingError? {
        guard !isKept else { return nil }
        let written = session
        do throws(SharingError) {
            if let written { try await store.keep(written) } else { try await store.remove() }
        } catch {
            return error
        }
        if session == written { isKept = true }
        return nil
    }

    private func read() async throws(SharingError) {
        guard !isRead else { return }
        let kept = try await store.session()
        guard !isRead else { return }
        isRead = true
        guard let kept, kept.origin == origin, kept.path == nil || kept.path == path else { return }
        session = kept
    }
}
