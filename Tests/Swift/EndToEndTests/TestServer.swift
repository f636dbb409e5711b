import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderLink
import YonderModel
import YonderRules
import YonderObjects
import YonderServer
import YonderStorage

@testable import YonderClient
import YonderTables

/// A real server in this process, on a folder of its own and a port of loopback.
struct TestServer: Sendable {
    let port: Int
    let accounts: Accounts
    let store: SQLiteStore
    let catalog: ObjectCatalog

    var url: String { "http://127.0.0.1:\(port)" }

    /// Runs a server beside `body`, and ends both.
    static func running<Value: Sendable>(
        folder: String,
        hub: HubSettings = HubSettings(),
        now: @escaping @Sendable () -> Timestamp = { .now },
        _ body: @escaping @Sendable (TestServer) async throws -> Value
    ) async throws -> Value {
        let store = try SQLiteStore.open(folder: folder)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let group = MultiThreadedEventLoopGroup.singleton
        let catalog = try await ObjectCatalog.load(from: store)
        let exchange = try await Exchange.start(
            chats: store,
            accounts: store,
            catalog: catalog,
            group: group,
            settings: hub,
            now: now,
            logger: logger
        )
        exchanges.withLock { $0.append(exchange) }
        let assembly = ServerAssembly(
            ServerSettings(port: 0),
            on: ServerAssembly.Ground(
                store: store,
                chats: store,
                catalog: catalog,
                exchange: exchange,
                group: group,
                passwords: PasswordHasher(cost: PasswordCost(exponent: 4)),
                now: now
            )
        )
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = try assembly.application(logger: logger) {
            listening.yield($0?.port ?? 0)
        }
        let services = ServiceGroup(services: [application], logger: logger)
        let value = try await withThrowingTaskGroup(of: Value?.self) { tasks in
            tasks.addTask {
                try? await services.run()
                listening.finish()
                return nil
            }
            tasks.addTask {
                try? await exchange.run()
                return nil
            }
            var iterator = ports.makeAsyncIterator()
            let bound = try #require(await iterator.next())
            let server = TestServer(
                port: bound,
                accounts: assembly.accounts,
                store: store,
                catalog: catalog
            )
            tasks.addTask { try await body(server) }
            defer { tasks.cancelAll() }
            while let value = try await tasks.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
        try store.close()
        return value
    }

    /// A new person with a token.
    func person(_ name: String) async throws -> Person {
        let user = try await accounts.create(
            Profile(name: name),
            login: nil,
            isOperator: false,
            under: .server
        )
        return Person(
            id: user.id,
            token: try await accounts.makeToken("test", for: user.id, under: .server).text
        )
    }

    /// Two people who are contacts, and a chat of theirs that the first one started.
    func pair() async throws -> (ada: Person, bea: Person, chat: ChatID) {
        let (ada, bea) = (try await person("Ada"), try await person("Bea"))
        try await store.connect(ada.id, bea.id, under: .server)
        let wish = ChatStart(creator: ada.id, invitees: [bea.id], subject: "Sunday walk")
        return (ada, bea, try await store.start(wish, at: .now, under: .server).chat.id)
    }
}

/// The exchanges of all servers, also of those that ended: a read of the store that is still under way doesn't own its exchange.
private let exchanges = Mutex<[Exchange]>([])

struct Person: Sendable {
    let id: UserID
    let token: String
}

/// Connections to a real server that a test can cut.
final class Connections: Sendable {
    private struct State {
        var links: [any StreamLink] = []
        var made = 0
        var waiters: [(made: Int, wait: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())

    /// A client that comes back at once.
    func client(
        _ url: String,
        token: String?,
        outbox: any OutboxStore = MemoryOutboxStore()
    ) throws -> SharingClient {
        var settings = ClientSettings()
        settings.backoff = Backoff(minimum: .milliseconds(1), maximum: .milliseconds(10))
        let open = try Links(server: url, certificateAuthority: nil).stream(as: try TokenIdentity(token))
        return SharingClient(outbox: outbox, settings: settings) { () async throws(LinkClosure) in
            let made = try await open()
            self.add(made)
            return made
        }
    }

    private func add(_ link: any StreamLink) {
        state.withLock { state in
            state.links.append(link)
            state.made += 1
            for waiter in state.waiters where waiter.made <= state.made { waiter.wait.finish() }
            state.waiters.removeAll { $0.made <= state.made }
        }
    }

    /// Waits until so many connections have been made in all.
    func wait(untilMade count: Int) async {
        let (made, wait) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if state.made < count { state.waiters.append((count, wait)) } else { wait.finish() }
        }
        for await _ in made {}
    }

    /// Cuts what is connected now.
    func cut() {
        let links = state.withLock { state in
            defer { state.links = [] }
            return state.links
        }
        for link in links { link.close() }
    }
}

/// Runs clients beside `body`, and ends them.
func running<Value: Sendable>(
    _ clients: SharingClient...,
    body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        for client in clients {
            group.addTask {
                try? await client.run()
                return nil
            }
        }
        group.addTask { try await body() }
        defer { group.cancelAll() }
        while let value = try await group.next() {
            if let value { return value }
        }
        throw CancellationError()
    }
}

/// A folder that is gone afterwards.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yonder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path(percentEncoded: false))
}

func position(_ latitude: Double, _ longitude: Double) -> Position {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        fatalError("\(latitude) is no latitude")
    }
    return Position(coordinate: coordinate, timestamp: .now)
}
