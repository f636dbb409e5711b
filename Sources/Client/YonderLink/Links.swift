package import YonderModel

/// What says who a client is: the headers of its requests and of the stream's upgrade, read anew for each.
package protocol LinkIdentity: Sendable {
    /// The headers.
    ///
    /// - Throws: `lost` if they can't be read now; `refused` if nobody is signed in any more.
    func headers() async throws(LinkClosure) -> [LinkHeader]

    /// Call this when the server doesn't accept the identity of these headers.
    func refused(_ headers: [LinkHeader]) async
}

/// The connections to one server, over the network that the system has.
///
/// `SharingClient`, `RESTClient` and `SocketIOClient` have one each, for one server; tests make theirs of other connections.
/// Only an invalid server or certificate file throws at the creation; each opening has its own `OpenFailure` or
/// `LinkClosure`. That only a refusal with the server's own code ends a client must stay, or a hotel's sign-in page would
/// sign people out (`ConnectionStateTests`, `LinkSuiteTests`, `EndingTests`).
package struct Links: Sendable {
    package let address: ServerAddress

    /// Carries requests.
    package let requests: any RequestLink

    private let open: @Sendable (StreamTarget, [LinkHeader]) async throws(OpenFailure) -> any StreamLink

    /// - Parameters:
    ///   - server: `https://host` or `http://host:port`, with the path in front of `/v1` if there is one.
    ///   - certificateAuthority: On Linux a PEM file with the certificate of the authority that signed the server's certificate; `nil`
    ///     to trust the system's authorities, as on Apple's systems always.
    /// - Throws: `invalidField` for an invalid server or certificate file.
    package init(server: String, certificateAuthority: String?) throws(SharingError) {
        address = try ServerAddress(server)
        #if os(Linux)
        let network = try NetworkSettings(address, certificateAuthority: certificateAuthority)
        requests = NetworkRequestLink(network)
        open = { (target, headers) async throws(OpenFailure) in
            try await WebSocketLink.connect(network, target, headers)
        }
        #else
        guard certificateAuthority == nil else {
            throw SharingError(
                .invalidField,
                "certificateAuthority must be left out on this system; trust the authority in the device's settings."
            )
        }
        requests = SystemRequestLink(address)
        open = { [address] (target, headers) async throws(OpenFailure) in
            try await NetworkStreamLink.connect(address, target, headers)
        }
        #endif
    }

    /// Creates links over connections that the caller makes.
    package init(
        address: ServerAddress,
        requests: any RequestLink,
        open: @escaping @Sendable (StreamTarget, [LinkHeader]) async throws(OpenFailure) -> any StreamLink
    ) {
        self.address = address
        self.requests = requests
        self.open = open
    }

    /// Opens a WebSocket, with the headers of its request.
    package func webSocket(_ target: StreamTarget, _ headers: [LinkHeader]) async throws(OpenFailure)
        -> any StreamLink
    {
        try await open(target, headers)
    }

    /// Returns a function that opens a stream, as the identity of that time.
    ///
    /// A network that refuses to upgrade a connection doesn't say why, so the server is asked who is signed in.
    package func stream(as identity: any LinkIdentity) -> LinkFactory {
        { () async throws(LinkClosure) in
            let headers = try await identity.headers()
            do throws(OpenFailure) {
                let link = try await open(.stream, headers)
                guard !headers.isEmpty else { return link }
                return IdentifiedLink(link) { await identity.refused(headers) }
            } catch {
                if case .closed(let closure) = error { throw closure }
                let request = LinkRequest(.get, "/v1/session", headers: headers)
                let closure = LinkClosure(refusedAs: try await requests.answer(to: request), for: headers)
                if case .refused(let refusal) = closure, refusal.code == .notSignedIn {
                    await identity.refused(headers)
                }
                throw closure
            }
        }
    }
}

/// A connection of one identity, which hears when the server ends the connection because that identity is no more.
private struct IdentifiedLink: StreamLink {
    private let link: any StreamLink
    private let onEnd: @Sendable () async -> Void

    init(_ link: any StreamLink, onEnd: @escaping @Sendable () async -> Void) {
        (self.link, self.onEnd) = (link, onEnd)
    }

    func next() async throws(LinkClosure) -> [[UInt8]] {
        do throws(LinkClosure) {
            return try await link.next()
        } catch {
            if case .refused(let refusal) = error, refusal.code == .notSignedIn { await onEnd() }
            throw error
        }
    }

    func greetedAsNobody() async throws(LinkClosure) {
        await onEnd()
        throw .refused(SharingError(.notSignedIn, "The session ended."))
    }

    func write(_ text: [UInt8]) { link.write(text) }
    var isWritable: Bool { link.isWritable }
    func close() { link.close() }
}

extension LinkClosure {
    /// Reads why the server refused to upgrade a connection: from its answer to `GET /v1/session` with the headers of that connection.
    ///
    /// Only a refusal with one of the server's own codes ends anything: a proxy, a gateway or a network's sign-in page may answer 401 and
    /// 403, too, and the connection is tried again later.
    package init(refusedAs answer: LinkAnswer, for headers: [LinkHeader]) {
        let refusal = answer.refusal
        switch (answer.status, refusal?.code) {
        case (401, .notSignedIn?) where headers.isEmpty:
            self = .refused(
                SharingError(.notSignedIn, "The server shows its world to nobody who isn't signed in.")
            )
        case (401, .notSignedIn?) where headers.contains(where: { $0.isNamed("Cookie") }):
            self = .refused(SharingError(.notSignedIn, "The session ended."))
        case (401, .notSignedIn?), (401, .invalidCredentials?):
            self = .refused(SharingError(.invalidCredentials, "The server doesn't know this token."))
        case (403, .notAllowed?), (403, .accountDisabled?):
            self = refusal.map { .refused($0) } ?? .lost("The server refused the connection.")
        default:
            let reason =
                "The server didn't upgrade the connection; asked who is signed in, it answered \(answer.status)."
            self = answer.retryAfter.map { .later($0, reason) } ?? .lost(reason)
        }
    }
}
