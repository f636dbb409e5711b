import Logging
import NIOCore
import ServiceLifecycle
import YonderAccounts
import YonderClient
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderObjects
import YonderServer

/// A few people on the roads of a small country, so that there is something to see.
///
/// They take the way that everyone takes: each is a client over loopback with a bearer token, and what they share goes
/// through the stream, the exchange, the store and the fan-out.
///
/// With `--demo`, `ServerProcess` calls ``check()`` before the services, and runs this one with them; it makes what is
/// missing of its people, chats and objects, and walks until the server stops. At a next start it finds them again. A
/// failure ends the demo, is logged, and never ends the server. Nothing else in the server knows of the demo.
struct Demo: Service {
    let accounts: Accounts
    let exchange: Exchange
    let catalog: ObjectCatalog
    let isTLS: Bool

    /// Yields the port once the server listens.
    let listening: AsyncStream<Int>
    let logger: Logger

    private static let label = "demo"

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                var ports = listening.makeAsyncIterator()
                guard let port = await ports.next() else { return }
                try await DemoObjects(catalog: catalog).make(at: .now)
                try await walk(await people(), server: "http://127.0.0.1:\(port)")
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
        guard known.isEmpty || known.contains(where: { $0.login?.hasPrefix(DemoPerson.prefix) ?? false })
        else {
            throw CommandFailure("--demo needs a data folder of its own; this one has other people.")
        }
    }

    // MARK: Who there is

    /// A demo person with an account and chats.
    private struct Walker {
        let person: DemoPerson
        let user: User
        var chats: [ChatID] = []
    }

    /// The demo's people, each a contact of the others and of the owner, in their chats.
    private func people() async throws -> [Walker] {
        let known = try await accounts.everyone()
        guard let owner = known.first(where: \.isOperator)?.user else { return [] }
        var users = [owner]
        var walkers: [Walker] = []
        for person in DemoPerson.all {
            let user: User
            if let account = known.first(where: { $0.login == person.login }) {
                user = account.user
            } else {
                let profile = Profile(name: person.name, email: "\(person.nickname)@demo.example")
                user = try await accounts.create(profile, login: person.login, under: .server)
                for other in users {
                    try await accounts.store.connect(user.id, other.id, under: .server)
                }
            }
            users.append(user)
            walkers.append(Walker(person: person, user: user))
        }
        for chat in DemoPerson.Chat.allCases {
            let members = walkers.indices.filter { walkers[$0].person.chats.contains(chat) }
            let id = try await self.chat(chat.rawValue, of: owner, with: members.map { walkers[$0].user })
            for index in members { walkers[index].chats.append(id) }
        }
        return walkers
    }

    private func chat(_ subject: String, of owner: User, with others: [User]) async throws -> ChatID {
        let wish = ChatStart(
            creator: owner.id,
            invitees: others.map(\.id),
            subject: subject,
            key: "demo, twelve people: \(subject)"
        )
        return try await exchange.start(wish, under: .server).chat.id
    }

    // MARK: Walking

    private func walk(_ walkers: [Walker], server: String) async throws {
        let routes = DemoRoute.all()
        let sharers = DemoSharers(exchange: exchange)
        let shares = try await sharers.begin(walkers.compactMap { sharer($0, routes) })
        for chat in DemoPerson.Chat.allCases { try await talk(in: chat, walkers) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sharers.run(shares) }
            for walker in walkers where walker.person.state == nil {
                guard let route = routes[walker.person.walk] else { continue }
                let token = try await token(of: walker.user)
                group.addTask { try await walk(walker, along: route, token: token, server: server) }
            }
            try await group.waitForAll()
        }
    }

    /// Has the people of a chat write in it.
    ///
    /// A walker's chats are in the order of the demo's.
    private func talk(in chat: DemoPerson.Chat, _ walkers: [Walker]) async throws {
        let members = walkers.filter { $0.person.chats.contains(chat) }
        guard let first = members.first,
            let place = DemoPerson.Chat.allCases.filter(first.person.chats.contains).firstIndex(of: chat),
            first.chats.indices.contains(place)
        else { return }
        let people = Dictionary(members.map { ($0.person.nickname, $0.user) }) { first, _ in first }
        try await DemoTalk(exchange: exchange)
            .write(DemoTalk.lines(of: chat), in: first.chats[place], as: people)
    }

    /// A person who stands, or `nil` for one who walks.
    private func sharer(_ walker: Walker, _ routes: [String: DemoRoute]) -> DemoSharers.Sharer? {
        guard let state = walker.person.state, let chat = walker.chats.first,
            let way = routes[walker.person.walk]?.coordinates, !way.isEmpty
        else { return nil }
        let place = way[Int(Double(way.count - 1) * walker.person.part)]
        return DemoSharers.Sharer(user: walker.user, chat: chat, state: state, coordinate: place)
    }

    private func walk(_ walker: Walker, along route: DemoRoute, token: String, server: String) async throws {
        let person = walker.person
        guard let replay = route.replay(from: person.part, speed: person.speed) else { return }
        var settings = ClientSettings()
        settings.logger = logger
        let client = try SharingClient(server: server, token: token, settings: settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            group.addTask {
                let positions = Playback.positions(of: replay)
                let chats = walker.chats.map { Sharing.Audience.chat($0) }
                await client.share(positions, with: chats + (person.isInWorld ? [.world] : []))
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// A token for this run; those of earlier runs are good no longer.
    private func token(of user: User) async throws -> String {
        for old in try await accounts.tokens(of: user.id) where old.label == Self.label {
            try await accounts.end(old.secret, of: user.id, under: .server)
        }
        return try await accounts.makeToken(Self.label, for: user.id, under: .server).text
    }
}
