import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let accounts = [
        StoreRule("an account comes back as it was made, by id and by login") { town in
            let user = User(id: .random(), name: "Ada 🏔", email: "ada@example.org", avatar: "/a.png")
            let account = Account(
                user: user,
                login: "ada",
                passwordHash: "h",
                isOperator: true,
                created: town.now
            )
            try await town.store.createAccount(account)
            #expect(try await town.store.account(user.id) == account)
            #expect(try await town.store.account(login: "ada") == account)
            #expect(try await town.store.account(login: "Ada") == nil)
            await expectRefusal(.unknownUser) { try await town.store.account(.random()) }
            await expectRefusal(.nameTaken) { try await town.person("Eve", login: "ada") }
            await expectRefusal(.nameTaken) { try await town.store.createAccount(account) }
        },
        StoreRule("making an account makes its contact too, and makes neither if the contact is unknown") {
            town in
            let ada = try await town.person("Ada")
            let ben = Account(user: User(id: .random(), name: "Ben"), login: "ben", created: town.now)
            await expectRefusal(.unknownUser) {
                try await town.store.createAccount(ben, contact: .random())
            }
            #expect(try await town.store.account(login: "ben") == nil)
            try await town.store.createAccount(ben, contact: ada)
            #expect(try await town.store.contacts(of: ada).map(\.id) == [ben.user.id])
            #expect(try await town.store.contacts(of: ben.user.id).map(\.id) == [ada])
        },
        StoreRule("accounts are listed oldest first, page by page") { town in
            let people = try await town.people(5)
            #expect(try await town.store.accounts(after: nil, limit: 3).map(\.user.id) == Array(people[..<3]))
            let place = try await town.store.account(people[2]).place
            // The place stays where it is when the account that gave it is removed.
            for isRemoved in [false, true] {
                if isRemoved {
                    _ = try await town.store.remove(people[2])
                }
                let rest = try await town.store.accounts(after: place, limit: 9)
                #expect(rest.map(\.user.id) == Array(people[3...]))
            }
            let last = try await town.store.account(people[4]).place
            #expect(try await town.store.accounts(after: last, limit: 9).isEmpty)
        },
        StoreRule("people change what they say about themselves, and their password") { town in
            let user = try await town.person("Ada")
            let profile = Profile(name: "Ada L.", email: "a@b", avatar: nil)
            #expect(try await town.store.update(user, profile: profile).name == "Ada L.")
            try await town.store.setPassword(user, hash: "h")
            let account = try await town.store.account(user)
            #expect(account.user == User(id: user, name: "Ada L.", email: "a@b"))
            #expect(account.passwordHash == "h")
            await expectRefusal(.unknownUser) { try await town.store.update(.random(), profile: profile) }
            await expectRefusal(.unknownUser) { try await town.store.setPassword(.random(), hash: nil) }
            #expect(try await town.store.replacePassword(user, hash: "h", with: "i"))
            #expect(try await !town.store.replacePassword(user, hash: "h", with: "j"))
            #expect(try await town.store.account(user).passwordHash == "i")
            await expectRefusal(.unknownUser) {
                try await town.store.replacePassword(.random(), hash: "h", with: "i")
            }
        },
        StoreRule("a change of what signs a user in is written with its event") { town in
            let user = try await town.person("Ada")
            let event = AccountEvent(
                time: Timestamp(milliseconds: 7),
                change: .email,
                actor: .user,
                network: "192.0.2.1"
            )
            let refused = Profile(name: "Nobody")
            await expectRefusal(.unknownUser) {
                try await town.store.update(.random(), profile: refused, noting: [event])
            }
            let profile = Profile(name: "Ada", email: "a@b")
            _ = try await town.store.update(user, profile: profile, noting: [event])
            #expect(try await town.store.events(of: user) == [event])
            var change = AccountChange()
            change.login = "ada"
            let login = AccountEvent(time: Timestamp(milliseconds: 8), change: .login, actor: .operator)
            _ = try await town.store.change(user, change, noting: [login])
            let link = AccountEvent(time: Timestamp(milliseconds: 9), change: .link, actor: .server)
            try await town.store.createCredential(
                town.credential(.link, of: user, 1),
                noting: [link]
            )
            #expect(try await town.store.events(of: user) == [link, login, event])
            // A user is removed with their events.
            try await town.store.remove(user)
            #expect(try await town.store.events(of: user).isEmpty)
        },
        StoreRule("a change of one part of a profile leaves the others as they are stored") { town in
            let user = try await town.person("Ada")
            let event = AccountEvent(time: Timestamp(milliseconds: 7), change: .email, actor: .user)
            _ = try await town.store.update(user, noting: [event]) { $0.email = "a@b" }
            let renamed = try await town.store.update(user, noting: [event]) { $0.name = "Ada L." }
            #expect(renamed.name == "Ada L." && renamed.email == "a@b")
            #expect(try await town.store.events(of: user).count == 1)
            let late = AccountEvent(time: Timestamp(milliseconds: 9), change: .email, actor: .user)
            _ = try await town.store.update(user, noting: [late]) { $0.avatar = "/a.png" }
            #expect(try await town.store.events(of: user) == [event])
        },
        StoreRule("no number of links hides a new password from the events") { town in
            let user = try await town.person("Ada")
            let password = AccountEvent(time: Timestamp(milliseconds: 1), change: .password, actor: .operator)
            try await town.store.setPassword(user, hash: "h", ending: CredentialEnd(), noting: [password])
            for number in 2...AccountEvent.limit + 5 {
                let time = Timestamp(milliseconds: Int64(number))
                let link = AccountEvent(time: time, change: .link, actor: .operator)
                try await town.store.createCredential(
                    town.credential(.link, of: user, number),
                    noting: [link]
                )
            }
            let events = try await town.store.events(of: user)
            #expect(events.count == AccountEvent.limit + 1 && events.last == password)
        },
        StoreRule("the newest events of a user are kept") { town in
            let user = try await town.person("Ada")
            for number in 1...AccountEvent.limit + 2 {
                let time = Timestamp(milliseconds: Int64(number))
                let event = AccountEvent(time: time, change: .password, actor: .user)
                try await town.store.setPassword(
                    user,
                    hash: "\(number)",
                    ending: CredentialEnd(),
                    noting: [event]
                )
            }
            let times = try await town.store.events(of: user).map(\.time.milliseconds)
            #expect(times == (3...Int64(AccountEvent.limit) + 2).reversed())
        },
        StoreRule("a password ends sign-ins in its own transaction") { town in
            let user = try await town.person("Ada")
            let (kept, ended) = (
                town.credential(.session, of: user, 1), town.credential(.session, of: user, 2)
            )
            let token = town.credential(.token, of: user, 3)
            for credential in [kept, ended, token] { try await town.store.createCredential(credential) }
            let end = CredentialEnd([.session, .token], except: kept.secret)
            try await town.store.setPassword(user, hash: "h", ending: end, noting: [])
            #expect(try await town.store.credentials(of: user).map(\.secret) == [kept.secret])
            #expect(try await town.store.account(user).version == 3)
        },
        StoreRule("contacts are mutual and listed by name") { town in
            let (ada, bob, cy) = (
                try await town.person("Ada"), try await town.person("Bob"), try await town.person("Cy")
            )
            try await town.store.connect(ada, cy)
            try await town.store.connect(bob, ada)
            try await town.store.connect(ada, bob)
            #expect(try await town.store.contacts(of: ada).map(\.name) == ["Bob", "Cy"])
            #expect(try await town.store.contacts(of: cy).map(\.name) == ["Ada"])
            await expectRefusal(.unknownUser) { try await town.store.connect(ada, .random()) }
            await expectRefusal(.unknownUser) { try await town.store.connect(ada, ada) }
            let known = try await town.store.users([ada, .random(), cy])
            #expect(Set(known.map(\.name)) == ["Ada", "Cy"])
        },
    ]

    static let secrets = [
        StoreRule("an invitation is good once, makes contacts, and not with oneself") { town in
            let people = [try await town.person("Ada"), try await town.person("Bob")]
            let secret = SecretHash.made(of: 1)
            let (now, later) = (town.now, town.now + .seconds(3_600))
            try await town.store.createInvitation(
                Invitation(secret: secret, sender: people[0], created: now, expires: later)
            )
            #expect(try await town.store.invitation(secret, at: now).sender == people[0])
            await expectRefusal(.invitationUsed) { try await town.store.invitation(secret, at: later) }
            await expectRefusal(.invitationUsed) {
                try await town.store.accept(secret, by: people[0], at: now)
            }
            let accepted = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask { (try? await town.store.accept(secret, by: people[1], at: now)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(accepted == 1)
            #expect(try await town.store.contacts(of: people[1]).map(\.id) == [people[0]])
        },
        StoreRule("an invitation makes an account and contacts, or nothing") { town in
            let ada = try await town.person("Ada", login: "ada")
            let secret = SecretHash.made(of: 1)
            let now = town.now
            try await town.store.createInvitation(
                Invitation(secret: secret, sender: ada, created: now, expires: now + .seconds(60))
            )
            let taken = Account(user: User(id: .random(), name: "Eve"), login: "ada", created: now)
            await expectRefusal(.nameTaken) {
                try await town.store.startSession(
                    .random(at: now),
                    by: .invitation(secret, creating: taken)
                )
            }
            await expectRefusal(.unknownUser) { try await town.store.account(taken.user.id) }
            let bob = Account(user: User(id: .random(), name: "Bob"), login: "bob", created: now)
            let start = SessionStart.random(at: now)
            let outcome = try await town.store.startSession(start, by: .invitation(secret, creating: bob))
            #expect(outcome.contact?.id == ada && outcome.user.id == bob.user.id)
            let session = try await town.store.signIn(start.session, kind: .session, at: now)
            #expect(session?.user.id == bob.user.id)
            #expect(try await town.store.contacts(of: ada).map(\.name) == ["Bob"])
            await expectRefusal(.invitationUsed) { try await town.store.invitation(secret, at: now) }
        },
        StoreRule("invitations end when their sender is disabled or ends every sign-in, not with some") {
            town in
            let ada = try await town.person("Ada")
            let now = town.now
            func invite(_ number: Int) async throws -> SecretHash {
                let secret = SecretHash.made(of: number)
                try await town.store.createInvitation(
                    Invitation(secret: secret, sender: ada, created: now, expires: now + .seconds(60))
                )
                return secret
            }
            let first = try await invite(1)
            _ = try await town.store.removeCredentials(of: ada, kinds: [.session], except: nil, at: now)
            #expect(try await town.store.invitation(first, at: now).sender == ada)
            _ = try await town.store.removeCredentials(
                of: ada,
                kinds: [.session, .token],
                except: nil,
                at: now
            )
            await expectRefusal(.invitationUsed) { try await town.store.invitation(first, at: now) }
            let second = try await invite(2)
            var change = AccountChange()
            change.isDisabled = true
            _ = try await town.store.change(ada, change, at: now)
            await expectRefusal(.invitationUsed) { try await town.store.invitation(second, at: now) }
            // As one whose request was under way when the account was disabled.
            let third = try await invite(3)
            let start = SessionStart.random(at: now)
            let eve = Account(user: User(id: .random(), name: "Eve"), created: now)
            await expectRefusal(.invitationUsed) {
                try await town.store.startSession(start, by: .invitation(third, creating: eve))
            }
        },
        StoreRule("a user has at most 100 open invitations") { town in
            let ada = try await town.person("Ada")
            let now = town.now
            func invite(_ number: Int, at time: Timestamp) async throws {
                let expires = time + .seconds(60)
                let secret = SecretHash.made(of: number)
                try await town.store.createInvitation(
                    Invitation(secret: secret, sender: ada, created: time, expires: expires)
                )
            }
            for number in 0..<100 { try await invite(number, at: now) }
            await expectRefusal(.tooMany) { try await invite(100, at: now) }
            try await invite(100, at: now + .seconds(60))
        },
        StoreRule("a sign-in link is good once, in time, for a session of the same user") { town in
            let ada = try await town.person("Ada")
            let (link, now) = (SecretHash.made(of: 1), town.now)
            try await town.store.createCredential(
                Credential(secret: link, kind: .link, user: ada, created: now, expires: now + .seconds(900))
            )
            #expect(try await town.store.signIn(link, kind: .token, at: now) == nil)
            await expectRefusal(.invalidCredentials) {
                try await town.store.startSession(.random(at: now + .seconds(900)), by: .link(link))
            }
            let redeemed = await withTaskGroup(of: Bool.self) { group in
                for _ in 2..<12 {
                    group.addTask {
                        (try? await town.store.startSession(.random(at: now), by: .link(link))) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(redeemed == 1)
            let kept = try await town.store.credentials(of: ada)
            #expect(Set(kept.map(\.kind)) == [.session, .device] && kept.count == 2)
            #expect(kept.allSatisfy { $0.user == ada })
        },
        StoreRule("a session is started with all that belongs to it, or what entitles to it stays good") {
            town in
            let ada = try await town.person("Ada")
            let (link, now) = (SecretHash.made(of: 1), town.now)
            try await town.store.createCredential(
                Credential(secret: link, kind: .link, user: ada, created: now, expires: now + .seconds(900))
            )
            // With the link there is room for the session, and none for the browser.
            for _ in 1..<Credential.limit {
                try await town.store.createCredential(
                    Credential(secret: .random(), kind: .token, user: ada, created: now, expires: nil)
                )
            }
            let start = SessionStart.random(at: now)
            await expectRefusal(.tooMany) { try await town.store.startSession(start, by: .link(link)) }
            #expect(try await town.store.signIn(link, kind: .link, at: now) != nil)
            #expect(try await town.store.signIn(start.session, kind: .session, at: now) == nil)
            #expect(try await !town.store.knowsNetwork("net", of: ada))
        },
        StoreRule(
            "a browser keeps its secret for its user, the newest 20 of them, and a disabled one has none"
        ) {
            town in
            _ = try await town.person("Owner")
            let people = try await town.people(2)
            let first = SessionStart.random(at: town.now)
            let started = try await town.store.startSession(first, by: town.store.password(of: people[0]))
            #expect(!started.knewDevice && started.user.id == people[0] && started.contact == nil)
            let again = SessionStart.random(at: town.now, device: first.newDevice)
            #expect(
                try await town.store.startSession(again, by: town.store.password(of: people[0])).knewDevice
            )
            #expect(
                try await !town.store.startSession(again, by: town.store.password(of: people[1])).knewDevice
            )
            func devices() async throws -> [SecretHash] {
                try await town.store.credentials(of: people[0]).filter { $0.kind == .device }.map(\.secret)
            }
            #expect(try await devices() == [first.newDevice])
            for _ in 0..<SessionStart.deviceLimit {
                _ = try await town.store.startSession(
                    .random(at: town.now),
                    by: town.store.password(of: people[0])
                )
            }
            #expect(try await devices().count == SessionStart.deviceLimit)
            #expect(try await !devices().contains(first.newDevice))
            var change = AccountChange()
            change.isDisabled = true
            _ = try await town.store.change(people[1], change)
            await expectRefusal(.accountDisabled) {
                try await town.store.startSession(
                    .random(at: town.now),
                    by: town.store.password(of: people[1])
                )
            }
            await expectRefusal(.unknownUser) {
                try await town.store.startSession(
                    .random(at: town.now),
                    by: town.store.password(of: .random())
                )
            }
        },
        StoreRule("credentials are listed newest first, found by kind, and removed by their owner") { town in
            let people = try await town.people(2)
            var all: [Credential] = []
            for number in 0..<3 {
                all.append(
                    Credential(
                        secret: .made(of: number),
                        kind: .token,
                        user: people[0],
                        label: "t\(number)",
                        created: town.now,
                        expires: number == 1 ? town.now : nil
                    )
                )
                try await town.store.createCredential(all[number])
            }
            let signIn = try await town.store.signIn(all[0].secret, kind: .token, at: town.now)
            #expect(signIn?.credential == all[0])
            #expect(try await town.store.users([people[0]]) == [signIn?.user])
            #expect(try await town.store.signIn(all[0].secret, kind: .session, at: town.now) == nil)
            #expect(try await town.store.signIn(all[1].secret, kind: .token, at: town.now) == nil)
            // The expired one went when the next was made.
            #expect(try await town.store.credentials(of: people[0]) == [all[2], all[0]])
            try await town.store.removeCredential(all[0].secret, of: people[1])
            #expect(try await town.store.credentials(of: people[0]) == [all[2], all[0]])
            try await town.store.removeCredential(all[0].secret, of: people[0])
            #expect(try await town.store.credentials(of: people[0]) == [all[2]])
            await expectRefusal(.unknownUser) {
                try await town.store.createCredential(
                    Credential(
                        secret: .made(of: 9),
                        kind: .token,
                        user: .random(),
                        created: town.now,
                        expires: nil
                    )
                )
            }
        },
    ]
}

extension SecretHash {
    /// A hash that differs from others by its number.
    static func made(of number: Int) -> SecretHash {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: number >> (number < 256 ? 0 : 8 * ($0 % 8))) }
        guard let hash = SecretHash(bytes) else {
            preconditionFailure("A hash has 32 bytes.")
        }
        return hash
    }
}
