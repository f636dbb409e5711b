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
/// A refusal is an answer of REST with its reason. `unavailable`, after which a client repeats, is answered only where a repeat can
/// succeed: while the store doesn't answer.
///
/// That a browser's upgrade needs an origin of this server must stay: otherwise another page could use the cookie.
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
                expires: caller?.expires,
                network: authenticator.origin(of: head, from: request.remoteAddress).network
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
                guard request.isValid || !request.asksForWebSocket else { throw .malformedUpgrade }
                _ = try await admit(request, call.request.head)
                // The upgrade was refused, but is permitted now: the store had failed temporarily.
                if request.isValid { throw .busyForNow }
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
    /// An upgrade that is refused again, however often it is sent.
    fileprivate static let malformedUpgrade = SharingError(
        .invalidFrame,
        "The request must be a GET of HTTP/1.1 without a body, with a Sec-WebSocket-Key of 16 bytes in base64."
    )

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
}
