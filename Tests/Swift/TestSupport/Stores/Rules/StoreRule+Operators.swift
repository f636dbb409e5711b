import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let operators = [
        StoreRule("an operator changes an account, and what isn't named stays") { town in
            let owner = try await town.operator("Owner")
            let ada = try await town.person("Ada", login: "ada")
            var change = AccountChange()
            change.name = "Ada L."
            change.login = .some("lovelace")
            let changed = try await town.store.change(ada, change)
            #expect(changed.user.name == "Ada L." && changed.login == "lovelace" && !changed.isOperator)
            #expect(try await town.store.account(ada) == changed)
            #expect(try await town.store.account(login: "lovelace")?.user.id == ada)
            #expect(try await town.store.account(login: "ada") == nil)
            change = AccountChange()
            change.login = .some(nil)
            change.isOperator = true
            #expect(try await town.store.change(ada, change).login == nil)
            #expect(try await town.store.account(ada).user.name == "Ada L.")
            _ = try await town.person("Bob", login: "bob")
            change.login = .some("bob")
            await expectRefusal(.nameTaken) { [change] in try await town.store.change(ada, change) }
            await expectRefusal(.unknownUser) { try await town.store.change(.random(), AccountChange()) }
            #expect(try await town.store.account(owner).isOperator)
        },
        StoreRule("there is always an operator who isn't disabled") { town in
            let (owner, other) = (try await town.operator("Owner"), try await town.operator("Other"))
            var disabled = AccountChange()
            disabled.isDisabled = true
            var demoted = AccountChange()
            demoted.isOperator = false
            _ = try await town.store.change(other, disabled)
            for change in [disabled, demoted] {
                await expectRefusal(.lastOperator) { try await town.store.change(owner, change) }
            }
            await expectRefusal(.lastOperator) { try await town.store.remove(owner) }
            #expect(try await town.store.account(owner).isOperator)
            // A disabled operator is nobody's last one.
            try await town.store.remove(other)
        },
        StoreRule("a disabled account's tokens are refused until it is enabled, its sessions for good") {
            town in
            _ = try await town.operator("Owner")
            let ada = try await town.person("Ada")
            let kinds: [Credential.Kind] = [.session, .link, .device, .token]
            for (number, kind) in kinds.enumerated() {
                try await town.store.createCredential(
                    Credential(
                        secret: .made(of: number),
                        kind: kind,
                        user: ada,
                        created: town.now,
                        expires: nil
                    )
                )
            }
            var change = AccountChange()
            change.isDisabled = true
            #expect(try await town.store.change(ada, change).isDisabled)
            for (number, kind) in kinds.enumerated() {
                #expect(try await town.store.signIn(.made(of: number), kind: kind, at: town.now) == nil)
            }
            change.isDisabled = false
            _ = try await town.store.change(ada, change)
            for (number, kind) in kinds.enumerated() {
                let signIn = try await town.store.signIn(.made(of: number), kind: kind, at: town.now)
                #expect((signIn != nil) == (kind == .token))
            }
        },
        StoreRule("a removed account is gone with all that belongs to it, and only its chats are left to do")
        { town in
            _ = try await town.operator("Owner")
            let (ada, bob) = (try await town.person("Ada", login: "ada"), try await town.person("Bob"))
            try await town.store.connect(ada, bob)
            let (token, invitation, now) = (SecretHash.made(of: 1), SecretHash.made(of: 2), town.now)
            try await town.store.createCredential(
                Credential(secret: token, kind: .token, user: ada, created: now, expires: nil)
            )
            try await town.store.createInvitation(
                Invitation(secret: invitation, sender: ada, created: now, expires: now + .seconds(60))
            )
            _ = try await town.store.startSession(.random(at: now), by: town.store.password(of: ada))
            try await town.store.remove(ada)
            await expectRefusal(.unknownUser) { try await town.store.account(ada) }
            #expect(try await town.store.account(login: "ada") == nil)
            #expect(try await town.store.signIn(token, kind: .token, at: now) == nil)
            await expectRefusal(.invitationUsed) { try await town.store.invitation(invitation, at: now) }
            #expect(try await town.store.contacts(of: bob).isEmpty)
            #expect(try await !town.store.knowsNetwork("net", of: ada))
            #expect(try await town.store.leaving() == [ada])
            // Interrupted, it goes on; done, there is nobody to remove.
            try await town.store.remove(ada)
            try await town.store.left(ada)
            #expect(try await town.store.leaving().isEmpty)
            await expectRefusal(.unknownUser) { try await town.store.remove(ada) }
            // The login is free again.
            _ = try await town.person("Ada", login: "ada")
        },
        StoreRule("credentials of some kinds are removed at once, but for one") { town in
            let people = try await town.people(2)
            for (number, kind) in [Credential.Kind.session, .session, .device, .token].enumerated() {
                for (person, offset) in [(people[0], 0), (people[1], 10)] {
                    try await town.store.createCredential(
                        Credential(
                            secret: .made(of: number + offset),
                            kind: kind,
                            user: person,
                            created: town.now,
                            expires: nil
                        )
                    )
                }
            }
            let removed = try await town.store.removeCredentials(
                of: people[0],
                kinds: [.session, .device],
                except: .made(of: 1)
            )
            #expect(Set(removed.map(\.secret)) == [.made(of: 0), .made(of: 2)])
            let kept = try await town.store.credentials(of: people[0]).map(\.secret)
            #expect(Set(kept) == [.made(of: 1), .made(of: 3)])
            #expect(try await town.store.credentials(of: people[1]).count == 4)
        },
        StoreRule("expired credentials are removed, and valid ones stay") { town in
            let ada = try await town.person("Ada")
            let now = town.now
            for (number, expires) in [now, now + .milliseconds(1), nil].enumerated() {
                try await town.store.createCredential(
                    Credential(
                        secret: .made(of: number),
                        kind: .session,
                        user: ada,
                        created: now,
                        expires: expires
                    )
                )
            }
            try await town.store.createInvitation(
                Invitation(secret: .made(of: 1), sender: ada, created: now, expires: now)
            )
            try await town.store.removeExpired(at: now)
            let kept = try await town.store.credentials(of: ada).map(\.secret)
            #expect(Set(kept) == [.made(of: 1), .made(of: 2)])
            // A clock set back doesn't bring it back.
            await expectRefusal(.invitationUsed) {
                try await town.store.invitation(.made(of: 1), at: now - .seconds(60))
            }
        },
        StoreRule("it is kept when and from where a credential was last used") { town in
            let ada = try await town.person("Ada")
            let (secret, now) = (SecretHash.made(of: 1), town.now)
            #expect(try await town.store.newestSignIn() == nil)
            try await town.store.createCredential(
                Credential(
                    secret: secret,
                    kind: .session,
                    user: ada,
                    network: "a",
                    created: now,
                    expires: nil
                )
            )
            #expect(try await town.store.newestSignIn() == now)
            let (later, latest) = (now + .seconds(60), now + .seconds(120))
            try await town.store.note([
                CredentialUse(credential: secret, user: ada, time: later, network: "b"),
                CredentialUse(credential: .made(of: 2), user: ada, time: latest, network: "c"),
                CredentialUse(credential: .made(of: 3), user: .random(), time: latest, network: nil),
            ])
            let credential = try #require(try await town.store.credentials(of: ada).first)
            #expect(credential.lastSeen == later && credential.network == "b")
            #expect(try await town.store.account(ada).lastSeen == latest)
            try await town.store.note([
                CredentialUse(credential: secret, user: ada, time: later, network: nil)
            ])
            #expect(try await town.store.account(ada).lastSeen == latest)
            #expect(try await town.store.credentials(of: ada).first?.network == "b")
            #expect(try await town.store.newestSignIn() == latest)
        },
        StoreRule("a network that a user signed in from is known, the newest 32 of them") { town in
            let people = try await town.people(2)
            for number in 0...KnownNetwork.limit {
                let time = town.now + .seconds(number)
                let start = SessionStart.random(at: time, subnet: "net \(number)")
                _ = try await town.store.startSession(start, by: town.store.password(of: people[0]))
            }
            for number in 0...KnownNetwork.limit {
                let isKnown = try await town.store.knowsNetwork("net \(number)", of: people[0])
                #expect(isKnown == (number > 0), "net \(number)")
            }
            #expect(try await !town.store.knowsNetwork("net 5", of: people[1]))
        },
    ]
}

extension StoreTown {
    /// Makes an operator's account.
    func `operator`(_ name: String) async throws -> UserID {
        let account = Account(user: User(id: .random(), name: name), isOperator: true, created: now)
        try await store.createAccount(account)
        return account.user.id
    }
}
