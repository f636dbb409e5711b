import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import YonderAccounts
import YonderRules
import YonderGeodesy
import YonderHub
import YonderModel
import YonderObjects
import YonderServer

@testable import YonderPlacesFacade

/// A server with the façade over a store in memory, whose clock the test turns; it has one key of each kind.
final class FacadeServer: Sendable {
    let store = MemoryStore()
    let catalog: ObjectCatalog
    let writing: Signer
    let reading: Signer
    private let assembly: ServerAssembly
    private let clock = Mutex(Timestamp(milliseconds: 1_764_000_000_000))

    /// A key and its secret, as a client has them.
    struct Signer: Sendable {
        let key: String
        let secret: SigningSecret
    }

    /// Removes a key from the store.
    func removeKey(_ key: String) async throws {
        try await store.removeSigningKey(key)
    }

    /// Adds the writing key again, after it was removed.
    func restoreKey() async throws {
        let key = SigningKey(
            id: writing.key,
            name: writing.key,
            rights: .write,
            created: Timestamp(milliseconds: 0)
        )
        try await store.createSigningKey(try #require(key), secret: writing.secret)
    }

    init(
        nonces: NonceMemory = NonceMemory(),
        attempts: AttemptLimiter = AttemptLimiter(),
        readers: EntityReaders = .members,
        writes: WriteLimits = WriteLimits()
    ) async throws {
        catalog = try await ObjectCatalog.load(from: store)
        let exchange = try await Exchange.start(
            chats: store,
            accounts: store,
            group: MultiThreadedEventLoopGroup.singleton,
            settings: HubSettings(),
            logger: Logger(label: "test")
        )
        writing = try await Self.signer("writer", .write, store)
        reading = try await Self.signer("reader", .read, store)
        // The clock belongs to the server that is being made.
        let time = Box()
        let start = ContinuousClock.now
        let facade = PlacesFacade(
            catalog: catalog,
            keys: store,
            writes: WriteAllowances(writes),
            nonces: nonces,
            attempts: attempts,
            now: { time.now() },
            uptime: { start.advanced(by: time.now() - Timestamp(milliseconds: 0)) }
        )
        assembly = ServerAssembly(
            ServerSettings(),
            on: ServerAssembly.Ground(
                store: store,
                chats: store,
                catalog: catalog,
                exchange: exchange,
                group: MultiThreadedEventLoopGroup.singleton,
                now: { time.now() }
            ),
            beside: facade.register
        )
        time.set { [weak self] in self?.now ?? Timestamp(milliseconds: 0) }
        let definition = EntityDefinition(
            ObjectSamples.places.name,
            readers: readers,
            fields: ObjectSamples.places.fields
        )
        _ = try await catalog.createEntity(definition, by: .owner, at: now, under: .server)
    }

    /// A clock that is told later where to look.
    private final class Box: Sendable {
        private let look = Mutex<@Sendable () -> Timestamp>({ Timestamp(milliseconds: 0) })

        func set(_ look: @escaping @Sendable () -> Timestamp) { self.look.withLock { $0 = look } }
        func now() -> Timestamp { look.withLock(\.self)() }
    }

    private static func signer(_ id: String, _ rights: SigningKey.Rights, _ store: MemoryStore)
        async throws -> Signer
    {
        let created = Timestamp(milliseconds: 0)
        let key = try #require(SigningKey(id: id, name: id, rights: rights, created: created))
        let secret = SigningSecret.random()
        try await store.createSigningKey(key, secret: secret)
        return Signer(key: id, secret: secret)
    }

    /// What the time is.
    var now: Timestamp { clock.withLock(\.self) }

    /// Turns the clock on.
    func wait(_ duration: Duration) {
        clock.withLock { $0 = $0 + duration }
    }

    /// Runs `body` with a client.
    func run(_ body: @Sendable (FacadeClient) async throws -> Void) async throws {
        let application = try assembly.application(logger: Logger(label: "test"))
        try await application.test(.router) { client in
            try await body(FacadeClient(server: self, client: client))
        }
    }
}

/// A program that calls the façade as the existing clients do: forms, and a signature over what it sends.
struct FacadeClient: Sendable {
    let server: FacadeServer
    let client: any TestClientProtocol

    /// Signs a request; what `change` does to its parameters comes before that, what `spoil` does after it.
    func call(
        _ method: String,
        _ path: String,
        _ parameters: [(String, String)] = [],
        by signer: FacadeServer.Signer? = nil,
        signedPath: String? = nil,
        root: String = "/data",
        change: (inout [(String, String)]) -> Void = { _ in },
        spoil: (inout [(String, String)]) -> Void = { _ in }
    ) async throws -> FacadeReply {
        let signer = signer ?? server.writing
        var all =
            parameters + [
                ("key", signer.key), ("nonce", UUID().uuidString), ("time", "\(server.now.milliseconds)"),
            ]
        change(&all)
        let text = Self.text(all, method, signedPath ?? root + path)
        all.append(("signature", signer.secret.signature(of: text)))
        spoil(&all)
        return try await send(method, path, all, root: root)
    }

    /// Sends parameters as they are.
    func send(
        _ method: String,
        _ path: String,
        _ parameters: [(String, String)] = [],
        root: String = "/data"
    ) async throws -> FacadeReply {
        let form = parameters.map { "\(Self.escaped($0.0))=\(Self.escaped($0.1))" }.joined(separator: "&")
        return try await send(method, path, form: form, root: root)
    }

    /// Sends a form as it is.
    func send(
        _ method: String,
        _ path: String,
        form: String,
        type: String? = nil,
        root: String = "/data"
    ) async throws -> FacadeReply {
        let method = try #require(HTTPRequest.Method(method))
        let isInBody = method == .post || method == .put
        let query = isInBody || form.isEmpty ? "" : "?" + form
        let response = try await client.execute(
            uri: "/api" + root + path + query,
            method: method,
            headers: isInBody ? [.contentType: type ?? "application/x-www-form-urlencoded"] : [:],
            body: isInBody ? ByteBuffer(string: form) : nil
        )
        return FacadeReply(
            code: response.status.code,
            headers: response.headers,
            text: String(buffer: response.body)
        )
    }

    /// Makes a place; answers its id.
    @discardableResult
    func make(_ name: String, at location: String? = nil, _ more: [(String, String)] = []) async throws
        -> String
    {
        let place = location.map { [("set-at", $0)] } ?? []
        let reply = try await call("POST", "/place", [("set-name", name)] + place + more)
        try #require(reply.code == 201, "\(reply.text)")
        return try #require(reply.id)
    }

    /// What the clients sign, written for this test from the protocol's description and not by the server's own code.
    private static func text(_ parameters: [(String, String)], _ method: String, _ path: String) -> String {
        var names: [String: [String]] = ["method": [method], "path": [path]]
        for (name, value) in parameters where name != "_" && name != "_method" {
            let base = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
            names[base, default: []].append(value)
        }
        return names.sorted { $0.key < $1.key }
            .flatMap { name, values in values.sorted().map { "\(name)=\($0)" } }
            .joined(separator: "&")
    }

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

/// What the façade answered.
struct FacadeReply: Sendable {
    let code: Int
    let headers: HTTPFields
    let text: String

    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    var status: String { json["status"] as? String ?? text }
    var id: String? { json["id"] as? String }
    var ids: [String] { json["ids"] as? [String] ?? [] }
    var count: Int? { json["count"] as? Int }
    var distances: [Double]? { json["distances"] as? [Double] }

    func object(_ id: String?) -> [String: Any] {
        (json["objects"] as? [String: Any])?[id ?? ""] as? [String: Any] ?? [:]
    }

    /// The names of the answer's places, in order.
    var names: [String] { ids.compactMap { object($0)["name#t"] as? String } }

    /// The location of the object that the answer is about.
    var location: [String: Any]? { object(id)["at#l"] as? [String: Any] }
}
