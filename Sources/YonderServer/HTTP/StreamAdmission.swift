import HTTPTypes
import HummingbirdCore
import NIOCore
import YonderHub
import YonderModel

/// Who may open the stream.
struct StreamAdmission: Sendable {
    private let authenticator: Authenticator
    private let endpoint: StreamEndpoint
    private let isOpen: Bool

    /// Creates it; `isOpen` says whether somebody without an account may open it, for the world.
    init(authenticator: Authenticator, endpoint: StreamEndpoint, isOpen: Bool) {
        self.authenticator = authenticator
        self.endpoint = endpoint
        self.isOpen = isOpen
    }

    /// What becomes of a request for it.
    ///
    /// Who is refused is told why by the route of the same path.
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

    /// Answers who didn't ask for a WebSocket, or may not have one.
    func register(in routes: RESTRoutes) {
        routes.on(.get, StreamEndpoint.path, access: .anyone) { call throws(SharingError) in
            let request = UpgradeRequest(head: call.request.head, remoteAddress: call.context.peer)
            if call.request.headers.contains(.upgrade) {
                _ = try await admit(request)
                // The upgrade was refused, and now nothing is wrong: the store failed for a moment.
                if request.isWebSocket { throw .busyForNow }
            }
            let error = SharingError(
                .unsupportedVersion,
                "This is a WebSocket, version 13, \(StreamEndpoint.subprotocol)."
            )
            var answer = RESTAnswer.refusal(error)
            answer.headers[.upgrade] = "websocket"
            return answer
        }
    }

    /// The caller of a request, or `nil` for a stranger to an open world.
    private func admit(_ request: UpgradeRequest) async throws(SharingError) -> Caller? {
        guard request.query.isEmpty else {
            throw SharingError(.unknownField, "The stream takes nothing from a query string.")
        }
        let offered = request.subprotocols
        guard offered.isEmpty || offered.contains(where: { $0 == StreamEndpoint.subprotocol }) else {
            throw SharingError(.unsupportedVersion, "This server speaks \(StreamEndpoint.subprotocol).")
        }
        let peer = request.remoteAddress
        let caller = try await authenticator.caller(of: request.head, from: peer, isSafe: false)
        guard caller != nil || isOpen else { throw SharingError(.notSignedIn, "Sign in first.") }
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
    /// Whether the request asks for a WebSocket of version 13, over which the stream could have begun.
    fileprivate var isWebSocket: Bool {
        head.headerFields[.upgrade]?.lowercased() == "websocket"
            && head.headerFields[.secWebSocketVersion] == "13"
            && head.headerFields[.secWebSocketKey] != nil
    }
}
