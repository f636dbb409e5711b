public import YonderModel
package import YonderLink
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks a server, as one person, what isn't live: signing in, people, invitations and blocks.
///
/// What is live is asked by a `SharingClient` that is made of this client. Each call is one request. A call that changes
/// something isn't repeated by itself; one without an answer throws `unavailable`, and may have been carried out.
///
/// Errors that every call throws: `unavailable` if the server can't be reached or the device can't read its session now;
/// `notSignedIn` if the session ended, which is forgotten then; `tooManyRequests` with a time to wait.
///
/// An app makes one for its person; `SignInModel` and the other app models use it, and `SharingClient` is made of it
/// (`SharingClient+Session.swift`). Calls may be made from any task and side by side. An answer that can't be read is
/// `internalError`, or `unavailable` where a network's sign-in page may have answered. The files beside this one have a call
/// for each endpoint, with its errors.
///
/// Paths and members are those of `Documentation/rest.md`; a further member of an answer must be optional, as older servers
/// don't send it. `RESTClientTests` run calls against a real server.
public actor RESTClient {
    package nonisolated let links: Links

    /// The address of the server, as a ``Session`` has it.
    public nonisolated var server: String { links.address.url }
    package nonisolated let identity: any LinkIdentity

    /// The person's session, or `nil` for a client with a token.
    nonisolated let sessions: SessionKeeper?

    /// Creates a client for a person.
    ///
    /// They sign in once; the client keeps the session in a store of the app's.
    ///
    /// - Parameters:
    ///   - server: `https://host` or `http://host:port`, with the path in front of `/v1` if there is one.
    ///   - store: Where the session is kept.
    ///   - certificateAuthority: On Linux a PEM file with the certificate of a private authority that signed the server's certificate;
    ///     `nil` to trust the system's authorities, as on Apple's systems always.
    /// - Throws: `invalidField` for an invalid server or certificate file.
    public init(
        server: String,
        store: any SessionStore,
        certificateAuthority: String? = nil
    ) throws(SharingError) {
        self.init(links: try Links(server: server, certificateAuthority: certificateAuthority), store: store)
    }

    /// Creates a client for a program, which has a bearer token: good for everything but what changes a sign-in.
    ///
    /// - Parameters:
    ///   - server: `https://host` or `http://host:port`, with the path in front of `/v1` if there is one.
    ///   - token: The token.
    ///   - certificateAuthority: On Linux a PEM file with the certificate of a private authority that signed the server's certificate;
    ///     `nil` to trust the system's authorities, as on Apple's systems always.
    /// - Throws: `invalidField` for an invalid server, token or certificate file.
    public init(
        server: String,
        token: String,
        certificateAuthority: String? = nil
    ) throws(SharingError) {
        links = try Links(server: server, certificateAuthority: certificateAuthority)
        identity = try TokenIdentity(token)
        sessions = nil
    }

    /// Creates a client over connections that the caller makes.
    package init(links: Links, store: any SessionStore) {
        let keeper = SessionKeeper(store, of: links.address)
        (self.links, identity, sessions) = (links, keeper, keeper)
    }

    // MARK: - Asking

    /// Reads what the server has under a path.
    func get<Answer: Decodable>(_ path: String, limit: Int = LinkRequest.jsonLimit) async throws(SharingError)
        -> Answer
    {
        try read(try await answer(to: LinkRequest(.get, path, limit: limit)))
    }

    /// Changes something, and reads what the server answers.
    func change<Answer: Decodable>(
        _ method: LinkRequest.Method,
        _ path: String,
        _ body: some Encodable = NoFields()
    ) async throws(SharingError) -> Answer {
        try read(try await answer(to: request(method, path, body)))
    }

    /// Sends a request to which the server answers 204, without a body.
    ///
    /// - Throws: What every call throws, and the server's refusal; `unavailable` for another status, which isn't the server's.
    func change(
        _ method: LinkRequest.Method,
        _ path: String,
        _ body: some Encodable = NoFields()
    ) async throws(SharingError) {
        let answer = try await answer(to: request(method, path, body))
        guard answer.status == 204 else { throw SharingError(answer) }
    }

    /// Signs in: the session of the answer takes the place of any other one.
    func begin<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws(SharingError) -> Answer
    {
        try read(try await answer(to: request(.post, path, body), beginsSession: true))
    }

    private func request(_ method: LinkRequest.Method, _ path: String, _ body: some Encodable)
        throws(SharingError)
        -> LinkRequest
    {
        do {
            let json = [UInt8](try JSONEncoder().encode(body))
            return LinkRequest(
                method,
                path,
                headers: [LinkHeader("Content-Type", "application/json")],
                body: json
            )
        } catch {
            throw SharingError(.invalidField, "body must be what JSON can write: \(error)")
        }
    }

    /// Sends a request as the person, and keeps the cookies of the answer.
    ///
    /// - Parameters:
    ///   - request: The request, without the headers `Origin`, `Cookie` and `Authorization`.
    ///   - beginsSession: Whether the answer's cookies are a new session's. Those of another answer change the session that asked alone.
    /// - Returns: An answer whose status says that it was done.
    /// - Throws: What every call throws, and the server's refusal.
    func answer(to request: LinkRequest, beginsSession: Bool = false) async throws(SharingError) -> LinkAnswer
    {
        var request = request
        let headers = try await headers()
        request.headers += headers
        let answer: LinkAnswer
        do throws(LinkClosure) {
            answer = try await links.requests.answer(to: request)
        } catch {
            throw SharingError(closure: error)
        }
        await sessions?.take(answer.values("set-cookie"), for: headers, beginsSession: beginsSession)
        guard !(200..<300).contains(answer.status) else { return answer }
        let error = SharingError(answer)
        if answer.status == 401, error.code == .notSignedIn { await identity.refused(headers) }
        throw error
    }

    private func headers() async throws(SharingError) -> [LinkHeader] {
        if let sessions { return try await sessions.requestHeaders() }
        do throws(LinkClosure) {
            return try await identity.headers()
        } catch {
            throw SharingError(closure: error)
        }
    }

    func read<Answer: Decodable>(_ answer: LinkAnswer) throws(SharingError) -> Answer {
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        } catch {
            // A network's sign-in page may be sent in place of any answer.
            let code: SharingError.Code =
                answer.body.first == UInt8(ascii: "{") ? .internalError : .unavailable
            throw SharingError(code, "The server's answer can't be read: \(error)")
        }
    }
}

/// An empty object: what changes something by a cookie has a body in JSON.
struct NoFields: Encodable {}
