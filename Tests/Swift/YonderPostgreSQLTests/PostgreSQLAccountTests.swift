#if Postgres
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// What two nodes do at once: each test has two stores on one database.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLAccountTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)
    private let now = Self.now

    @Test func `of two accounts with one login that are made at once, one is made`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            for round in 0..<20 {
                let made = await race(one, other) { store in
                    try await store.createAccount(account(login: "ada\(round)"))
                }
                #expect(made == [nil, .nameTaken], "round \(round)")
            }
        }
    }

    @Test func `of two accounts that take one login at once, one gets it`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            for round in 0..<20 {
                let people = [account(), account()]
                for account in people { try await one.createAccount(account) }
                let users = people.map(\.user.id)
                var change = AccountChange()
                change.login = "ada\(round)"
                let made = await race([
                    { [change] in _ = try await one.change(users[0], change) },
                    { [change] in _ = try await other.change(users[1], change) },
                ])
                #expect(made == [nil, .nameTaken], "round \(round)")
            }
        }
    }

    @Test func `an invitation that two people accept at once makes one contact`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            for round in 0..<20 {
                let people = [account(), account(), account()]
                for account in people { try await one.createAccount(account) }
                let users = people.map(\.user.id)
                let secret = hash(round)
                try await one.createInvitation(invitation(secret, users[0]))
                let made = await race([
                    {
                        _ = try await one.accept(secret, by: users[1], at: Self.now)
                    },
                    {
                        _ = try await other.accept(secret, by: users[2], at: Self.now)
                    },
                ])
                #expect(made == [nil, .invitationUsed], "round \(round)")
                #expect(try await one.contacts(of: users[0]).count == 1)
            }
        }
    }

    @Test func `a link that is redeemed at once on two nodes gives one session`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let ada = account()
            try await one.createAccount(ada)
            for round in 0..<20 {
                let link = hash(round)
                let made = Credential(
                    secret: link,
                    kind: .link,
                    user: ada.user.id,
                    created: now,
                    expires: now + .seconds(60)
                )
                try await one.createCredential(made)
                let redeemed = await race(one, other) { store in
                    _ = try await store.startSession(.random(at: Self.now), by: .link(link))
                }
                #expect(redeemed == [nil, .invalidCredentials], "round \(round)")
                let sessions = try await one.credentials(of: ada.user.id).filter { $0.kind == .session }
                #expect(sessions.count == round + 1)
            }
        }
    }

    @Test func `of a block and its end at once, what is told last is what the database has`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let users = [account(), account()]
            for user in users { try await one.createAccount(user) }
            let (ada, ben) = (users[0].user.id, users[1].user.id)
            try await one.connect(ada, ben)
            let wish = ChatStart(creator: ada, invitees: [ben], isOneToOne: true)
            let chat = try await one.start(wish, at: Self.now).chat.id
            let told = [Told(by: one), Told(by: other)]
            for round in 0..<20 {
                _ = await race(one, other) { store in
                    if store === one {
                        _ = try await store.block(ben, by: ada)
                    } else {
                        _ = try await store.unblock(ben, by: ada)
                    }
                }
                let changes = told.flatMap { $0.take() }.flatMap(\.blocks).sorted { $0.number < $1.number }
                let closed = try await one.closedChats()[chat] != nil
                #expect(changes.count == 2 && changes.last?.isBlocked == closed, "round \(round)")
            }
        }
    }

    @Test func `two nodes together keep at most 100 open invitations of a user`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let ada = account()
            try await one.createAccount(ada)
            for _ in 0..<98 { try await one.createInvitation(invitation(randomHash(), ada.user.id)) }
            let made = await race(times: 10) { time in
                let store = time % 2 == 0 ? one : other
                try await store.createInvitation(invitation(randomHash(), ada.user.id))
            }
            #expect(made.count { $0 == nil } == 2)
            #expect(made.count { $0 == .tooMany } == 8)
        }
    }

    @Test func `two operators who remove each other at once leave one operator`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            var last: UserID?
            for round in 0..<10 {
                let people = [account(isOperator: true), account(isOperator: true)]
                for account in people { try await one.createAccount(account) }
                if let last { try await one.remove(last) }
                let users = people.map(\.user.id)
                let removed = await race([
                    { try await one.remove(users[0]) },
                    { try await other.remove(users[1]) },
                ])
                #expect(removed == [nil, .lastOperator], "round \(round)")
                last = try await one.accounts(after: nil, limit: 9).first?.user.id
            }
        }
    }

    @Test func `users who connect in both directions at once become contacts, whichever node they use`()
        async throws
    {
        try await TestDatabase.withTwoStores { one, other in
            let people = (0..<6).map { _ in account() }
            for account in people { try await one.createAccount(account) }
            let users = people.map(\.user.id)
            let pairs = users.indices.flatMap { left in users.indices.map { (left, $0) } }.filter { $0 != $1 }
            let made = await race(times: pairs.count) { time in
                let (left, right) = pairs[time]
                try await (left < right ? one : other).connect(users[left], users[right])
            }
            #expect(made.allSatisfy { $0 == nil })
            for user in users { #expect(try await other.contacts(of: user).count == 5) }
            #expect(try await one.users(Set(users)).allSatisfy { $0.hue != nil })
        }
    }

    @Test func `hues given at once by two nodes of a small server lie far apart`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            for _ in 0..<5 {
                let users = (0..<8).map { _ in account() }
                for account in users { try await one.createAccount(account) }
                let made = await race(times: 4) { time in
                    let pair = users[(2 * time)...].prefix(2).map(\.user.id)
                    try await (time.isMultiple(of: 2) ? one : other).connect(pair[0], pair[1])
                }
                #expect(made.allSatisfy { $0 == nil })
                let hues = try await one.users(Set(users.map(\.user.id))).compactMap(\.hue)
                #expect(hues.sorted() == [26, 71, 116, 161, 206, 251, 296, 339])
                for account in users { try await one.remove(account.user.id) }
            }
        }
    }

    @Test func `a call whose commit wasn't answered is done once, and gets its answer when it comes again`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                let ada = account(login: "ada")
                let attempts = Counter()
                // The first attempt's connection is cut before its commit; the second one's commit is answered.
                try await store.once { transaction in
                    try await transaction.onThread { try AccountTable.insert(ada, $0) }
                    if attempts.next() == 1 {
                        try await database.run(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND state = 'idle in transaction'
                            """
                        )
                    }
                }
                #expect(attempts.last == 2)
                #expect(try await store.account(login: "ada") == ada)
                // A repeat after the commit finds its token.
                for _ in 0..<2 {
                    let work = Counter()
                    _ = try? await store.once(token: 7) { _ in work.next() }
                    #expect(work.last <= 1)
                }
                #expect(try await database.run("SELECT count(*) FROM done_call WHERE token = 7") == ["1"])
            }
        }
    }

    private func account(login: String? = nil, isOperator: Bool = false) -> Account {
        Account(
            user: User(id: .random(), name: "Somebody"),
            login: login,
            isOperator: isOperator,
            created: now
        )
    }

    private func invitation(_ secret: SecretHash, _ sender: UserID) -> Invitation {
        Invitation(secret: secret, sender: sender, created: now, expires: now + .seconds(60))
    }
}

private func hash(_ number: Int) -> SecretHash {
    guard let hash = SecretHash([UInt8](repeating: UInt8(number), count: 32)) else {
        preconditionFailure("A hash has 32 bytes.")
    }
    return hash
}

private func randomHash() -> SecretHash {
    guard let hash = SecretHash((0..<32).map { _ in UInt8.random(in: 0...255) }) else {
        preconditionFailure("A hash has 32 bytes.")
    }
    return hash
}
#endif
