import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import Synchronization
import TestSupport
import Testing
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderObjects
import YonderREST
import YonderRules

@testable import YonderServer

/// Rights that end while a file is received or sent, and while a body comes.
@Suite struct OngoingRightTests {
    @Test func `an import ends with the right of its sender, and says how many objects it kept`() async throws
    {
        for ending in [EndedRight.credential, .disabled, .removed, .role] {
            try await WalkScene.run { scene in
                let catalog = scene.server.catalog
                let entity = try catalog.definition(of: ObjectSamples.entity("cafe"), for: .owner)
                let wish = ObjectImport.Wish(
                    entity: entity,
                    format: .csv,
                    overrides: .none,
                    isPreview: false,
                    isPartial: false,
                    caller: .owner,
                    warrant: try await Self.warrant(of: scene)
                )
                let rows = ByteBuffer(string: (0..<600).map { "N\($0)\n" }.joined())
                let next = Mutex(0)
                let user = try scene.user
                let stream = AsyncStream { () async -> ByteBuffer? in
                    let index = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    if index == 2 { try? scene.server.store.end(ending, of: user) }
                    return index == 0 ? ByteBuffer(string: "name\n") : index < 3 ? rows : nil
                }
                let store = scene.server.store
                var run = ObjectImport(wish, into: catalog, accounts: store, now: { ObjectSamples.time })
                do throws(SharingError) {
                    _ = try await run.run(RequestBody(asyncSequence: stream), length: nil)
                    Issue.record("It went on: \(ending)")
                } catch {
                    #expect(error.code == (ending == .role ? .notAllowed : .notSignedIn))
                    #expect(error.message.contains("512 objects were kept"), "\(error.message)")
                }
                let count = try await store.entity(entity.name, for: .owner).count
                #expect(count == 513, "\(ending)")
            }
        }
    }

    @Test func `an export is cut when its reader's right ends`() async throws {
        for ending in [EndedRight.credential, .disabled, .removed, .role] {
            try await WalkScene.run { scene in
                let store = scene.server.store
                let cafe = ObjectSamples.entity("cafe")
                for number in 0..<2_100 {
                    let fields = [ObjectSamples.field("name"): FieldValue.text("\(number)")]
                    try await scene.server.catalog.change(
                        ObjectSubmission(
                            entity: cafe,
                            caller: .owner,
                            action: .create(fields),
                            time: ObjectSamples.time
                        )
                    )
                }
                let entity = try scene.server.catalog.definition(of: cafe, for: .owner)
                let right = OngoingRight(
                    try await Self.warrant(of: scene),
                    accounts: store,
                    now: { ObjectSamples.time }
                )
                let export = ObjectExport(
                    catalog: scene.server.catalog,
                    entity: entity,
                    criteria: .all,
                    format: .csv,
                    reader: .owner,
                    turn: .server,
                    right: right
                )
                let user = try scene.user
                let reader = SlowReader { try? store.end(ending, of: user) }
                let answer = try await export.answer()
                await #expect(throws: SharingError.self) { try await answer.body.write(reader) }
                #expect(reader.count <= 10, "\(ending)")
            }
        }
    }

    @Test func `a long page of messages is cut a second after its reader's right ends`() async throws {
        for ending in [EndedRight.credential, .disabled, .removed] {
            for isLatest in [false, true] {
                try await WalkScene.run { scene in
                    let text = String(repeating: "x", count: isLatest ? 70_000 : 5_000)
                    let body = #"{"tag":"Text","content":"\#(text)"}"#
                    for _ in 0..<(isLatest ? 1 : 40) {
                        try await scene.ada.post("/v1/chats/\(scene.chat)/messages", body)
                    }
                    let (store, user) = (scene.server.store, try scene.user)
                    let reader = SlowReader { try? store.end(ending, of: user) }
                    let pages = MessagePages(
                        chats: store,
                        exchange: scene.server.exchange,
                        query: MessageQuery(
                            chat: try #require(ChatID(scene.chat)),
                            latest: isLatest,
                            limit: MessageQuery.maximumLimit
                        ),
                        direction: .backward,
                        reader: user,
                        now: ObjectSamples.time,
                        right: OngoingRight(
                            try await Self.warrant(of: scene, needsOperator: false),
                            accounts: store,
                            now: { ObjectSamples.time },
                            uptime: { reader.uptime }
                        )
                    )
                    let answer = try await pages.answer()
                    await #expect(throws: SharingError.self) { try await answer.body.write(reader) }
                    #expect(reader.count == 1, "\(ending)")
                }
            }
        }
    }

    @Test func `tracks are read on while their reader's right holds, and refused once it ends`() async throws
    {
        try await WalkScene.run { scene in
            for number in 0...1_000 {
                let data = #"{"latitude":\#(47 + Double(number) / 10_000),"longitude":9.5}"#
                let body = #"{"tag":"Location","content":"","data":\#(data)}"#
                #expect(try await scene.ada.post("/v1/chats/\(scene.chat)/messages", body).status == 201)
            }
            let path = "/v1/chats/\(scene.chat)/tracks"
            #expect(try await scene.ada.get(path).list("tracks").count == 1)
            scene.server.store.interruption.beforeChange(.credential, of: try scene.user)
            #expect(try await scene.ada.get(path).code == "notSignedIn")
        }
    }

    @Test func `nobody's map loses an entity whose deleter's right has ended`() async throws {
        try await WalkScene.run { scene in
            let told = Mutex(0)
            scene.server.catalog.onDefinitionChange { _ in told.withLock { $0 += 1 } }
            scene.server.store.interruption.beforeChange(.role, of: try scene.user)
            #expect(try await scene.ada.call(.delete, "/v1/entities/cafe").code == "notAllowed")
            #expect(told.withLock { $0 } == 0)
        }
    }

    @Test func `a body that still comes when its sender's right ends is cut`() async throws {
        var settings = ServerSettings()
        settings.connections = .patient
        let server = try await TestServer(settings)
        let user = try await server.assembly.accounts.create(Profile(name: "Ada"), under: .server).id
        let token = try await server.assembly.accounts.makeToken("", for: user, under: .server)
        let application = try server.assembly.application(logger: Logger(label: "test"))
        try await application.test(.live) { client in
            try await RawClient.connected(to: client.port ?? 0) { connection in
                try await connection.send(
                    "POST /v1/tokens HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token.text)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{\"label\""
                )
                while server.exchange.requests.signIns.isEmpty { await Task.yield() }
                try await server.store.removeCredential(token.hash, of: user)
                _ = try await connection.receiveAll()
            }
        }
        #expect(try await server.store.credentials(of: user).isEmpty)
        #expect(server.exchange.requests.signIns.isEmpty)
    }

    /// The right of an operator's request in the scene.
    private static func warrant(of scene: WalkScene, needsOperator: Bool = true) async throws -> Warrant {
        let user = try scene.user
        let store = scene.server.store
        let session = try #require(try await store.credentials(of: user).first { $0.kind == .session })
        return .signIn(
            HeldSignIn(
                user: user,
                credential: session.secret,
                expires: session.expires,
                version: try await store.account(user).version,
                needsOperator: needsOperator,
                time: session.created
            )
        )
    }
}

/// A receiver that runs a closure when the first piece of an answer arrives, and takes a second for each.
private final class SlowReader: ResponseBodyWriter, Sendable {
    private let start = ContinuousClock.now
    private let pieces = Mutex(0)
    private let onFirst: @Sendable () -> Void

    init(onFirst: @escaping @Sendable () -> Void) {
        self.onFirst = onFirst
    }

    /// How many pieces it received.
    var count: Int { pieces.withLock(\.self) }

    /// The time by this receiver.
    var uptime: ContinuousClock.Instant { start + .seconds(count) }

    func write(_ buffer: ByteBuffer) async throws {
        let count = pieces.withLock { pieces in
            pieces += 1
            return pieces
        }
        if count == 1 { onFirst() }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
