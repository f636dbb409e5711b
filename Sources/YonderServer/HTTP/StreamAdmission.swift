import HTTPTypes
import HummingbirdCore
import NIOCore
import YonderHub
import YonderModel

/// Controls access to the stream.
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
        do throws(SharingError) {
            let caller = try await admit(request)
            if let caller { request.ticket?.signedIn(caller.user) }
            return endpoint.accept(
                request,
                user: caller?.person,
                credential: caller?.credential,
                expires: caller?.expires
            )
        } catch {
            return .refuse
        }
    }

    /// Registers the route that answers requests without an upgrade, or with one that was refused.
    func register(in routes: RESTRoutes) {
        routes.on(.get, StreamEndpoint.path, access: .anyone) { call throws(SharingError) in
            let request = UpgradeRequest(head: call.request.head, remoteAddress: call.context.peer)
            if call.request.headers.contains(.upgrade) {
                _ = try await admit(request)
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
    private func admit(_ request: UpgradeRequest) async throws(SharingError) -> Caller? {
        guard request.query.isEmpty else {
            throw SharingError(
                .unknownField,
                "The stream has no query parameters; send a token in the Authorization header."
            )
        }
        let offered = request.subprotocols
        guard offered.isEmpty || offered.contains(where: { $0 == StreamEndpoint.subprotocol }) else {
            throw SharingError(
                .unsupportedVersion,
                "Sec-WebSocket-Protocol must offer \(StreamEndpoint.subprotocol), or be left out."
            )
        }
        let peer = request.remoteAddress
        let caller = try await authenticator.caller(of: request.head, from: peer, isSafe: false)
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
    /// Whether the request is a valid upgrade to a WebSocket of version 13.
    fileprivate var isWebSocket: Bool {
        head.headerFields[.upgrade]?.lowercased() == "websocket"
            && head.headerFields[.secWebSocketVersion] == "13"
            && head.headerFields[.secWebSocketKey] != nil
    }
}
