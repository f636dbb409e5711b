import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderStorage

@testable import YonderClient
@testable import YonderHub
import YonderTables

/// Some time of phones over the stream, with a server in this process and a time that is moved by hand.
struct PhoneHours {
    private let time = HandMovedTime()
    private let exchange: Exchange
    private let eventLoop: any EventLoop
    private let chat: ChatID
    private let people: [User]

    private init(_ store: SQLiteStore, people count: Int, _ group: any EventLoopGroup) async throws {
        var people: [User] = []
        for number in 1...count {
            // An id as long as most.
            let id = try #require(UserID(7_000_000_000_000_000_000 + Int64(number)))
            let user = User(id: id, name: "Person \(number)")
            try await store.createAccount(Account(user: user, isOperator: false, created: .now))
            if let first = people.first { try await store.connect(first.id, user.id) }
            people.append(user)
        }
        self.people = people
        let wish = ChatStart(
            creator: people[0].id,
            invitees: people.dropFirst().map(\.id),
            subject: "Sunday walk"
        )
        chat = try await store.start(wish, at: time.now).chat.id
        exchange = try await Exchange.start(
            chats: store,
            accounts: store,
            catalog: try await ObjectCatalog.load(from: store),
            group: group,
            settings: HubSettings(),
            now: { [time] in time.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        eventLoop = group.next()
    }

    /// What a phone carries that shares along a journey, which one other phone watches.
    static func sharing(_ journey: Journey, for seconds: Int, folder: String) async throws -> Traffic {
        try await run(folder: folder, sharers: [journey], for: seconds).sharers[0]
    }

    /// What a phone carries that watches others along their journeys.
    static func watching(_ journeys: [Journey], for seconds: Int, folder: String) async throws -> Traffic {
        try await run(folder: folder, sharers: journeys, for: seconds).watcher
    }

    private static func run(folder: String, sharers journeys: [Journey], for seconds: Int) async throws
        -> (sharers: [Traffic], watcher: Traffic)
    {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let store = try SQLiteStore.open(folder: folder)
        let hours = try await PhoneHours(store, people: journeys.count + 1, group)
        let traffic = try await hours.traffic(of: journeys, for: seconds)
        try await group.shutdownGracefully()
        try store.close()
        return traffic
    }

    private func traffic(of journeys: [Journey], for seconds: Int) async throws
        -> (sharers: [Traffic], watcher: Traffic)
    {
        var links: [CountedLink] = []
        var clients: [SharingClient] = []
        for user in people {
            let link = try await CountedLink.connect(user, to: exchange, on: eventLoop, at: time)
            links.append(link)
            clients.append(SharingClient(now: { [time] in time.now }) { link })
        }
        return try await withThrowingTaskGroup(of: Void.self) { [links, clients] tasks in
            for client in clients { tasks.addTask { try? await client.run() } }
            defer { tasks.cancelAll() }
            let watcher = clients[journeys.count]
            let (messages, freshness) = (await watcher.messages(in: chat), await watcher.freshness(in: chat))
            tasks.addTask { for try await _ in messages {} }
            tasks.addTask { for try await _ in freshness {} }
            var phones: [SharingPhone] = []
            var shares: [ShareID] = []
            for (index, journey) in journeys.enumerated() {
                shares.append(try await clients[index].startShare(in: chat).share.id)
                phones.append(SharingPhone(journey, in: chat, phase: 1 + index * 4))
            }
            try await settle(links)
            for link in links { _ = link.takeTraffic() }
            for second in 1...seconds {
                time.move(to: second)
                for index in phones.indices {
                    for report in phones[index].reports(at: second, time.now) {
                        await send(report, of: shares[index], from: clients[index])
                    }
                }
                try await settle(links)
            }
            let traffic = links.map { $0.takeTraffic() }
            for link in links { link.close() }
            return (Array(traffic.prefix(journeys.count)), traffic[journeys.count])
        }
    }

    private func send(_ report: SharingPhone.Report, of share: ShareID, from client: SharingClient) async {
        switch report {
        case .heartbeat(let beat): await client.sendHeartbeat(beat, in: chat, share: share)
        case .position(let fix):
            var sharing = Sharing(with: [.chat(chat)])
            await client.deliver(sharing.take(fix))
            await client.waitUntilSent()
        }
    }

    /// Ends the second on the server, and waits until what belongs to it was carried.
    private func settle(_ links: [CountedLink]) async throws {
        exchange.tick(time.now)
        for _ in 0..<3 { try await eventLoop.submit {}.get() }
        try await eventLoop.submit { for link in links { link.tick() } }.get()
    }
}
