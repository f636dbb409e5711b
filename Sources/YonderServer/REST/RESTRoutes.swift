package import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import YonderModel

/// One endpoint of the server.
package struct RESTRoute: Hashable, Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The path, with `{name}` for what varies.
    package let path: String

    /// Whether a request's path is one of this route's.
    func matches(_ requested: [Substring]) -> Bool {
        let own = path.split(separator: "/")
        let isLonger = own.last == "**" && requested.count >= own.count
        return (own.count == requested.count || isLonger)
            && zip(own, requested).allSatisfy { $0.first == "{" || $0 == "**" || $0 == $1 }
    }
}

/// Every endpoint that there is.
final class RouteTable: Sendable {
    private let state = Mutex<[RESTRoute]>([])

    /// In the order of their registration.
    var routes: [RESTRoute] { state.withLock { $0 } }

    func append(_ route: RESTRoute) {
        state.withLock { $0.append(route) }
    }
}

/// Who may call an endpoint.
enum RESTAccess {
    /// Whoever comes; credentials aren't even looked at, but a foreign page is refused.
    case anyone
    /// Whoever comes; the endpoint looks whether they are signed in.
    case optional
    /// Somebody with an account.
    case signedIn
}

/// Registers endpoints with Hummingbird's router, and does for each what is the same for all: who asks, which query
/// parameters there are, how a refusal looks.
package struct RESTRoutes {
    /// What an endpoint does.
    typealias Endpoint = @Sendable (RESTCall) async throws(SharingError) -> RESTAnswer

    /// What was registered so far, by anyone.
    let table: RouteTable
    private let router: Router<RESTContext>
    private let authenticator: Authenticator

    init(router: Router<RESTContext>, table: RouteTable, authenticator: Authenticator) {
        self.router = router
        self.table = table
        self.authenticator = authenticator
    }

    /// Adds an endpoint.
    ///
    /// `query` lists the query parameters it takes; any other is refused, so that nobody gets used to sending a
    /// token there. `nil` for who ignores them all. Those that are in `repeating`, too, may stand there several times.
    /// `types` are the media types that a body sent with a cookie may have: never one that a form can send.
    func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        access: RESTAccess = .signedIn,
        query: Set<String>? = [],
        repeating: Set<String> = [],
        types: Set<String> = [RESTCall.jsonType],
        _ endpoint: @escaping Endpoint
    ) {
        table.append(RESTRoute(method: method, path: path))
        let authenticator = authenticator
        router.on(RouterPath(path), method: method) { request, context in
            do throws(SharingError) {
                if let query { try Self.checkQuery(request, query, repeating) }
                let call = try await Self.call(request, context, access, types, authenticator)
                return try await endpoint(call).response
            } catch {
                if error.code == .internalError {
                    context.logger.error("Endpoint failed", metadata: ["error": "\(error.message)"])
                }
                return RESTAnswer.refusal(error).response
            }
        }
    }

    /// Adds an endpoint for which nothing of that is done.
    func raw(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ endpoint: @escaping @Sendable (Request, RESTContext, _ network: String) async -> RESTAnswer
    ) {
        table.append(RESTRoute(method: method, path: path))
        let authenticator = authenticator
        router.on(RouterPath(path), method: method) { request, context in
            let network = authenticator.network(of: request.head, from: context.peer)
            return await endpoint(request, context, network).response
        }
    }

    private static func checkQuery(
        _ request: Request,
        _ allowed: Set<String>,
        _ repeating: Set<String>
    ) throws(SharingError) {
        var seen: Set<Substring> = []
        for name in try RESTQuery.parameters(of: request).map(\.name) {
            guard allowed.contains(String(name)) else {
                throw SharingError(.unknownField, "No query parameter \(name.prefix(64)) here.")
            }
            guard seen.insert(name).inserted || repeating.contains(String(name)) else {
                throw SharingError(.invalidField, "\(name) stands there twice.")
            }
        }
    }

    private static func call(
        _ request: Request,
        _ context: RESTContext,
        _ access: RESTAccess,
        _ types: Set<String>,
        _ authenticator: Authenticator
    ) async throws(SharingError) -> RESTCall {
        let head = request.head
        let isSafe = head.method == .get || head.method == .head
        var caller: Caller?
        switch access {
        case .anyone: break
        case .optional, .signedIn:
            caller = try await authenticator.caller(of: head, from: context.peer, isSafe: isSafe)
        }
        if caller == nil, access == .signedIn { throw SharingError(.notSignedIn, "Sign in first.") }
        if caller == nil, !isSafe {
            try authenticator.checkOrigin(of: head, from: context.peer, isRequired: false)
        }
        let call = RESTCall(
            request: request,
            context: context,
            network: authenticator.network(of: head, from: context.peer),
            isSecure: authenticator.isSecure(head, from: context.peer),
            caller: caller
        )
        if caller?.kind == .session, !isSafe { try call.checkContentType(types) }
        return call
    }
}
