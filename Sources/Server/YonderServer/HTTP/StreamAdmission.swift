import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import YonderAccounts
import YonderHub
import YonderJSON
import YonderModel
import YonderREST
import YonderTransport

/// Controls access to the stream.
///
/// `ServerAssembly` makes one; `ClientConnections` calls ``decide(_:)`` for each upgrade, and the router answers
/// requests that were refused. A refusal is an answer of REST with its reason; a store that doesn't answer is
/// `unavailable`.
///
/// That a browser's upgrade needs an origin of this server must stay: otherwise another page could use the cookie
/// (`StreamAdmissionTests`, `Documentation/stream.md`). Who may connect is decided by `Authenticator`.
struct StreamAdmission: Sendable {
    private let authenticator: Authenticator
    private let endpoint: StreamEndpoint
    private let isOpen: Bool

    /// Creates the control; `isOpen` states whether clients without an account are admitted, for the world.
    init(authenticator: Authenticator, endpoint: StreamEndpoint, isOpen: Bool) {
        self.authenticator = authenticator
        self.endpoint = endpoint
        self.isOpen = isOpen
    }

    /// Decides about an upgrade request.
    ///
    /// After a refusal, the route of the same path answers with the reason.
    func decide(_ request: UpgradeRequest) async -> UpgradeDecision {
        guard let head = try? HTTPRequest(request.head, secure: false, splitCookie: false) else {
            return .refuse
        }
        do throws(SharingError) {
            let caller = try await admit(request, head)
            if let caller { request.ticket?.signedIn(caller.user.rawValue) }
            return endpoint.accept(
                request,
                user: caller?.person,
                credential: caller?.credential,
                version: caller?.version ?? 0,
                expires: caller?.expires
            )
        } catch {
            return .refuse
        }
    }

    /// Registers the route that answers requests without an upgrade, or with one that was refused.
    func register(in routes: RESTRoutes) {
        routes.on(.get, StreamEndpoint.path, access: .anyone) { call throws(SharingError) in
            let request = UpgradeRequest(call.request.head, from: call.context.peer)
            if call.request.headers.contains(.upgrade) {
                _ = try await admit(request, call.request.head)
                // The upgrade was refused, but is permitted now: the store had failed temporarily.
                if request.isWebSocket { throw .busyForNow }
            }
            let error = SharingError(
                .unsupportedVersion,
                "The request must be an upgrade to WebSocket, version 13, subprotocol \(StreamEndpoint.subprotocol)."
            )
            var answer = RESTAnswer.refusal(error)
            answer.headers[.upgrade] = "websocket"
            return answer
        }
    }

    /// The caller of a request, or `nil` for a client without an account in an open world.
    private func admit(_ request: UpgradeRequest, _ head: HTTPRequest) async throws(SharingError) -> Caller? {
        guard request.query.isEmpty else {
            throw SharingError(
                .unknownField,
                "The stream has no query parameters; send a token in the Authorization header."
            )
        }
        guard !request.offersSubprotocols || request.offers(StreamEndpoint.subprotocol) else {
            throw SharingError(
                .unsupportedVersion,
                "Sec-WebSocket-Protocol must offer \(StreamEndpoint.subprotocol), or be left out."
            )
        }
        let peer = request.remoteAddress
        let caller = try await authenticator.caller(of: head, from: peer, isSafe: false)
        guard caller != nil || isOpen else {
            throw SharingError(
                .notSignedIn,
                "This needs an account: send a bearer token or a session's cookie."
            )
        }
        return caller
    }
}

extension SharingError {
    fileprivate static let busyForNow = SharingError(
        .unavailable,
        "The store could not be read for a moment; open the stream again.",
        retryAfter: .seconds(1)
    )
}

extension UpgradeRequest {
    /// A request that reached the router, because it is no upgrade or was refused.
    fileprivate init(_ head: HTTPRequest, from peer: SocketAddress?) {
        self.init(
            head: HTTPRequestHead(
                version: .http1_1,
                method: HTTPMethod(head.method),
                uri: head.path ?? "/",
                headers: HTTPHeaders(head.headerFields)
            ),
            remoteAddress: peer
        )
    }

    /// Whether the request is a valid upgrade to a WebSocket of version 13.
    fileprivate var isWebSocket: Bool {
        head.headers.first(name: "Upgrade")?.utf8.isIgnoringCase("websocket") ?? false
            && head.headers.first(name: "Sec-WebSocket-Version")?.utf8.is("13") ?? false
            && head.headers.contains(name: "Sec-WebSocket-Key")
    }
}
