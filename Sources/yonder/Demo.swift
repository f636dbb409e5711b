import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import YonderClient
import YonderGeodesy
import YonderHub
import YonderModel
import YonderServer

/// A few people who walk along recorded tracks, so that there is something to see.
///
/// They take the way that everyone takes: each is a client over loopback with a bearer token, and what they share goes
/// through the stream, the exchange, the store and the fan-out.
struct Demo: Service {
    let accounts: Accounts
    let exchange: Exchange
    let places: Places
    let isTLS: Bool

    /// Tells the port once the server listens.
    let listening: AsyncStream<Int>
    let logger: Logger

    /// Somebody, and where they walk.
    private struct Walker {
        let user: User
        let chat: ChatID
        let route: Int
        let part: Double
        let isInWorld: Bool
    }

    private static let label = "demo"
    private static let ways = ["Along the border", "Up Žbevnica"]
    private static let names = ["Ana", "Bor", "Cilka", "Drago", "Ema", "Filip"]

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                var ports = listening.makeAsyncIterator()
                guard let port = await ports.next() else { return }
                try await makePlaces()
                try await walk(await prepare(), server: "http://127.0.0.1:\(port)")
            }
        } catch {
            logger.error("The demo ended", metadata: ["reason": "\(error)"])
        }
        // A service that ends by itself would end the server.
        try? await gracefulShutdown()
    }

    /// Refuses a folder that is in use for something else, and a server that the demo's people can't speak to.
    ///
    /// - Throws: ``CommandFailure``.
    func check() async throws {
        guard !isTLS else {
            throw CommandFailure("The demo's people connect without TLS: leave the certificate out.")
        }
        let known = try await explained { () throws(SharingError) in try await accounts.everyone() }
        guard known.isEmpty || known.contains(where: { $0.login == Self.login(Self.names[0]) }) else {
            throw CommandFailure("--demo wants a data folder of its own: there are people in this one.")
        }
    }

    private static func login(_ name: String) -> String { "demo.\(name.lowercased())" }

    // MARK: Who there is

    private func prepare() async throws -> [Walker] {
        let people = try await people()
        guard let owner = people.first else { return [] }
        let others = Array(people.dropFirst())
        let border = try await chat(Self.ways[0], of: owner, with: Array(others.prefix(3)))
        let hills = try await chat(Self.ways[1], of: owner, with: Array(others.dropFirst(3)))
        return others.enumerated().map { index, user in
            Walker(
                user: user,
                chat: index < 3 ? border : hills,
                route: index < 3 ? 0 : 1,
                part: [0, 0.35, 0.7][index % 3],
                isInWorld: index % 2 == 0
            )
        }
    }

    /// The owner and the demo's people, each a contact of the others.
    private func people() async throws -> [User] {
        let known = try await accounts.everyone()
        guard let owner = known.first(where: \.isOperator)?.user else { return [] }
        var people = [owner]
        for name in Self.names {
            let login = Self.login(name)
            if let account = known.first(where: { $0.login == login }) {
                people.append(account.user)
                continue
            }
            let profile = Profile(name: name, email: "\(name.lowercased())@demo.example")
            let user = try await accounts.create(profile, login: login)
            for other in people { try await accounts.store.connect(user.id, other.id) }
            people.append(user)
        }
        return people
    }

    private func chat(_ subject: String, of owner: User, with others: [User]) async throws -> ChatID {
        let wish = ChatStart(
            creator: owner.id,
            invitees: others.map(\.id),
            subject: subject,
            key: "demo \(subject)"
        )
        return try await exchange.start(wish).chat.id
    }

    private func makePlaces() async throws {
        let routes = zip(Self.ways, DemoRoute.all()).map { (name: $0, positions: $1) }
        try await DemoPlaces(places: places).make(along: routes, at: .now)
    }

    // MARK: Walking

    private func walk(_ walkers: [Walker], server: String) async throws {
        let routes = DemoRoute.all()
        guard !routes.isEmpty else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for walker in walkers {
                let token = try await token(of: walker.user)
                let route = routes[walker.route % routes.count]
                group.addTask { try await walk(walker, along: route, token: token, server: server) }
            }
            try await group.waitForAll()
        }
    }

    private func walk(_ walker: Walker, along route: [Position], token: String, server: String) async throws {
        guard let replay = DemoRoute.replay(route, from: walker.part, speed: 3) else { return }
        var settings = ClientSettings()
        settings.logger = logger
        let client = try SharingClient(server: server, token: token, settings: settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            group.addTask {
                let positions = Playback.positions(of: replay)
                if walker.isInWorld {
                    await client.share(positions, in: .chat(walker.chat), .world)
                } else {
                    await client.share(positions, in: .chat(walker.chat))
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// A token for this run; those of earlier runs are good no longer.
    private func token(of user: User) async throws -> String {
        for old in try await accounts.tokens(of: user.id) where old.label == Self.label {
            try await accounts.store.removeCredential(old.secret, of: user.id)
        }
        return try await accounts.makeToken(Self.label, for: user.id).text
    }
}
