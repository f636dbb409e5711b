import Logging
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import YonderRules
import YonderHub
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

/// A server without sockets, over a store in memory, which can be started anew.
final class ModelServer: Sendable {
    private struct State {
        var exchange: Exchange
        var running: Task<Void, Never>
        var links: [ObjectIdentifier: ModelLink] = [:]
        var isDown = false
    }

    let store = MemoryStore()
    private let ground: ModelGround
    private let state: Mutex<State>
    private let opened: AsyncStream<ModelLink>.Continuation
    private let openings: AsyncStream<ModelLink>

    init(on ground: ModelGround) async throws {
        self.ground = ground
        (openings, opened) = AsyncStream.makeStream()
        let exchange = try await Self.start(store, ground)
        state = Mutex(State(exchange: exchange, running: Self.run(exchange)))
    }

    private static func start(_ store: MemoryStore, _ ground: ModelGround) async throws
        -> Exchange
    {
        let exchange = try await Exchange.start(
            chats: store,
            accounts: store,
            group: ground.group,
            settings: HubSettings(writes: .none),
            // A second of the server takes a fiftieth here.
            sleep: { try await ContinuousClock().sleep(for: $0 / 50) },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        ground.keep(exchange)
        return exchange
    }

    private static func run(_ exchange: Exchange) -> Task<Void, Never> {
        Task { try? await exchange.run() }
    }

    /// Serves connections until the task is canceled.
    func serve() async {
        await withDiscardingTaskGroup { tasks in
            for await link in openings {
                tasks.addTask { await link.serve() }
            }
        }
        let running = state.withLock(\.running)
        running.cancel()
        await running.value
    }

    /// Opens a connection of a user.
    func connect(_ user: User, _ faults: ModelFaults) async throws(LinkClosure) -> ModelLink {
        do {
            let exchange = state.withLock { $0.isDown ? nil : $0.exchange }
            guard let exchange else { throw LinkClosure.lost("The server is down.") }
            let link = try await ModelLink.open(user, to: exchange, on: ground.group.next(), faults)
            let isDown = state.withLock { state in
                state.links[ObjectIdentifier(link)] = link
                return state.isDown || state.exchange !== exchange
            }
            opened.yield(link)
            if isDown { link.cut() }
            return link
        } catch {
            throw .lost("\(error)")
        }
    }

    /// Ends the server and every connection, and starts another one over what is stored.
    func restart() async throws {
        let (links, running) = state.withLock { state in
            defer { (state.isDown, state.links) = (true, [:]) }
            return (state.links.values, state.running)
        }
        for link in links { link.cut() }
        running.cancel()
        await running.value
        let next = try await Self.start(MemoryStore(beside: store), ground)
        state.withLock { state in
            state.exchange = next
            state.running = Self.run(next)
            state.isDown = false
        }
    }
}
