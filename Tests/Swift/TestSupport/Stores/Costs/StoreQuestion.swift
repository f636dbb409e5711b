import Testing
import YonderGeodesy
import YonderModel
import YonderRules

/// A read or a write that a server asks of its store, with the same cost whether the store has few other rows or a hundred times as many.
package struct StoreQuestion: Sendable, CustomTestStringConvertible {
    package let testDescription: String

    /// Asks it.
    package let ask: @Sendable (CostWorld) async throws -> Void

    init(_ name: String, _ ask: @escaping @Sendable (CostWorld) async throws -> Void) {
        testDescription = name
        self.ask = ask
    }

    /// All of them; those that write come last.
    package static let all = lists + messages + people + others + writes

    private static let lists = [
        StoreQuestion("the list of chats") { world in
            let chats = try await world.store.chats(of: world.ada)
            _ = try await world.store.readings(of: chats, for: world.ada, now: CostWorld.now)
            _ = try await world.store.lastNumbers(of: world.ada)
            _ = try await world.store.chat(world.chat)
        },
        StoreQuestion("the groups and meetings of two people") { world in
            for meeting in [Meeting.ever, .now, .inGroup] {
                _ = try await world.store.meets(world.ada, world.ben, meeting)
            }
            _ = try await world.store.groups(of: world.ben, ownedBy: world.ada, limit: 10)
            _ = try await world.store.leftGroups(of: world.ada, limit: 10)
        },
        StoreQuestion("the last positions and the shares") { world in
            _ = try await world.store.shares()
            _ = try await world.store.lastLocations(in: world.chat, of: [world.ben], now: CostWorld.now)
        },
    ]

    private static let tags: [MessageTag?] = [
        .text, .location, .photo, MessageTag("Place"), MessageTag("None"),
    ]

    private static let messages = [
        StoreQuestion("the newest messages of a tag, and of a sender") { world in
            for tag in tags {
                try await world.read(MessageQuery(chat: world.chat, tag: tag, limit: 10))
                try await world.read(
                    MessageQuery(chat: world.chat, tag: tag, sender: world.ada, limit: 10)
                )
            }
            for sender in [world.ada, .random()] {
                try await world.read(MessageQuery(chat: world.chat, sender: sender, limit: 10))
            }
            try await world.read(MessageQuery(chat: world.chat, limit: 10))
        },
        StoreQuestion("messages before and after a number") { world in
            for tag in tags + [nil] {
                for sender in [nil, world.ada, .random()] {
                    try await world.read(
                        MessageQuery(chat: world.chat, tag: tag, sender: sender, before: 20, limit: 5)
                    )
                    let filter = MessageFilter(chat: world.chat, tag: tag, sender: sender)
                    _ = try await world.store.messages(
                        after: 12,
                        filter,
                        limit: 5,
                        reader: world.ada,
                        now: CostWorld.now
                    )
                }
            }
        },
        StoreQuestion("messages of an hour, since a time, and until one") { world in
            let (day, end) = (CostWorld.day, CostWorld.day + .seconds(1_800))
            for (from, to) in [(day, end), (end, nil), (nil, day)] as [(Timestamp?, Timestamp?)] {
                for tag in tags + [nil] {
                    for sender in [nil, world.ada] {
                        try await world.read(tag, sender, from: from, to: to)
                    }
                }
            }
        },
        StoreQuestion("the newest of each sender") { world in
            for tag in tags + [nil] {
                let query = MessageQuery(chat: world.chat, tag: tag, latest: true)
                _ = try await world.store.messages(query, reader: world.ben, now: CostWorld.now)
            }
        },
        StoreQuestion("one message") { world in
            let id = Message.ID(chat: world.chat, number: 3)
            _ = try await world.store.message(id, reader: world.ada, now: CostWorld.now)
        },
    ]

    private static let people = [
        StoreQuestion("accounts, contacts and blocks") { world in
            let stranger = UserID.random()
            _ = try await world.store.partings(of: [world.ada], with: [stranger])
            _ = try await world.store.account(world.ada)
            _ = try await world.store.account(login: "ada")
            _ = try await world.store.accounts(after: nil, limit: 5)
            let last = try await world.store.accounts(after: nil, limit: 2).last
            _ = try await world.store.accounts(after: last?.place, limit: 5)
            _ = try await world.store.users([world.ada, world.ben])
            _ = try await world.store.contacts(of: world.ada)
            _ = try await world.store.blocked(by: world.ada)
            _ = try await world.store.partings(of: [world.ada], with: [world.ben])
            _ = try await world.store.closedChats()
            _ = try await world.store.leaving()
            _ = try await world.store.events(of: world.ada)
            _ = try await world.store.knowsNetwork("net", of: world.ada)
        },
        StoreQuestion("credentials") { world in
            _ = try await world.store.signIn(world.session, kind: .session, at: CostWorld.now)
            _ = try await world.store.credentials(of: world.ada)
            try await world.store.removeExpired(at: CostWorld.now)
        },
    ]

    private static let others = [
        StoreQuestion("images and keys") { world in
            _ = try await world.store.image(world.image)
            _ = try await world.store.removeLooseImages(before: CostWorld.day - .seconds(86_400))
            _ = try await world.store.signingKey("key")
            _ = try await world.store.signingKeys()
        },
        StoreQuestion("objects") { world in
            let name = ObjectSamples.places.name
            _ = try await world.store.entities(for: .owner)
            let page = try await world.store.objects(ObjectQuery(name, limit: 1), for: .owner)
            _ = try await world.store.objects(ObjectQuery(name, after: page.next, limit: 2), for: .owner)
            try await world.store.forEachPlacedObject(batch: 10) { _ in }
            if let object = page.objects.first {
                _ = try await world.store.object(object.id, of: name, for: .owner)
                _ = try await world.store.objects([object.id], of: name, for: .owner)
            }
        },
    ]
}

extension CostWorld {
    /// Reads a query's messages as a request, and as a subscription does.
    fileprivate func read(_ query: MessageQuery) async throws {
        _ = try await store.messages(query, reader: ada, now: Self.now)
        _ = try await store.messages(newest: query, limit: 10, reader: ada, now: Self.now)
    }

    /// Reads the messages between two times in all ways.
    fileprivate func read(_ tag: MessageTag?, _ sender: UserID?, from: Timestamp?, to: Timestamp?)
        async throws
    {
        let query = MessageQuery(chat: chat, tag: tag, sender: sender, from: from, to: to, limit: 10)
        try await read(query)
        _ = try await store.messages(after: 0, query.filter, limit: 10, reader: ada, now: Self.now)
        var latest = query
        latest.latest = true
        _ = try await store.messages(latest, reader: ada, now: Self.now)
    }
}
