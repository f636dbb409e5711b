import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let signInEnds = [
        StoreRule("a started share ends once, with the last sign-in that fed it, in the same commit") {
            town in
            let walk = try await Walk(town, sessions: 2)
            let share = try await walk.start(by: 0)
            let fed = try await walk.locate(by: 1, share)
            #expect(fed.shares.isEmpty, "nobody is sent who feeds a share")
            let told = Told(by: town.store)
            try await walk.end(0)
            #expect(told.take().flatMap(\.messages).isEmpty)
            #expect(try await walk.ending(share) == nil)
            try await walk.end(1)
            let commits = told.take()
            #expect(commits.count == 1 && commits.first?.signIns.count == 1)
            #expect(commits.first?.messages.map(\.shares.first?.end?.ending) == [.stopped])
            #expect(try await walk.tags == [.share, .location, .share])
            #expect(try await walk.states == ["started", "stopped"])
            let named = try await walk.session()
            await expectRefusal(.shareEnded) { try await walk.locate(by: named, share) }
            await expectRefusal(.shareEnded) { try await walk.locate(by: named, nil) }
        },
        StoreRule("a share ends with its sign-ins in whichever way they end") { town in
            for way in Way.allCases {
                let walk = try await Walk(town, sessions: 1)
                let share = try await walk.start(by: 0)
                try await walk.end(by: way)
                #expect(try await walk.ending(share) == .stopped, "\(way)")
                #expect(try await walk.states == ["started", "stopped"], "\(way)")
            }
        },
        StoreRule("a share goes on that another sign-in feeds, in whichever way the first ends") { town in
            for way in Way.allCases where !way.endsAll {
                let walk = try await Walk(town, sessions: 1)
                let share = try await walk.start(by: 0)
                let token = try await walk.token()
                try await walk.locate(by: token, share)
                try await walk.end(by: way)
                #expect(try await walk.ending(share) == nil, "\(way)")
                try await town.store.removeCredentials(
                    of: walk.person,
                    kinds: [.token],
                    except: nil,
                    at: town.now
                )
                #expect(try await walk.ending(share) == .stopped, "\(way)")
            }
        },
        StoreRule("an implicit share ends with its sign-in, and the next position begins another") { town in
            let walk = try await Walk(town, sessions: 2)
            try await walk.locate(by: 0, nil)
            let share = try #require(try await town.store.shares().first)
            try await walk.end(1)
            #expect(try await walk.ending(share.id) == nil)
            try await walk.end(0)
            #expect(try await walk.ending(share.id) == .signedOut)
            try await walk.locate(by: try await walk.session(), nil)
            #expect(try await town.store.shares().count { $0.end == nil } == 1)
        },
        StoreRule("a share that takes over an implicit one is fed by that one's sign-in, too") { town in
            let walk = try await Walk(town, sessions: 2)
            try await walk.locate(by: 0, nil)
            let share = try await walk.start(by: 1)
            try await walk.end(1)
            #expect(try await walk.ending(share) == nil)
            try await walk.end(0)
            #expect(try await walk.ending(share) == .stopped)
        },
        StoreRule("the newest four sign-ins are kept, and a full list changes once a minute") { town in
            let walk = try await Walk(town, sessions: 6)
            let share = try await walk.start(by: 0)
            for number in 1...4 {
                try await walk.locate(by: number, share, at: town.now + .seconds(60 * Int64(number)))
            }
            try await walk.locate(by: 5, share, at: town.now + .seconds(270))
            #expect(try await walk.feeders(share) == [1, 2, 3, 4])
            for number in [1, 2, 3] { try await walk.end(number) }
            #expect(try await walk.ending(share) == nil)
            try await walk.end(4)
            #expect(try await walk.ending(share) == .stopped)
        },
        StoreRule("a share of which no sign-in is known runs on until its person goes") { town in
            let walk = try await Walk(town, sessions: 1)
            let start = Submission.Action.startShare(.random(), ShareWish())
            let share = try #require(try await town.perform(start, walk.person, walk.chat).shares.first)
            try await walk.end(0)
            #expect(try await walk.ending(share.id) == nil)
            try await town.store.remove(walk.person, at: town.now)
            #expect(try await walk.ending(share.id) == .stopped)
        },
        StoreRule("a heartbeat's sign-in is noted once, and not for a share that has ended or is implicit") {
            town in
            let walk = try await Walk(town, sessions: 3)
            let id = try await walk.start(by: 0)
            let share = try #require(try await town.store.shares().first)
            for _ in 0..<2 { #expect(try await walk.feed(share, by: 1)) }
            #expect(try await walk.feeders(id) == [0, 1])
            try await walk.end(2)
            await expectRefusal(.notSignedIn) { try await walk.feed(share, by: 2) }
            for number in [0, 1] { try await walk.end(number) }
            #expect(try await walk.ending(id) == .stopped)
            #expect(try await !walk.feed(share, by: try await walk.session()))
            let other = try await Walk(town, sessions: 1)
            try await other.locate(by: 0, nil)
            let implicit = try #require(try await town.store.shares().first { $0.user == other.person })
            #expect(try await !other.feed(implicit, by: 0))
        },
        StoreRule("sign-ins of several people end at once, and each of their shares in common chats once") {
            town in
            let people = try await town.people(4)
            var chats: [ChatID] = []
            for _ in 0..<6 { chats.append(try await town.group(people)) }
            for (index, person) in people.enumerated() {
                try await town.store.createCredential(town.credential(.session, of: person, index + 1))
                for chat in index.isMultiple(of: 2) ? chats : chats.reversed() {
                    try await town.store.submit(
                        Submission(
                            chat: chat,
                            sender: person,
                            key: "start",
                            action: .startShare(.random(), ShareWish()),
                            time: town.now,
                            source: SecretHash.made(of: index + 1).source
                        )
                    )
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, person) in people.enumerated() {
                    group.addTask {
                        try await town.store.removeCredential(.made(of: index + 1), of: person, at: town.now)
                    }
                    group.addTask {
                        // Whoever comes second finds nothing.
                        try await town.store.removeCredential(.made(of: index + 1), of: person, at: town.now)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await town.store.shares().allSatisfy { $0.end?.ending == .stopped })
            for chat in chats {
                #expect(try await town.read(chat, people[0]).map(\.tag) == Array(repeating: .share, count: 8))
            }
        },
    ]
}

/// The ways in which all sessions of a person end.
private enum Way: CaseIterable {
    case signedOut, allSignedOut, password, expired, expiredAtSignIn, disabled, removed

    /// Whether nothing of the person's may share after it.
    var endsAll: Bool { self == .disabled || self == .removed }
}

/// A person with sign-ins by numbers, in a chat with another one.
private final class Walk: Sendable {
    let town: StoreTown
    let person: UserID
    let other: UserID
    let chat: ChatID
    private let secrets = Recorder<SecretHash>()

    init(_ town: StoreTown, sessions: Int) async throws {
        self.town = town
        let people = try await town.people(2)
        (person, other) = (people[1], people[0])
        chat = try await town.group(people)
        for _ in 0..<sessions { _ = try await session() }
    }

    /// A new session that runs out after a hundred years: by PostgreSQL's own clock, too, it is good.
    @discardableResult
    func session() async throws -> Int { try await add(.session, for: .seconds(36_500 * 86_400)) }

    func token() async throws -> Int { try await add(.token, for: nil) }

    private func add(_ kind: Credential.Kind, for lifetime: Duration?) async throws -> Int {
        let (secret, now) = (SecretHash.random(), town.now)
        let expires = lifetime.map { now + $0 }
        try await town.store.createCredential(
            Credential(secret: secret, kind: kind, user: person, created: now, expires: expires)
        )
        secrets.record(secret)
        return secrets.values.count - 1
    }

    func start(by number: Int) async throws -> ShareID {
        try #require(try await perform(.startShare(.random(), ShareWish()), by: number).shares.first).id
    }

    @discardableResult
    func locate(by number: Int, _ share: ShareID?, at time: Timestamp? = nil) async throws
        -> Submission.Acceptance
    {
        let named = share.map { #","share":"\#($0)""# } ?? ""
        let data = MessageData(checked: Array(#"{"latitude":"1","longitude":"2"\#(named)}"#.utf8))
        let draft = MessageDraft(tag: .location, content: "", data: data)
        return try await perform(.message(draft), by: number, at: time)
    }

    @discardableResult
    func perform(_ action: Submission.Action, by number: Int, at time: Timestamp? = nil)
        async throws -> Submission.Acceptance
    {
        let key = "\(SecretHash.random().source)"
        return try await town.store.submit(
            Submission(
                chat: chat,
                sender: person,
                key: key,
                action: action,
                time: time ?? town.now,
                source: secrets.values[number].source
            )
        )
    }

    func feed(_ share: Share, by number: Int) async throws -> Bool {
        try await town.store.feed(share, by: secrets.values[number], at: town.now)
    }

    func end(_ number: Int) async throws {
        try await town.store.removeCredential(secrets.values[number], of: person, at: town.now)
    }

    func end(by way: Way) async throws {
        let (store, later) = (town.store, town.now + .seconds(36_501 * 86_400))
        switch way {
        case .signedOut: try await end(0)
        case .allSignedOut:
            try await store.removeCredentials(
                of: person,
                kinds: [.session, .link],
                except: nil,
                at: town.now
            )
        case .password:
            let end = CredentialEnd([.session])
            try await store.setPassword(person, hash: "new", ending: end, noting: [], at: town.now)
        case .expired: try await store.removeExpired(at: later)
        case .expiredAtSignIn:
            let link = Credential(secret: .random(), kind: .link, user: person, created: later, expires: nil)
            try await store.createCredential(link)
        case .disabled:
            var change = AccountChange()
            change.isDisabled = true
            _ = try await store.change(person, change, noting: [], at: town.now)
        case .removed: try await store.remove(person, at: town.now)
        }
    }

    func share(_ id: ShareID) async throws -> Share? { try await town.store.shares().first { $0.id == id } }

    func ending(_ id: ShareID) async throws -> Share.Ending? { try await share(id)?.end?.ending }

    /// The numbers of the sign-ins that feed a share.
    func feeders(_ id: ShareID) async throws -> [Int] {
        let sources = try await share(id)?.feeders.sources ?? []
        return sources.map { source in secrets.values.firstIndex { $0.source == source } ?? -1 }
    }

    var tags: [MessageTag] { get async throws { try await town.read(chat, other).map(\.tag) } }

    /// The states that the chat was told of.
    var states: [String] {
        get async throws {
            try await town.read(chat, other).filter { $0.tag == .share }.map { message in
                let words = ["started", "changed", "stopped", "expired"]
                return words.first { message.data?.json.contains("\"\($0)\"") ?? false } ?? ""
            }
        }
    }
}
