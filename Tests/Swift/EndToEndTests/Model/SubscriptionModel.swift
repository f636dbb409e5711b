import TestSupport
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderWire

@testable import YonderClient
import YonderTables

/// Three people whose clients do what a seed says, while connections break, subscriptions are refused and readers are slow.
///
/// Afterwards each list that a person has open must be what a client has that was just made.
actor SubscriptionModel {
    /// How many operations a run has.
    private static let operations = 60

    /// The people who left a chat: the server doesn't tell them of messages that are recalled before they are added again.
    private var absences: [(person: ModelPerson, chat: ChatID)] = []

    private let server: ModelServer
    private let seed: UInt64
    private var random: SeededGenerator
    private var people: [ModelPerson] = []
    private var chats: [ChatID] = []
    private var sent: [(person: ModelPerson, message: Message.ID)] = []
    private var keys = 0
    private var time = Timestamp.now + .seconds(-3_000)

    private init(_ seed: UInt64, on ground: ModelGround) async throws {
        server = try await ModelServer(on: ground)
        self.seed = seed
        random = SeededGenerator(seed: seed)
        for name in ["Ann", "Ben", "Cid"] {
            let user = User(id: .random(), name: name)
            try await server.store.createAccount(Account(user: user, created: .now))
            for other in people { try await server.store.connect(user.id, other.user.id) }
            people.append(ModelPerson(user, of: server))
        }
    }

    /// Runs a seed.
    ///
    /// - Returns: What is different from a new client's lists, and what server or client did wrong.
    static func run(_ seed: UInt64, on ground: ModelGround) async throws -> [String] {
        let model = try await SubscriptionModel(seed, on: ground)
        return try await withThrowingTaskGroup(of: [String]?.self) { tasks in
            tasks.addTask {
                await model.server.serve()
                return nil
            }
            for person in await model.people {
                tasks.addTask {
                    try? await person.client.run()
                    return nil
                }
            }
            tasks.addTask { try await model.run() }
            defer { tasks.cancelAll() }
            while let found = try await tasks.next() {
                if let found { return found }
            }
            throw CancellationError()
        }
    }

    private func run() async throws -> [String] {
        try await start(people[0])
        for person in people { await person.open(chats) }
        await withDiscardingTaskGroup { tasks in
            for _ in 0..<Self.operations {
                let operation = nextOperation()
                tasks.addTask { try? await operation() }
                for _ in 0..<Int.random(in: 0..<60, using: &random) { await Task.yield() }
            }
        }
        if seed % 4 == 0 { try await server.restart() }
        if seed % 4 == 1 { await flood() }
        await settle()
        let differences = await compare()
        return people.flatMap { $0.faults.found + $0.unexpectedEnds } + differences
    }

    // MARK: - Operations

    private typealias Operation = @Sendable () async throws -> Void

    private func nextOperation() -> Operation {
        let weighed: [(weight: Int, make: () -> Operation)] = [
            (8, text), (14, position), (9, recall), (1, subject), (3, share), (3, stop), (2, come), (2, go),
            (2, read),
            (1, another), (4, look), (5, cut), (4, refuse), (5, end),
            (1, refuseForGood), (2, hold),
        ]
        var left = Int.random(in: 0..<weighed.reduce(0) { $0 + $1.weight }, using: &random)
        for (weight, make) in weighed {
            left -= weight
            if left < 0 { return make() }
        }
        return {}
    }

    private func person() -> ModelPerson { people[Int.random(in: 0..<people.count, using: &random)] }

    private func chat() -> ChatID { chats[Int.random(in: 0..<chats.count, using: &random)] }

    private func key() -> String {
        keys += 1
        return "\(seed)-\(keys)"
    }

    private func text() -> Operation { send(MessageDraft(tag: .text, content: "t\(keys)")) }

    private func position() -> Operation {
        // Now and then one that comes late.
        time = time + .milliseconds(Int.random(in: 1_000..<10_000, using: &random))
        let isLate = Int.random(in: 0..<4, using: &random) == 0
        let recorded = isLate ? time + .milliseconds(-60_500) : time
        let position = Position(coordinate: coordinate(), timestamp: recorded)
        return send(MessageDraft(tag: .location, data: MessageData(position: position)))
    }

    /// Where people are: points 0.79° of latitude and 1.57° of longitude apart.
    private static let places = (0..<100).compactMap { step in
        Coordinate(latitude: Double(step) * 0.79, longitude: Double(step) * 1.57)
    }

    private func coordinate() -> Coordinate {
        Self.places[Int.random(in: Self.places.indices, using: &random)]
    }

    private func send(_ draft: MessageDraft) -> Operation {
        let (person, chat, key) = (person(), chat(), key())
        return {
            let message = try await person.client.send(draft, to: chat, key: key)
            await self.note(person, message.id)
        }
    }

    private func note(_ person: ModelPerson, _ message: Message.ID) {
        sent.append((person, message))
    }

    /// The newest of what was sent, or any.
    private func recall() -> Operation {
        let isNewest = Bool.random(using: &random)
        guard let (person, message) = isNewest ? sent.last : sent.randomElement(using: &random) else {
            return {}
        }
        return { try await person.client.recall(message) }
    }

    private func subject() -> Operation {
        let (person, chat, key) = (person(), chat(), key())
        return { try await person.client.setSubject("s\(key)", of: chat) }
    }

    private func share() -> Operation {
        let (person, chat) = (person(), chat())
        let until = Bool.random(using: &random) ? Timestamp.now + .seconds(3_600) : nil
        let keeping = Bool.random(using: &random) ? Share.Keeping.kept : .expiring
        let wish = ShareWish(until: until, keeping: keeping)
        return { _ = try await person.client.startShare(in: chat, wish) }
    }

    private func stop() -> Operation {
        let (person, chat) = (person(), chat())
        let isEverything = Bool.random(using: &random)
        return {
            if isEverything {
                try await person.client.stopShares()
            } else {
                try await person.client.stopShares(in: chat)
            }
        }
    }

    private func come() -> Operation {
        let (owner, person, chat) = (people[0], person(), chat())
        return { try await owner.client.add([person.user.id], to: chat) }
    }

    private func go() -> Operation {
        let (owner, person, chat) = (people[0], people[Int.random(in: 1..<3, using: &random)], chat())
        let isRemoved = Bool.random(using: &random)
        absences.append((person, chat))
        return {
            if isRemoved {
                try await owner.client.remove(person.user.id, from: chat)
            } else {
                try await person.client.leave(chat)
            }
        }
    }

    private func read() -> Operation {
        let (person, chat, number) = (person(), chat(), Int64.random(in: 1..<40, using: &random))
        return { await person.client.markRead(chat, upTo: number) }
    }

    private func another() -> Operation {
        guard chats.count < 3 else { return {} }
        return { try await self.start(self.people[0]) }
    }

    private func start(_ person: ModelPerson) async throws {
        let invitees = people.map(\.user.id).filter { $0 != person.user.id }
        let (chat, _) = try await person.client.startChat(with: invitees, subject: "c\(chats.count)")
        chats.append(chat.id)
        guard chats.count > 1 else { return }
        for person in people { await person.open(chat.id) }
    }

    /// Lets the lists of a chat go, and opens them again.
    private func look() -> Operation {
        let (person, chat) = (person(), chat())
        return {
            await person.close { $0.name.hasSuffix(" \(chat)") }
            await person.open(chat)
        }
    }

    // MARK: - Trouble

    private func cut() -> Operation {
        let person = person()
        return { person.link?.cut() }
    }

    private func refuse() -> Operation {
        let person = person()
        let refusals = (0..<Int.random(in: 1..<7, using: &random)).map { _ in passing() }
        return { person.faults.plan(refusals) }
    }

    private func end() -> Operation {
        let person = person()
        person.link?.end(passing(), using: &random)
        return {}
    }

    private func refuseForGood() -> Operation {
        let person = person()
        let code = SharingError.finalCodes.sorted { $0.description < $1.description }.randomElement(
            using: &random
        )
        guard let code else { return {} }
        if Bool.random(using: &random) {
            person.link?.end(SharingError(code, "For good."), using: &random)
        } else {
            person.faults.plan([SharingError(code, "For good.")])
        }
        return {}
    }

    private func hold() -> Operation {
        let link = person().link
        link?.hold(true)
        return {
            for _ in 0..<200 { await Task.yield() }
            link?.hold(false)
        }
    }

    /// A refusal that passes, now and then with a time.
    private func passing() -> SharingError {
        let codes: [SharingError.Code] = [
            .unavailable, .tooManyRequests, .tooMany, .internalError, .shareEnded,
        ]
        let code = codes[Int.random(in: 0..<codes.count, using: &random)]
        let wait =
            Bool.random(using: &random)
            ? Duration.milliseconds(Int.random(in: 0..<3_000, using: &random)) : nil
        return SharingError(code, "For now.", retryAfter: wait)
    }

    /// Sends more messages than the server keeps for a connection that reads nothing.
    private func flood() async {
        let (sender, chat, link) = (people[0], chats[0], people[2].link)
        link?.hold(true)
        let content = String(repeating: "x", count: 10_000)
        var keys: [String] = []
        for _ in 0..<30 { keys.append(key()) }
        await withDiscardingTaskGroup { tasks in
            for key in keys {
                let draft = MessageDraft(tag: .text, content: content)
                tasks.addTask { _ = try? await sender.client.send(draft, to: chat, key: key) }
            }
        }
        link?.hold(false)
    }

    // MARK: - Comparing

    /// Waits until every request is answered.
    private func settle() async {
        for person in people {
            person.faults.clear()
            await person.client.waitUntilSent()
        }
        for (person, chat) in absences {
            await person.close { $0.name.hasSuffix(" \(chat)") }
            await person.open(chat)
        }
    }

    private func compare() async -> [String] {
        var found: [String] = []
        for person in people {
            let fresh = ModelPerson(person.user, of: server)
            found += await withTaskGroup { tasks in
                tasks.addTask {
                    try? await fresh.client.run()
                    return [String]?.none
                }
                tasks.addTask { await self.differences(of: person, from: fresh) }
                defer { tasks.cancelAll() }
                while let done = await tasks.next() {
                    if let done { return done }
                }
                return []
            }
        }
        return found
    }

    private func differences(of person: ModelPerson, from fresh: ModelPerson) async -> [String] {
        await fresh.open(chats)
        let end = ContinuousClock.now + .seconds(20)
        var found: [String]
        repeat {
            await reopen(person, unlessOverIn: fresh)
            for _ in 0..<20 { await Task.yield() }
            found = Self.differences(person.views, fresh.views).map { "\(person.user.name): \($0)" }
        } while !found.isEmpty && ContinuousClock.now < end
        await fresh.close { _ in true }
        return found
    }

    /// Opens lists again that ended: in place of the server, or because the person had left the chat.
    private func reopen(_ person: ModelPerson, unlessOverIn fresh: ModelPerson) async {
        let over = Set(fresh.views.filter { $0.error != nil }.map(\.name))
        let names = person.views.filter { $0.error != nil && !over.contains($0.name) }.map(\.name)
        for chat in chats where names.contains(where: { $0.hasSuffix(" \(chat)") }) {
            await person.close { $0.name.hasSuffix(" \(chat)") }
            await person.open(chat)
        }
        guard names.contains(where: { !$0.contains(" ") }) else { return }
        await person.close { !$0.name.contains(" ") }
        await person.open([])
    }

    private static func differences(_ views: [ModelView], _ fresh: [ModelView]) -> [String] {
        fresh.flatMap { expected -> [String] in
            let ours = views.filter { $0.name == expected.name }
            guard let lines = expected.shown, !ours.isEmpty else { return ["\(expected.name) isn't there"] }
            return ours.compactMap { view in
                view.shown == lines ? nil : "\(view.name) has \(view.shown ?? []), fresh \(lines)"
            }
        }
    }
}
