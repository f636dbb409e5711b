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

    /// How closely a request's path is one of this route's, or `nil` if it is none.
    ///
    /// For each part of the path: 2 for the very word, 1 for what varies, 0 for the rest of the path. Of two routes the
    /// router takes the one whose first difference is greater.
    func closeness(to requested: [Substring]) -> [Int]? {
        let own = path.split(separator: "/")
        let isLonger = own.last == "**" && requested.count >= own.count
        guard own.count == requested.count || isLonger else { return nil }
        var closeness: [Int] = []
        for (part, word) in zip(own, requested) {
            switch part {
            case "**": closeness.append(0)
            case _ where part.first == "{": closeness.append(1)
            case word: closeness.append(2)
            default: return nil
            }
        }
        return closeness
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

    /// The methods of the routes that the router looks at for a path: those that fit it most closely.
    func methods(of path: [Substring]) -> Set<HTTPRequest.Method> {
        let fitting = routes.compactMap { route in route.closeness(to: path).map { (route, $0) } }
        let closest = fitting.map(\.1).max { $0.lexicographicallyPrecedes($1) }
        return Set(fitting.filter { $0.1 == closest }.map(\.0.method))
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
    /// An operator, or whoever runs the server, over the control socket.
    case operators
}

/// Registers endpoints with Hummingbird's router, and does for each what is the same for all: who asks, which query
/// parameters there are, how a refusal looks.
package struct RESTRoutes {
    /// What an endpoint does.
    typealias Endpoint = @Sendable (RESTCall) async throws(SharingError) -> RESTAnswer

    /// What was registered so far, by anyone.
    let table: RouteTable
    private let router: Router<RESTContext>
    private let authenticator: Authenticator?
    private let address: PublicAddress

    /// Without an authenticator every call is the console's: of whoever runs the server.
    init(
        router: Router<RESTContext>,
        table: RouteTable,
        authenticator: Authenticator?,
        address: PublicAddress
    ) {
        self.router = router
        self.table = table
        self.authenticator = authenticator
        self.address = address
    }

    /// Whether these are the endpoints of the control socket.
    var isConsole: Bool { authenticator == nil }

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
        let (authenticator, address) = (authenticator, address)
        router.on(RouterPath(path), method: method) { request, context in
            do throws(SharingError) {
                if let query { try Self.checkQuery(request, query, repeating) }
                let caller = try await Self.caller(request, context, access, authenticator)
                if let caller { ConnectionTicket.current?.signedIn(caller.user) }
                let call = RESTCall(
                    request: request,
                    context: context,
                    authenticator: authenticator,
                    address: address,
                    caller: caller
                )
                if caller?.kind == .session, !Self.isSafe(request) { try call.checkContentType(types) }
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
            let network = authenticator?.origin(of: request.head, from: context.peer).network ?? "console"
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

    /// Who asks, or `nil` for somebody without an account who may ask, too.
    private static func caller(
        _ request: Request,
        _ context: RESTContext,
        _ access: RESTAccess,
        _ authenticator: Authenticator?
    ) async throws(SharingError) -> Caller? {
        guard let authenticator else { return nil }
        let (head, peer, isSafe) = (request.head, context.peer, isSafe(request))
        var caller: Caller?
        switch access {
        case .anyone: break
        case .optional, .signedIn, .operators:
            caller = try await authenticator.caller(of: head, from: peer, isSafe: isSafe)
        }
        if caller == nil, access == .signedIn || access == .operators {
            throw SharingError(.notSignedIn, "Sign in first.")
        }
        if access == .operators, let caller, try await !authenticator.isOperator(caller.user) {
            throw SharingError(.notAllowed, "Only an operator may do this.")
        }
        if caller == nil, !isSafe { try authenticator.checkOrigin(of: head, from: peer, isRequired: false) }
        return caller
    }

    /// Whether a request only reads.
    private static func isSafe(_ request: Request) -> Bool {
        request.method == .get || request.method == .head
    }
}
