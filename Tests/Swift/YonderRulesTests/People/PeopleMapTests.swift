import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@Suite struct PeopleMapTests {
    @Test(arguments: UInt64(0)..<150)
    func `the state sent to viewers equals the messages', at each quiet point`(seed: UInt64) async throws {
        var drama = try await PeopleDrama(seed: seed)
        for round in 0..<12 {
            for _ in 0..<40 { try await drama.act() }
            try await drama.stage.settle()
            try await drama.stage.check("seed \(seed), round \(round)")
        }
        let stage = drama.stage
        for client in stage.clients.keys { stage.end(client) }
        try await stage.settle()
        #expect(stage.map.count == 0 && stage.map.chatCount == 0 && stage.map.viewerCount == 0)
    }

    // MARK: By name

    @Test func `a viewer doesn't see people without a common chat`() async throws {
        let stage = try await PeopleStage(people: 3)
        let chat = try await stage.start([stage.users[0], stage.users[1]])
        try await stage.locate(stage.users[0], at: 1, 1, in: chat)
        let (member, stranger) = (stage.watch(stage.users[1]), stage.watch(stage.users[2]))
        try await stage.settle()
        #expect(stage.seen(by: member) == ["0 at 1.0"])
        #expect(stage.seen(by: stranger).isEmpty && stage.clients[stranger]?.total == 0)
        try await stage.locate(stage.users[0], at: 2, 2, in: chat)
        try await stage.settle()
        #expect(stage.seen(by: member) == ["0 at 2.0"])
        #expect(stage.seen(by: stranger).isEmpty && stage.clients[stranger]?.total == 0)
    }

    @Test func `nobody sees themselves`() async throws {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        try await stage.locate(stage.users[0], at: 1, 1, in: chat)
        let client = stage.watch(stage.users[0])
        try await stage.settle()
        #expect(stage.seen(by: client).isEmpty && stage.clients[client]?.total == 0)
    }

    @Test func `a person in two common chats is listed twice, at the last location in each`() async throws {
        let stage = try await PeopleStage(people: 2)
        let group = try await stage.start(stage.users)
        let pair = try await stage.start(stage.users, isOneToOne: true)
        try await stage.locate(stage.users[0], at: 1, 1, in: group)
        try await stage.locate(stage.users[0], at: 2, 2, in: pair)
        let client = stage.watch(stage.users[1])
        try await stage.settle()
        #expect(stage.seen(by: client) == ["0 at 1.0", "0 at 2.0"])
        #expect(stage.clients[client]?.total == 2)
        #expect(Set(stage.clients[client]?.people.keys.map(\.chat) ?? []) == [group, pair])
    }

    @Test func `a person who leaves is no longer seen, and sees no one`() async throws {
        let stage = try await PeopleStage(people: 3)
        let chat = try await stage.start(stage.users)
        for (index, user) in stage.users.enumerated() {
            try await stage.locate(user, at: Double(index), 0, in: chat)
        }
        let (leaving, staying) = (stage.watch(stage.users[0]), stage.watch(stage.users[1]))
        try await stage.settle()
        #expect(stage.seen(by: leaving) == ["1 at 1.0", "2 at 2.0"])
        #expect(stage.seen(by: staying) == ["0 at 0.0", "2 at 2.0"])

        try await stage.act(.leave, stage.users[0], chat)
        try await stage.locate(stage.users[2], at: 3, 0, in: chat)
        try await stage.settle()
        #expect(stage.seen(by: leaving).isEmpty && stage.clients[leaving]?.total == 0)
        #expect(stage.seen(by: staying) == ["2 at 3.0"] && stage.clients[staying]?.total == 1)
    }

    @Test func `a later participant sees people from their own join on`() async throws {
        let stage = try await PeopleStage(people: 3)
        let chat = try await stage.start([stage.users[0], stage.users[1]])
        try await stage.locate(stage.users[0], at: 1, 1, in: chat)
        try await stage.locate(stage.users[1], at: 2, 2, in: chat)
        let client = stage.watch(stage.users[2])
        try await stage.settle()
        try await stage.act(.add([stage.users[2]]), stage.users[0], chat)
        try await stage.settle()
        #expect(stage.seen(by: client).isEmpty && stage.clients[client]?.total == 0)
        try await stage.locate(stage.users[1], at: 3, 3, in: chat)
        try await stage.settle()
        #expect(stage.seen(by: client) == ["1 at 3.0"] && stage.clients[client]?.total == 1)

        // Who begins to watch after the join is told the same.
        let other = stage.watch(stage.users[2])
        try await stage.settle()
        #expect(stage.seen(by: other) == ["1 at 3.0"])
    }

    @Test func `a person who joins again is at their last position, for viewers who could see it`()
        async throws
    {
        let stage = try await PeopleStage(people: 3)
        let chat = try await stage.start([stage.users[0], stage.users[1]])
        try await stage.locate(stage.users[1], at: 1, 1, in: chat)
        let (old, new) = (stage.watch(stage.users[0]), stage.watch(stage.users[2]))
        try await stage.act(.leave, stage.users[1], chat)
        try await stage.act(.add([stage.users[2], stage.users[1]]), stage.users[0], chat)
        try await stage.settle()
        #expect(stage.seen(by: old) == ["1 at 1.0"])
        #expect(stage.seen(by: new).isEmpty)
    }

    @Test func `a location that was taken back gives way to the one before`() async throws {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        let first = try await stage.locate(stage.users[0], at: 1, 1, in: chat)
        let second = try await stage.locate(stage.users[0], at: 2, 2, in: chat)
        let client = stage.watch(stage.users[1])
        try await stage.settle()
        try await stage.act(.recall(number: second), stage.users[0], chat)
        try await stage.settle()
        #expect(stage.seen(by: client) == ["0 at 1.0"])
        try await stage.act(.recall(number: first), stage.users[0], chat)
        try await stage.settle()
        #expect(stage.seen(by: client).isEmpty && stage.clients[client]?.total == 0)
    }

    @Test func `a late location moves nobody, and counts once the newest is taken back`() async throws {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        try await stage.locate(stage.users[0], at: 1, 1, in: chat, before: .seconds(90))
        let newest = try await stage.locate(stage.users[0], at: 2, 2, in: chat)
        let client = stage.watch(stage.users[1])
        try await stage.settle()
        try await stage.locate(stage.users[0], at: 3, 3, in: chat, before: .seconds(60))
        try await stage.settle()
        #expect(stage.seen(by: client) == ["0 at 2.0"])
        try await stage.act(.recall(number: newest), stage.users[0], chat)
        try await stage.settle()
        #expect(stage.seen(by: client) == ["0 at 3.0"])
    }

    @Test func `a location that has expired gives way to the one before`() async throws {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        try await stage.locate(stage.users[0], at: 1, 1, in: chat)
        try await stage.locate(stage.users[0], at: 2, 2, in: chat, for: .seconds(60))
        let client = stage.watch(stage.users[1])
        try await stage.settle()
        #expect(stage.seen(by: client) == ["0 at 2.0"])
        try await stage.wait(.seconds(60))
        try await stage.settle()
        #expect(stage.seen(by: client) == ["0 at 1.0"])
    }

    @Test func `a location that had expired before it came leaves somebody where they were`() async throws {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        try await stage.locate(stage.users[0], at: 1, 1, in: chat)
        let client = stage.watch(stage.users[1])
        try await stage.settle()
        try await stage.locate(stage.users[0], at: 2, 2, in: chat, for: .seconds(5))
        try await stage.wait(.seconds(5))
        stage.deliverNews()
        stage.distribute()
        #expect(stage.seen(by: client) == ["0 at 1.0"])
    }

    @Test func `a location taken back while the store says where somebody was isn't told again`() async throws
    {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        let first = try await stage.locate(stage.users[0], at: 1, 1, in: chat)
        let second = try await stage.locate(stage.users[0], at: 2, 2, in: chat)
        let client = stage.watch(stage.users[1])
        try await stage.settle()
        try await stage.act(.recall(number: second), stage.users[0], chat)
        stage.deliverNews()
        try await stage.answer()
        try await stage.act(.recall(number: first), stage.users[0], chat)
        stage.deliverNews()
        stage.deliverAnswer()
        stage.distribute()
        #expect(stage.seen(by: client).isEmpty)
        try await stage.settle()
        #expect(stage.seen(by: client).isEmpty && stage.clients[client]?.total == 0)
    }

    @Test func `a step across the antimeridian is told as a move`() async throws {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        try await stage.locate(stage.users[0], at: -16.8, 179.9999, in: chat)
        let region = try #require(Region(west: 179, south: -20, east: -179, north: -10))
        let client = stage.watch(stage.users[1], region)
        try await stage.settle()
        try await stage.locate(stage.users[0], at: -16.7, -179.9999, in: chat)
        try await stage.settle()
        #expect(stage.seen(by: client) == ["0 at -16.7"] && stage.clients[client]?.total == 1)
        try await stage.locate(stage.users[0], at: -16.7, -178.9999, in: chat)
        try await stage.settle()
        #expect(stage.seen(by: client).isEmpty && stage.clients[client]?.total == 0)
    }

    @Test func `a message that nobody keeps moves nobody`() throws {
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 1))
        let (chat, sender) = (ChatID.random(), UserID.random())
        let time = Timestamp(milliseconds: 1)
        let data = MessageData(position: Position(coordinate: coordinate, timestamp: time))
        let message = {
            Message(chat: chat, number: $0, sender: sender, tag: .location, data: data, time: time)
        }
        #expect(PeopleChange(message(nil), moved: [], recalled: nil) == nil)
        #expect(PeopleChange(message(1), moved: [], recalled: nil) != nil)
    }

    @Test func `a chat that changes faster than it is read is read again`() async throws {
        let stage = try await PeopleStage(people: 2)
        let chat = try await stage.start(stage.users)
        let client = stage.watch(stage.users[1])
        stage.deliverNews()
        try await stage.answer()
        stage.deliverAnswer()
        try await stage.answer()
        for step in 0..<5_000 {
            try await stage.locate(stage.users[0], at: Double(step % 80), 1, in: chat)
            stage.deliverNews()
        }
        stage.deliverAnswer()
        #expect(stage.waiting.requests == 1)
        try await stage.settle()
        try await stage.check("read again")
        #expect(stage.seen(by: client) == ["0 at 39.0"])
    }

    @Test func `a viewer whose chats can't be read is named, and data that only they needed is removed`()
        async throws
    {
        let stage = try await PeopleStage(people: 3)
        let chat = try await stage.start(stage.users)
        let user = stage.users[1]
        #expect(!stage.map.enter(user))
        let requests = stage.map.takeRequests()
        let listing = try #require(requests.first)
        #expect(requests.count == 1 && stage.map.fail(listing) == [user])
        stage.map.leave(user)
        #expect(stage.map.fail(listing).isEmpty)

        #expect(!stage.map.enter(user))
        guard case .chats(_, let number) = stage.map.takeRequests().first else { return }
        stage.map.take([chat], of: user, listing: number)
        #expect(stage.map.takeRequests() == [.everyone(in: chat)] && stage.map.takeReady().isEmpty)
        #expect(stage.map.fail(.everyone(in: chat)) == [user])
        stage.map.leave(user)
        #expect(stage.map.chatCount == 0 && stage.map.viewerCount == 0)
    }
}

extension PeopleStage {
    /// Whom a client has on its list, by their place among the users and their latitude.
    fileprivate func seen(by client: Int) -> [String] {
        let people = clients[client]?.people.values.map { $0 } ?? []
        return people.map { person in
            let number = users.firstIndex(of: person.key.user) ?? -1
            return "\(number) at \(person.sighting.position.coordinate.latitude)"
        }.sorted()
    }
}

/// People who do whatever people do, at random, while news and answers come as late as they like.
private struct PeopleDrama {
    let stage: PeopleStage
    private var random: SeededGenerator

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        stage = try await PeopleStage(people: 7)
    }

    mutating func act() async throws {
        let (user, other) = (person(), person())
        let chat = stage.chats.randomElement(using: &random) ?? .random(using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: try await locate(user, in: chat)
        case 30..<36: await attempt(.recall(number: .random(in: 1...30, using: &random)), user, chat)
        case 36..<39: await attempt(.leave, user, chat)
        case 39..<44: await attempt(.add([other]), user, chat)
        case 44..<46: try await start()
        case 46..<47: try await stage.rename(user, to: "Name \(Int.random(in: 0..<99, using: &random))")
        case 47..<49: try await stage.wait(.seconds(Int.random(in: 0..<40, using: &random)))
        case 49..<53: watch(user)
        case 53..<56: stage.clients.keys.sorted().randomElement(using: &random).map { stage.end($0) }
        case 56..<60: move()
        case 60..<75: stage.deliverNews()
        case 75..<84: try await stage.answer(.random(in: 0...2, using: &random))
        case 84..<94: stage.deliverAnswer(.random(in: 0...2, using: &random))
        default: stage.distribute()
        }
    }

    private mutating func person() -> UserID {
        stage.users[Int.random(in: 0..<stage.users.count, using: &random)]
    }

    private mutating func locate(_ user: UserID, in chat: ChatID) async throws {
        guard try await isPresent(user, in: chat) else { return }
        if Int.random(in: 0..<12, using: &random) == 0 {
            return await attempt(.message(MessageDraft(tag: .location, content: "nowhere")), user, chat)
        }
        let place = Coordinate(RegionCases.place(using: &random))
        let lifetime = Int.random(in: -5..<60, using: &random)
        try await stage.locate(
            user,
            at: place.latitude,
            place.longitude,
            in: chat,
            for: Int.random(in: 0..<3, using: &random) == 0 ? .seconds(lifetime) : nil
        )
    }

    private func isPresent(_ user: UserID, in chat: ChatID) async throws -> Bool {
        stage.chats.contains(chat) ? try await stage.store.chat(chat).isPresent(user) : false
    }

    /// What people may not do is refused, and nothing happens.
    private func attempt(_ action: Submission.Action, _ user: UserID, _ chat: ChatID) async {
        _ = try? await stage.act(action, user, chat)
    }

    private mutating func start() async throws {
        let people = stage.users.shuffled(using: &random)
        let isOneToOne = Bool.random(using: &random)
        guard isOneToOne || stage.chats.count < 8 else { return }
        let count = isOneToOne ? 2 : Int.random(in: 2...5, using: &random)
        try await stage.start(Array(people.prefix(count)), isOneToOne: isOneToOne)
    }

    private mutating func watch(_ user: UserID) {
        guard stage.clients.count < 8 else { return }
        let limit = [0, 1, 3, 300].randomElement(using: &random) ?? 300
        stage.watch(user, RegionCases.region(using: &random), limit: limit)
    }

    private mutating func move() {
        guard let client = stage.clients.keys.sorted().randomElement(using: &random) else { return }
        stage.move(client, to: RegionCases.region(using: &random))
    }
}
