package import HTTPTypes
package import Hummingbird
import Logging
import Synchronization
import YonderAccounts
import YonderModel
package import YonderRules
import YonderTransport

/// One endpoint of the server.
package struct RESTRoute: Hashable, Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The path, with `{name}` for each variable part.
    package let path: String

    /// How closely a request's path matches this route, or `nil` if it doesn't.
    ///
    /// For each part of the path: 2 for a literal match, 1 for a variable part, 0 for the rest of the path.
    /// Of two routes the router chooses the one with the greater number at their first difference.
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

/// All endpoints that are registered.
package final class RouteTable: Sendable {
    private let state = Mutex<[RESTRoute]>([])

    package init() {}

    /// The routes in the order of their registration.
    package var routes: [RESTRoute] { state.withLock { $0 } }

    func append(_ route: RESTRoute) {
        state.withLock { $0.append(route) }
    }

    /// The methods of the routes that the router considers for a path: those with the closest match.
    package func methods(of path: [Substring]) -> Set<HTTPRequest.Method> {
        let fitting = routes.compactMap { route in route.closeness(to: path).map { (route, $0) } }
        let closest = fitting.map(\.1).max { $0.lexicographicallyPrecedes($1) }
        return Set(fitting.filter { $0.1 == closest }.map(\.0.method))
    }
}

/// The callers who may use an endpoint.
package enum RESTAccess {
    /// Every client; credentials aren't read, but a foreign page is refused.
    case anyone
    /// Every client; the endpoint checks whether the caller is signed in.
    case optional
    /// Callers with an account.
    case signedIn
    /// Callers with an account in a session: a token is no proof that its owner wants this.
    case session
    /// Operators, and the user who runs the server, over the control socket.
    case operators
    /// Operators in a session or with a token of the kind `accounts`, and the user who runs the server.
    case accounts
    /// Operators in a session or with a token of either kind, and the user who runs the server.
    case directory

    /// Whether credentials are read.
    fileprivate var readsCredentials: Bool { self != .anyone }

    /// Whether a caller without an account is refused.
    fileprivate var isForCallers: Bool { self != .anyone && self != .optional }

    /// Whether only operators are callers.
    fileprivate var isForOperators: Bool { self == .operators || self == .accounts || self == .directory }

    /// Whether a token of the kind `accounts` is accepted.
    fileprivate var acceptsAccountsToken: Bool { self == .accounts || self == .directory }

    /// Whether a token of a person is accepted.
    fileprivate var acceptsToken: Bool { self != .session && self != .accounts }
}

/// Registers endpoints with Hummingbird's router, and performs for each the common steps.
///
/// These are finding the caller, checking the query parameters, and encoding errors.
///
/// Each endpoint's type registers its routes here once, before the server listens; a request then runs the common steps and
/// the endpoint's function, on any thread. What any of them throws becomes the answer, with the error's status. The same
/// path and method twice is a mistake of the program's.
///
/// The order of the steps must stay: an unknown query parameter and a caller who isn't admitted are refused before the body
/// is read. A further kind of caller is a case of ``RESTAccess``. Which routes there are is promised in
/// `Documentation/rest.md` and `openapi.yaml`.
package struct RESTRoutes {
    /// All routes registered so far, shared with others.
    package let table: RouteTable
    private let router: Router<RESTContext>
    private let authenticator: Authenticator?
    private let address: PublicAddress
    private let requests: OpenRequests?

    /// The log lines that requests cause.
    package let lines: RESTLines

    /// Creates a registry; without an authenticator, every request is one of the control socket.
    ///
    /// `requests` ends those whose bodies come when their sign-ins end; `nil` lets them come to their end.
    package init(
        router: Router<RESTContext>,
        table: RouteTable,
        authenticator: Authenticator?,
        address: PublicAddress,
        requests: OpenRequests? = nil,
        lines: RESTLines = RESTLines()
    ) {
        self.lines = lines
        self.router = router
        self.table = table
        self.authenticator = authenticator
        self.address = address
        self.requests = requests
    }

    /// Whether these are the endpoints of the control socket.
    package var isConsole: Bool { authenticator == nil }

    /// Adds an endpoint.
    ///
    /// `query` lists the accepted query parameters; any other is refused, so that no client gets used to
    /// sending a token there. With `nil`, all parameters are ignored. Those also in `repeating` may occur
    /// several times. `types` are the accepted media types of a body sent with a cookie: never one that a
    /// form can send.
    package func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        access: RESTAccess = .signedIn,
        query: FieldNames? = [],
        repeating: FieldNames = [],
        types: FieldNames = RESTCall.jsonTypes,
        _ endpoint: @escaping Endpoint
    ) {
        table.append(RESTRoute(method: method, path: path))
        let (authenticator, address, requests, lines) = (authenticator, address, requests, lines)
        router.on(RouterPath(path), method: method) { request, context in
            do throws(SharingError) {
                let parameters = try query.map { allowed throws(SharingError) in
                    try RESTQuery(target: request.head.path ?? "", allowed: allowed, repeating: repeating)
                }
                let caller = try await Self.caller(request, context, access, authenticator)
                if let caller { ConnectionTicket.current?.signedIn(caller.user.rawValue) }
                let call = RESTCall(
                    request: request,
                    context: context,
                    query: parameters ?? .none,
                    authenticator: authenticator,
                    address: address,
                    lines: lines,
                    caller: caller,
                    needsOperator: access.isForOperators
                )
                if caller?.kind == .session, !Self.isSafe(request) { try call.checkContentType(types) }
                guard IncomingBody.current?.allow(for: caller?.user.rawValue) ?? true else {
                    throw .tooManyBodies
                }
                let place = Self.watch(call, in: requests)
                defer { if let place { requests?.remove(place) } }
                return try await endpoint(call).response
            } catch {
                if error.code == .internalError {
                    lines.failed("Endpoint failed", error: error.message, context.logger)
                }
                return RESTAnswer.refusal(error).response
            }
        }
    }

    /// Adds an endpoint without any of these steps.
    package func raw(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ endpoint: @escaping @Sendable (Request, RESTContext, _ network: String) async -> RESTAnswer
    ) {
        table.append(RESTRoute(method: method, path: path))
        let authenticator = authenticator
        router.on(RouterPath(path), method: method) { request, context in
            let network = authenticator?.origin(of: request.head, from: context.peer).network ?? "console"
            _ = IncomingBody.current?.allow(for: nil)
            return await endpoint(request, context, network).response
        }
    }

    /// Has the connection of a body that still comes be closed when the caller's right ends.
    private static func watch(_ call: RESTCall, in requests: OpenRequests?) -> OpenRequests.Place? {
        guard let requests, let body = IncomingBody.current, body.isComing,
            case .signIn(let held)? = try? call.readingWarrant()
        else { return nil }
        return requests.add(held) { body.cut() }
    }

    /// The caller of a request, or `nil` for one without an account if the endpoint permits that.
    private static func caller(
        _ request: Request,
        _ context: RESTContext,
        _ access: RESTAccess,
        _ authenticator: Authenticator?
    ) async throws(SharingError) -> Caller? {
        guard let authenticator else { return nil }
        let (head, peer, isSafe) = (request.head, context.peer, isSafe(request))
        var caller: Caller?
        if access.readsCredentials {
            caller = try await authenticator.caller(
                of: head,
                from: peer,
                isSafe: isSafe,
                acceptsAccountsToken: access.acceptsAccountsToken
            )
        }
        if caller == nil, access.isForCallers {
            throw SharingError(
                .notSignedIn,
                "This needs an account: send a bearer token or a session's cookie."
            )
        }
        if access.isForOperators, let caller, try await !authenticator.isOperator(caller.user) {
            throw .operatorsOnly
        }
        if caller?.kind == .token, !access.acceptsToken {
            throw access == .session ? .needsSession : .needsAccountsToken
        }
        if caller == nil, !isSafe { try authenticator.checkOrigin(of: head, from: peer, isRequired: false) }
        return caller
    }

    /// Whether a request only reads.
    private static func isSafe(_ request: Request) -> Bool {
        request.method == .get || request.method == .head
    }
}

extension SharingError {
    /// An operator's usual token, where one for accounts is needed.
    fileprivate static var needsAccountsToken: SharingError {
        SharingError(
            .notAllowed,
            "This token may not change other people's accounts: sign in, or make one with yonder user token --may accounts."
        )
    }

    /// A person whose requests wait for too many bodies.
    fileprivate static var tooManyBodies: SharingError {
        SharingError(
            .tooManyRequests,
            "Too many of your requests wait for their bodies; send these first.",
            retryAfter: .seconds(1)
        )
    }
}
