import TestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderMetrics
import YonderModel
import YonderRules
import YonderObjects
import YonderREST
import YonderServer
import YonderTiles

/// A server over a store in memory, whose clock the test turns.
final class TestServer: Sendable {
    let store: MemoryStore
    let catalog: ObjectCatalog
    let registry = MetricsRegistry()
    let assembly: ServerAssembly
    let exchange: Exchange
    private let clock: Clock

    /// What the time is, on the wall and since the start.
    final class Clock: Sendable {
        private let moment = Mutex((Timestamp(milliseconds: 1_764_000_000_000), ContinuousClock.now))

        var now: Timestamp { moment.withLock { $0.0 } }
        var uptime: ContinuousClock.Instant { moment.withLock { $0.1 } }

        func advance(by duration: Duration) {
            moment.withLock { $0 = ($0.0 + duration, $0.1 + duration) }
        }

        func set(back duration: Duration) {
            moment.withLock { $0.0 = $0.0 - duration }
        }
    }

    init(
        _ settings: ServerSettings = ServerSettings(),
        store: MemoryStore = MemoryStore(),
        chats: (any ChatStore & CommitSource)? = nil,
        geocoder: (any Geocoder)? = nil,
        naming: PlaceNaming? = nil,
        towns: TownTiles? = nil,
        readiness: Readiness = Readiness()
    ) async throws {
        let clock = Clock()
        let catalog = try await ObjectCatalog.load(from: store)
        let exchange = try await Exchange.start(
            chats: chats ?? store,
            accounts: store,
            catalog: catalog,
            group: MultiThreadedEventLoopGroup.singleton,
            settings: settings.hub,
            now: { clock.now },
            uptime: { clock.uptime },
            logger: Logger(label: "test")
        )
        self.clock = clock
        self.exchange = exchange
        self.store = store
        self.catalog = catalog
        assembly = ServerAssembly(
            settings,
            on: ServerAssembly.Ground(
                store: store,
                chats: chats ?? store,
                catalog: catalog,
                exchange: exchange,
                group: MultiThreadedEventLoopGroup.singleton,
                registry: registry,
                passwords: PasswordHasher(cost: PasswordCost(exponent: 4)),
                geocoder: geocoder,
                naming: naming,
                towns: towns,
                readiness: { readiness },
                now: { clock.now },
                uptime: { clock.uptime }
            )
        )
    }

    /// Turns the clock on.
    func wait(_ duration: Duration) {
        clock.advance(by: duration)
    }

    /// Sets the wall clock back.
    func setClock(back duration: Duration) {
        clock.set(back: duration)
    }

    /// Runs `body` with somebody who has not signed in.
    func run<Value>(_ body: @Sendable (Caller) async throws -> Value) async throws -> Value {
        let logger = Logger(label: "test")
        let application = try assembly.application(logger: logger)
        return try await application.test(.router) { try await body(Caller(server: self, client: $0)) }
    }

    /// Runs `body` with the owner and others, everyone a contact of everyone, each with a bearer token.
    func party<Value>(
        _ names: String...,
        body: @Sendable ([Caller]) async throws -> Value
    ) async throws -> Value {
        try await run { nobody in
            var callers: [Caller] = []
            for (index, name) in names.enumerated() {
                let user = try await assembly.accounts.create(
                    Profile(name: name),
                    isOperator: index == 0,
                    under: .server
                )
                for other in callers { try await store.connect(user.id, try #require(other.user)) }
                let token = try await assembly.accounts.makeToken("", for: user.id, under: .server)
                callers.append(nobody.bearing(token.text, as: user.id))
            }
            return try await body(callers)
        }
    }
}

/// Somebody who speaks REST.
struct Caller: Sendable {
    let server: TestServer
    let client: any TestClientProtocol
    var user: UserID?
    var headers: HTTPFields = [:]

    /// The same connection with a bearer token.
    func bearing(_ token: String, as user: UserID? = nil) -> Caller {
        with(.authorization, "Bearer \(token)", as: user)
    }

    /// The same connection with a header.
    func with(_ name: HTTPField.Name, _ value: String?, as user: UserID? = nil) -> Caller {
        var other = self
        other.headers[name] = value
        other.user = user ?? self.user
        return other
    }

    @discardableResult
    func call(_ method: HTTPRequest.Method, _ path: String, _ json: String? = nil) async throws -> Reply {
        var headers = headers
        if json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        let response = try await client.execute(
            uri: path,
            method: method,
            headers: headers,
            body: json.map { ByteBuffer(string: $0) }
        )
        return Reply(response)
    }

    func get(_ path: String) async throws -> Reply { try await call(.get, path) }

    @discardableResult
    func post(_ path: String, _ json: String = "{}") async throws -> Reply {
        try await call(.post, path, json)
    }

    /// Signs in with a link as the page does; answers the same caller with the cookie.
    func redeem(_ link: String) async throws -> Caller {
        let reply = try await post("/v1/session", #"{"link":"\#(link)"}"#)
        try #require(reply.status == 201)
        return reply.signingIn(self)
    }

    /// The same user in a session, as the page has one: what signs people in isn't changed with a token.
    func signedIn() async throws -> Caller {
        let link = try await server.assembly.accounts.makeLink(for: try #require(user), under: .server).text
        return try await with(.authorization, nil).redeem(link)
    }

    /// Starts a chat; answers its id.
    func startChat(with others: Caller...) async throws -> String {
        let ids = others.compactMap(\.user).map { "\"\($0)\"" }.joined(separator: ",")
        let reply = try await post("/v1/chats", #"{"invitees":[\#(ids)]}"#)
        return try #require(reply.object("chat")["id"] as? String)
    }
}

/// What a server answered.
struct Reply {
    let status: Int
    let headers: HTTPFields
    let text: String

    init(_ response: TestResponse) {
        status = response.status.code
        headers = response.headers
        text = String(buffer: response.body)
    }

    /// The JSON object that the body is; empty if it is none.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    /// The error's code, or `nil`.
    var code: String? { object("error")["code"] as? String }

    func object(_ name: String) -> [String: Any] { json[name] as? [String: Any] ?? [:] }
    func list(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }
    func string(_ name: String) -> String? { json[name] as? String }
    func integer(_ name: String) -> Int? { json[name] as? Int }

    /// What is in the fragment of a link that the answer has.
    func secret(_ name: String) throws -> String {
        String(try #require(string(name)?.split(separator: "=").last))
    }

    /// The caller with the cookie that this answer sets, on the server's own page.
    func signingIn(_ caller: Caller) -> Caller {
        let cookie = headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
        return caller.with(.cookie, cookie).with(.origin, "http://localhost").with(
            .contentType,
            "application/json"
        )
    }
}
