import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

/// People in chats of a store, the map of them, and what clients make of what they are told.
///
/// What was committed reaches the map in order but late, and so do the store's answers: both wait until they are
/// delivered.
final class PeopleStage {
    /// What one client has.
    struct Client {
        let user: UserID
        var region: Region
        let limit: Int
        var watcher: RegionBoard.Watcher?
        var people: [Person.Key: Person] = [:]
        var total: Int?
    }

    /// Something that is on its way to the map.
    private enum News {
        case change(PeopleChange)
        case started(Chat)
        case renamed(UserID)
    }

    let store = MemoryStore()
    private(set) lazy var map = PeopleMap(
        onEvent: { [unowned self] in board.receive($0) },
        onSight: { [unowned self] in tell($0) }
    )
    private var board = RegionBoard()
    private(set) var users: [UserID] = []
    private(set) var chats: [ChatID] = []
    private(set) var clients: [Int: Client] = [:]
    private(set) var now = Timestamp(milliseconds: 1_700_000_000_000)

    private var names: [UserID: String] = [:]
    private var logs: [ChatID: [Message]] = [:]
    private var recalled: Set<Message.ID> = []
    private var news: [News] = []
    private var requests: [PeopleRequest] = []
    private var answers: [() -> Void] = []
    private var nextClient = 0
    private var nextKey = 0

    /// Creates so many people, all contacts of each other.
    init(people count: Int) async throws {
        for number in 0..<count {
            var random = SeededGenerator(seed: UInt64(number))
            let user = User(id: .random(using: &random), name: "Person \(number)")
            try await store.createAccount(Account(user: user, created: now))
            for other in users { try await store.connect(user.id, other) }
            users.append(user.id)
            names[user.id] = user.name
        }
    }

    // MARK: What people do

    /// Starts a chat, or goes back to the pair's.
    @discardableResult
    func start(_ people: [UserID], isOneToOne: Bool = false) async throws -> ChatID {
        let wish = ChatStart(creator: people[0], invitees: Array(people.dropFirst()), isOneToOne: isOneToOne)
        let commits = Mutex<[StoreCommit]>([])
        store.outlet.connect { commit in commits.withLock { $0.append(commit) } }
        let outcome = try await store.start(wish, at: now)
        let chat = outcome.chat
        for acceptance in commits.withLock(\.self).flatMap(\.messages) {
            logs[chat.id, default: []].append(acceptance.message)
            if let change = PeopleChange(acceptance.message, moved: acceptance.moved, recalled: nil) {
                news.append(.change(change))
            }
        }
        if !outcome.existed {
            chats.append(chat.id)
            news.append(.started(chat))
        }
        return chat.id
    }

    @discardableResult
    func act(_ action: Submission.Action, _ user: UserID, _ chat: ChatID) async throws -> Int64 {
        nextKey += 1
        let submission = Submission(chat: chat, sender: user, key: "\(nextKey)", action: action, time: now)
        let acceptance = try await store.submit(submission)
        let message = acceptance.message
        logs[chat, default: []].append(message)
        if let recalled = acceptance.recalled { self.recalled.insert(recalled.id) }
        let change = PeopleChange(message, moved: acceptance.moved, recalled: acceptance.recalled)
        if let change { news.append(.change(change)) }
        return message.logNumber
    }

    @discardableResult
    func locate(
        _ user: UserID,
        at latitude: Double,
        _ longitude: Double,
        in chat: ChatID,
        for lifetime: Duration? = nil,
        before: Duration = .zero
    ) async throws -> Int64 {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let data = MessageData(position: Position(coordinate: coordinate, timestamp: now - before))
        let draft = MessageDraft(tag: .location, data: data, expires: lifetime.map { now + $0 })
        return try await act(.message(draft), user, chat)
    }

    func rename(_ user: UserID, to name: String) async throws {
        _ = try await store.update(user, profile: Profile(name: name))
        names[user] = name
        news.append(.renamed(user))
    }

    func wait(_ duration: Duration) async throws {
        now = now + duration
        try await store.expire(at: now, limit: .max)
        map.expire(at: now)
        collect()
    }

    // MARK: Who watches

    @discardableResult
    func watch(_ user: UserID, _ region: Region = .everywhere, limit: Int = 300) -> Int {
        nextClient += 1
        clients[nextClient] = Client(user: user, region: region, limit: limit)
        let isReady = map.enter(user)
        collect()
        if isReady { begin(nextClient) }
        return nextClient
    }

    func move(_ client: Int, to region: Region) {
        clients[client]?.region = region
        guard let watcher = clients[client]?.watcher else { return }
        map.visit { board.move(watcher, to: region, in: $0) }
    }

    func end(_ client: Int) {
        guard let ended = clients.removeValue(forKey: client) else { return }
        if let watcher = ended.watcher { board.end(watcher) }
        map.leave(ended.user)
        collect()
    }

    private func begin(_ client: Int) {
        guard let begun = clients[client], begun.watcher == nil else { return }
        let isVisible = map.visibility(for: begun.user)
        map.visit { index in
            clients[client]?.watcher = board.begin(
                begun.region,
                limit: begun.limit,
                in: index,
                isVisible: isVisible
            )
        }
    }

    private func tell(_ sight: PeopleMap.Sight) {
        for client in clients.values where client.user == sight.viewer {
            guard let watcher = client.watcher else { continue }
            if sight.isVisible {
                board.appeared(sight.id, at: sight.coordinate, to: watcher)
            } else {
                board.disappeared(sight.id, at: sight.coordinate, to: watcher)
            }
        }
    }

    // MARK: What is on its way

    /// Delivers the oldest piece of news.
    func deliverNews() {
        guard !news.isEmpty else { return }
        switch news.removeFirst() {
        case .change(let change): map.receive(change)
        case .started(let chat): map.started(chat)
        case .renamed(let user): map.renamed(user)
        }
        collect()
    }

    /// Has the store answer one request; the answer is on its way.
    func answer(_ index: Int = 0) async throws {
        guard index < requests.count else { return }
        switch requests.remove(at: index) {
        case .chats(let user, let listing):
            let mine = try await store.chats(of: user).map(\.id)
            answers.append { [map] in map.take(mine, of: user, listing: listing) }
        case .everyone(let chat):
            let found = try await store.lastLocations(in: chat, of: nil, now: now)
            answers.append { [map, names] in map.take(found, names: names) }
        case .some(let users, let chat):
            let found = try await store.lastLocations(in: chat, of: users, now: now)
            answers.append { [map, names] in map.take(found, names: names, of: users) }
        }
    }

    func deliverAnswer(_ index: Int = 0) {
        guard index < answers.count else { return }
        answers.remove(at: index)()
        collect()
    }

    /// How much is on its way.
    var waiting: (requests: Int, answers: Int) { (requests.count, answers.count) }

    /// Delivers all there is, and tells everyone.
    func settle() async throws {
        while !news.isEmpty || !requests.isEmpty || !answers.isEmpty {
            while !news.isEmpty { deliverNews() }
            while !requests.isEmpty { try await answer() }
            while !answers.isEmpty { deliverAnswer() }
        }
        distribute()
    }

    private func collect() {
        requests += map.takeRequests()
        for user in map.takeReady() {
            for (client, known) in clients where known.user == user { begin(client) }
        }
    }

    /// Tells everyone what they are to be told.
    func distribute() {
        for watcher in board.takeDirty() {
            guard let client = clients.first(where: { $0.value.watcher == watcher })?.key else { continue }
            drain(client, watcher)
        }
        map.release { board.isHeld($0) }
    }

    private func drain(_ client: Int, _ watcher: RegionBoard.Watcher) {
        guard var told = clients[client] else { return }
        var total: Int?
        map.visit { index in
            total = board.drain(watcher, in: index) { id, passage in
                let key = map.key(of: id)
                #expect(key.user != told.user)
                switch passage {
                case .left: #expect(told.people.removeValue(forKey: key) != nil)
                case .entered: #expect(told.people.updateValue(map.person(id), forKey: key) == nil)
                case .changed, .moved: #expect(told.people.updateValue(map.person(id), forKey: key) != nil)
                }
            }
        }
        told.total = total ?? told.total
        clients[client] = told
    }

    // MARK: What should be so

    /// Compares what everyone was told with what the messages say.
    func check(_ comment: Comment) async throws {
        for client in clients.values {
            let expected = try await expected(client)
            #expect(client.total == expected.count, comment)
            #expect(client.people.count == min(client.limit, expected.count), comment)
            for (key, person) in client.people { #expect(person == expected[key], comment) }
        }
    }

    private func expected(_ client: Client) async throws -> [Person.Key: Person] {
        var expected: [Person.Key: Person] = [:]
        for id in chats {
            let chat = try await store.chat(id)
            guard let reader = chat.participant(client.user), reader.isPresent else { continue }
            for other in chat.participants where other.isPresent && other.user != client.user {
                guard let sighting = last(of: other.user, in: id), reader.mayRead(sighting.number),
                    client.region.contains(sighting.coordinate)
                else { continue }
                let key = Person.Key(chat: id, user: other.user)
                expected[key] = Person(key: key, name: names[other.user] ?? "", sighting: sighting)
            }
        }
        return expected
    }

    private func last(of user: UserID, in chat: ChatID) -> Sighting? {
        let remaining = (logs[chat] ?? []).reversed().lazy.filter { [recalled, now] message in
            message.sender == user && !message.isExpired(at: now) && !recalled.contains(message.id)
        }
        return remaining.compactMap(Sighting.init).first
    }
}

extension [Person.Key: Person] {
    /// Puts somebody in, unless they aren't there; what was there before.
    fileprivate mutating func updateValue(_ person: Person?, forKey key: Person.Key) -> Person? {
        #expect(person?.key == key)
        return person.flatMap { updateValue($0, forKey: key) }
    }
}
