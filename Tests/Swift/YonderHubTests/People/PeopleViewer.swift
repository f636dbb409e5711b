import NIOCore
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// Somebody who watches a region of people, and does with each frame what a client does.
struct PeopleViewer {
    let client: FakeClient
    let user: UserID
    let id: Int64
    let limit: Int
    private(set) var region: Region
    private(set) var topic: Int64?
    private(set) var step: Int64?
    private(set) var isCurrent = false
    private(set) var total: Int?
    private(set) var people: [RegionKey: RegionPerson] = [:]
    private var lastStep: Int64 = 0

    /// Subscribes; the answer is still to come.
    init(_ client: FakeClient, _ user: User, in region: Region = .everywhere, id: Int64 = 1, limit: Int = 300)
        async throws
    {
        self.client = client
        self.user = user.id
        self.region = region
        self.id = id
        self.limit = limit
        let query = PeopleRegionQuery(in: region, limit: limit)
        try await client.send(.subscribe(id: id, query: .people(query)))
    }

    /// Connects somebody of a harness, subscribes them, and takes the answer.
    init(_ harness: ExchangeHarness, _ index: Int, in region: Region = .everywhere, limit: Int = 300)
        async throws
    {
        try await self.init(harness.connect(index), harness.people[index], in: region, limit: limit)
        try await answered()
    }

    /// Asks to be moved; the answer is still to come.
    mutating func move(to region: Region) async throws {
        lastStep += 1
        self.region = region
        try await client.send(.move(id: id, step: lastStep, region: region))
    }

    /// Takes frames until the last step is answered whole.
    mutating func answered() async throws {
        while !isCurrent || step != lastStep { try await takeNext() }
    }

    /// Takes frames until what is here is what is so, which must come to pass.
    mutating func settle(_ town: PeopleTown) async throws {
        try await answered()
        while try await !isTrue(town) { try await takeNext() }
    }

    /// Whether the list is a part of whom they may see inside, as long as it must be, and the total exact.
    func isTrue(_ town: PeopleTown) async throws -> Bool {
        let truth = try await town.people(for: user).filter { person in
            region.contains(person.position.coordinate.rounded)
        }
        guard total == truth.count, people.count == min(limit, truth.count) else { return false }
        let byKey = Dictionary(truth.map { ($0.key, $0) }) { first, _ in first }
        return people.allSatisfy { byKey[$0.key] == $0.value }
    }

    /// Takes the next frame of the region, and answers it.
    @discardableResult
    mutating func takeNext() async throws -> RegionFrame {
        let (id, topic) = (self.id, self.topic)
        let frame = try await client.next { frame in
            frame.region.flatMap { $0.answer?.id == id || $0.topic == topic ? $0 : nil }
        }
        try apply(frame)
        return frame
    }

    /// Expects that nothing is told of what happened so far.
    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await client.send(#"{"type":"ping"}"#)
        let frame = try await client.next()
        #expect(frame?.pong != nil, "\(String(describing: frame))", sourceLocation: sourceLocation)
    }

    /// Whom they have on the list: the place among the harness's people, and the latitude.
    func seen(_ harness: ExchangeHarness) -> [String] {
        people.values.map { person in
            let number = harness.people.firstIndex { $0.id == person.user } ?? -1
            return "\(number) at \(person.position.coordinate.latitude)"
        }.sorted()
    }

    private mutating func apply(_ frame: RegionFrame) throws {
        topic = frame.topic
        if let answer = frame.answer {
            step = answer.step
            isCurrent = answer.isCurrent
            #expect(frame.total != nil, "an answer has the total")
        }
        for key in frame.left { #expect(people.removeValue(forKey: key) != nil, "left twice") }
        for item in frame.entered {
            #expect(people.updateValue(try person(item), forKey: item.key) == nil, "entered twice")
        }
        for item in frame.changed {
            #expect(people.updateValue(try person(item), forKey: item.key) != nil, "changed and not there")
        }
        for move in frame.moved { try apply(move) }
        total = frame.total ?? total
        #expect(people.count <= limit)
    }

    private mutating func apply(_ move: RegionMove) throws {
        guard case .person(let moved) = move, let known = people[move.key] else {
            Issue.record("moved and not there")
            return
        }
        #expect(moved.name == nil)
        people[move.key] = moved.named(known.name)
    }

    private func person(_ item: RegionItem) throws -> RegionPerson {
        guard case .person(let person) = item else { throw ChannelError.eof }
        #expect(person.name != nil && person.user != user)
        return person
    }
}

extension RegionPerson {
    /// The same, called something.
    func named(_ name: String?) -> RegionPerson {
        RegionPerson(chat: chat, user: user, name: name, number: number, time: time, position: position)
    }
}

/// The people of a harness and their chats: what they do, and what the log says of it.
struct PeopleTown {
    let harness: ExchangeHarness
    var chats: [ChatID]
    private var nextKey = 0

    init(_ harness: ExchangeHarness) {
        self.harness = harness
        chats = [harness.chat]
    }

    private var store: MemoryStore { harness.store }

    /// Starts a group.
    @discardableResult
    mutating func start(_ people: Int...) async throws -> ChatID {
        let users = people.map { harness.people[$0].id }
        for user in users.dropFirst() { try await store.connect(users[0], user) }
        let wish = ChatStart(creator: users[0], invitees: Array(users.dropFirst()))
        let chat = try await harness.exchange.start(wish, under: .server).chat.id
        chats.append(chat)
        return chat
    }

    /// Does something in a chat, the harness's if nobody says.
    @discardableResult
    mutating func act(_ action: Submission.Action, _ person: Int, in chat: ChatID? = nil) async throws
        -> Int64
    {
        nextKey += 1
        let submission = Submission(
            chat: chat ?? harness.chat,
            sender: harness.people[person].id,
            key: "\(nextKey)",
            action: action,
            time: .now
        )
        return try await harness.exchange.submit(submission).message.logNumber
    }

    /// Says where somebody is.
    @discardableResult
    mutating func locate(
        _ person: Int,
        _ latitude: Double,
        _ longitude: Double,
        in chat: ChatID? = nil,
        expires: Timestamp? = nil
    ) async throws -> Int64 {
        try await act(.message(try Self.location(latitude, longitude, expires: expires)), person, in: chat)
    }

    /// A message that says where somebody is.
    static func location(_ latitude: Double, _ longitude: Double, expires: Timestamp? = nil) throws
        -> MessageDraft
    {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let position = Position(coordinate: coordinate, timestamp: Timestamp(milliseconds: 1_700_000_000_000))
        return MessageDraft(tag: .location, data: MessageData(position: position), expires: expires)
    }

    /// Whom a user may see, by the messages alone.
    func people(for user: UserID) async throws -> [RegionPerson] {
        var people: [RegionPerson] = []
        for id in chats {
            let chat = try await store.chat(id)
            guard let reader = chat.participant(user), reader.isPresent else { continue }
            for other in chat.participants where other.isPresent && other.user != user {
                guard let last = try await last(of: other.user, in: id), reader.mayRead(last.number ?? 0)
                else {
                    continue
                }
                people.append(last)
            }
        }
        return people
    }

    /// Reads all that somebody said, as themselves.
    private func last(of user: UserID, in chat: ChatID) async throws -> RegionPerson? {
        let query = MessageQuery(chat: chat, tag: .location, sender: user, limit: MessageQuery.maximumLimit)
        let answer = try await store.messages(query, reader: user, now: .now)
        guard let message = answer.messages.last(where: { $0.position != nil }),
            let position = message.position
        else { return nil }
        let name = try await store.account(user).user.name
        return RegionPerson(
            chat: chat,
            user: user,
            name: name,
            number: message.number,
            time: message.time,
            position: position
        )
    }
}
