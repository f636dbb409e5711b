import HTTPTypes
import TestSupport
import Testing
import YonderModel

/// A route that changes stored data, with a request that makes the change.
struct WalkStep: Sendable, CustomTestStringConvertible {
    let method: HTTPRequest.Method

    /// The path as it is registered.
    let route: String
    let path: @Sendable (WalkScene) -> String
    let body: @Sendable (WalkScene) -> [UInt8]
    let type: String

    /// Whether only operators may do it.
    let isOperators: Bool

    var testDescription: String { "\(method.rawValue) \(route)" }

    init(
        _ method: HTTPRequest.Method,
        _ route: String,
        _ json: String = "{}",
        isOperators: Bool = false
    ) {
        self.init(method, route, isOperators: isOperators) { _ in Array(json.utf8) }
    }

    init(
        _ method: HTTPRequest.Method,
        _ route: String,
        isOperators: Bool = false,
        type: String = "application/json",
        query: String = "",
        _ body: @escaping @Sendable (WalkScene) -> [UInt8]
    ) {
        (self.method, self.route, self.type, self.isOperators) = (method, route, type, isOperators)
        self.body = body
        path = { scene in
            var path = route
            let parts = [
                "{chat}": route.contains("stays-out") ? scene.left : scene.chat, "{share}": scene.share,
                "{key}": scene.key, "{entity}": "cafe", "{number}": "\(scene.message)",
                "{user}": "\(route.contains("blocks") ? scene.cleo : scene.ben)",
                "{id}": Self.id(route, scene),
            ]
            for (name, value) in parts {
                path = path.split(separator: "/", omittingEmptySubsequences: false)
                    .map { $0 == name ? value : String($0) }.joined(separator: "/")
            }
            return path + query
        }
    }

    private static func id(_ route: String, _ scene: WalkScene) -> String {
        switch route {
        case "/v1/me/sessions/{id}": scene.otherSession
        case "/v1/tokens/{id}": scene.ownToken
        case "/v1/users/{user}/sessions/{id}": scene.benSession
        case "/v1/users/{user}/tokens/{id}": scene.benToken
        default: scene.object
        }
    }

    /// Routes without a caller's right: what they do has a proof of its own, or changes nothing.
    static let without: Set<String> = [
        "POST /v1/session", "POST /v1/invitations/view", "POST /v1/geocoding/names",
    ]

    /// All of them.
    static let all = own + people + users + chats + shares + objects

    private static let own = [
        WalkStep(.delete, "/v1/session"),
        WalkStep(.patch, "/v1/me", #"{"name":"Eve"}"#),
        WalkStep(.put, "/v1/me/password", #"{"password":"correct horse battery"}"#),
        WalkStep(.delete, "/v1/me/sessions", #"{"tokens":true}"#),
        WalkStep(.delete, "/v1/me/sessions/{id}"),
        WalkStep(.post, "/v1/tokens", #"{"label":"stolen"}"#),
        WalkStep(.delete, "/v1/tokens/{id}"),
        WalkStep(.delete, "/v1/me/stays-out/{chat}"),
        WalkStep(.post, "/v1/images", type: "image/jpeg") { _ in ImageSamples.jpeg.plain },
    ]

    private static let people = [
        WalkStep(.delete, "/v1/contacts/{user}"),
        WalkStep(.put, "/v1/blocks/{user}"),
        WalkStep(.delete, "/v1/blocks/{user}"),
        WalkStep(.post, "/v1/invitations"),
        WalkStep(.post, "/v1/invitations/accept") { scene in
            Array(#"{"invitation":"\#(scene.invitation)"}"#.utf8)
        },
    ]

    private static let users = [
        WalkStep(.post, "/v1/users", #"{"name":"Mallory","operator":true}"#, isOperators: true),
        WalkStep(.patch, "/v1/users/{user}", #"{"operator":true}"#, isOperators: true),
        WalkStep(.delete, "/v1/users/{user}", isOperators: true),
        WalkStep(.delete, "/v1/users/{user}/sessions", #"{"tokens":true}"#, isOperators: true),
        WalkStep(.delete, "/v1/users/{user}/sessions/{id}", isOperators: true),
        WalkStep(.delete, "/v1/users/{user}/tokens/{id}", isOperators: true),
        WalkStep(.put, "/v1/users/{user}/password", #"{"password":null,"tokens":true}"#, isOperators: true),
        WalkStep(.post, "/v1/users/{user}/links", isOperators: true),
        WalkStep(.post, "/v1/keys", #"{"name":"Other"}"#, isOperators: true),
        WalkStep(.delete, "/v1/keys/{key}", isOperators: true),
    ]

    private static let chats = [
        WalkStep(.post, "/v1/chats") { Array(#"{"invitees":["\#($0.ben)"]}"#.utf8) },
        WalkStep(.patch, "/v1/chats/{chat}", #"{"subject":"Walk"}"#),
        WalkStep(.put, "/v1/chats/{chat}/read", #"{"number":2}"#),
        WalkStep(.post, "/v1/chats/{chat}/participants") { Array(#"{"users":["\#($0.cleo)"]}"#.utf8) },
        WalkStep(.delete, "/v1/chats/{chat}/participants/me"),
        WalkStep(.delete, "/v1/chats/{chat}/participants/{user}"),
        WalkStep(.put, "/v1/chats/{chat}/owner") { Array(#"{"user":"\#($0.ben)"}"#.utf8) },
        WalkStep(.post, "/v1/chats/{chat}/messages", #"{"tag":"Text","content":"More"}"#),
        WalkStep(.delete, "/v1/chats/{chat}/messages/{number}"),
    ]

    private static let shares = [
        WalkStep(.post, "/v1/chats/{chat}/shares", #"{"keep":"kept"}"#),
        WalkStep(.patch, "/v1/chats/{chat}/shares/{share}", #"{"battery":true}"#),
        WalkStep(.delete, "/v1/chats/{chat}/shares/{share}"),
        WalkStep(.post, "/v1/chats/{chat}/heartbeat", #"{"battery":0.5}"#),
        WalkStep(.delete, "/v1/me/shares"),
    ]

    private static let objects = [
        WalkStep(.post, "/v1/entities", #"{"name":"bar","fields":[]}"#, isOperators: true),
        WalkStep(.patch, "/v1/entities/{entity}", #"{"readers":"anyone"}"#, isOperators: true),
        WalkStep(.delete, "/v1/entities/{entity}", isOperators: true),
        WalkStep(.post, "/v1/objects/{entity}", #"{"fields":{"name":"B"}}"#, isOperators: true),
        WalkStep(.patch, "/v1/objects/{entity}/{id}", #"{"fields":{"name":"C"}}"#, isOperators: true),
        WalkStep(.delete, "/v1/objects/{entity}/{id}", isOperators: true),
        WalkStep(
            .post,
            "/v1/objects/{entity}/import",
            isOperators: true,
            type: "text/csv",
            query: "?format=csv"
        ) {
            _ in Array("name\nD\n".utf8)
        },
    ]
}
