import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension WordRule {
    static let accounts = [
        WordRule(
            "a credential of an unknown kind signs nobody in",
            "credential",
            "kind",
            where: "kind = 'token'",
            prepare: { town in
                try await town.found()
                for (kind, number) in [(Credential.Kind.session, 1), (.token, 2), (.device, 3)] {
                    try await town.store.createCredential(town.credential(kind, number), noting: [])
                }
            },
            check: { town in
                let listed = try await town.store.credentials(of: town.ids.ada)
                #expect(Set(listed.map(\.kind)) == [.session, .device])
                for kind in [Credential.Kind.link, .session, .token, .accounts, .device] {
                    #expect(try await town.store.signIn(.made(of: 2), kind: kind, at: town.now) == nil)
                }
                let use = CredentialUse(
                    credential: .made(of: 2),
                    user: town.ids.ada,
                    time: town.now,
                    network: "192.0.2.1"
                )
                try await town.store.note([use])
                let kinds: Set<Credential.Kind> = [.link, .session, .token, .accounts, .device]
                try await town.store.removeCredentials(of: town.ids.ada, kinds: kinds, except: nil)
                for _ in 0...SessionStart.deviceLimit {
                    let start = SessionStart.random(at: town.now)
                    _ = try await town.store.startSession(start, by: town.store.password(of: town.ids.ada))
                }
            }
        ),
        WordRule(
            "an event of an unknown change isn't listed, and those around it are",
            "account_event",
            "change",
            where: "change = 'email'",
            prepare: { try await $0.noteEvents() },
            check: { town in
                #expect(try await town.store.events(of: town.ids.ada).map(\.change) == [.password])
                try await town.noteEvent(.email, after: .seconds(9))
            }
        ),
        WordRule(
            "an event of an unknown actor is no change of the user's own",
            "account_event",
            "actor",
            where: "change = 'email'",
            prepare: { try await $0.noteEvents() },
            check: { town in
                let events = try await town.store.events(of: town.ids.ada)
                #expect(Set(events.map(\.change)) == [.password, .email])
                #expect(events.first { $0.change == .email }?.actor == .server)
                try await town.noteEvent(.email, after: .seconds(9))
            }
        ),
    ]

    static let others = [
        WordRule(
            "a key with unknown rights is listed, and good for nothing",
            "signing_key",
            "rights",
            where: "id = 'b'",
            prepare: { town in
                for id in ["a", "b"] { try await town.createKey(id) }
            },
            check: { town in
                #expect(try await town.store.signingKeys().map(\.id) == ["a", "b"])
                #expect(try await town.store.signingKeys().map(\.rights) == [.write, .read])
                #expect(try await town.store.signingKey("b") == nil)
                try await town.createKey("c")
                try await town.store.removeSigningKey("a")
                await expectRefusal(.nameTaken) { try await town.createKey("b") }
            }
        ),
        WordRule(
            "an image of an unknown format isn't served",
            "image",
            "format",
            where: "width = 3",
            prepare: { town in
                try await town.found()
                try await town.addImage(town.ids.image, width: 3)
            },
            check: { town in
                #expect(try await town.store.image(town.ids.image) == nil)
                let other = ImageID.random()
                try await town.addImage(other, width: 4)
                #expect(try await town.store.image(other) != nil)
                try await town.store.removeLooseImages(before: town.now)
            }
        ),
        WordRule(
            "an entity with unknown readers is its owners' alone",
            "entity",
            "readers",
            where: "name = 'place'",
            prepare: { town in
                var other = EntityDefinition(ObjectSamples.entity("other"), readers: .anyone, fields: [])
                other.fields = [Field(ObjectSamples.field("name"), .text)]
                for definition in [ObjectSamples.places, other] {
                    _ = try await town.store.createEntity(definition, by: .owner, at: town.now)
                }
            },
            check: { town in
                let name = ObjectSamples.places.name
                #expect(try await town.store.entities(for: .owner).count == 2)
                #expect(try await town.store.entities(for: .member).count == 1)
                #expect(try await town.store.entity(name, for: .owner).definition.readers == .owners)
                await expectRefusal(.unknownEntity) { try await town.store.entity(name, for: .member) }
                let creation = ObjectSubmission(
                    entity: name,
                    caller: .owner,
                    action: .create([ObjectSamples.field("name"): .text("Here")]),
                    time: town.now
                )
                _ = try await town.store.change(creation)
                #expect(try await town.store.entity(name, for: .owner).count == 1)
            },
            replace: (
                "owners",
                { town in
                    var definition = ObjectSamples.places
                    definition.readers = .owners
                    _ = try await town.store.changeEntity(definition, by: .owner, at: town.now)
                }
            )
        ),
    ]
}

extension WordTown {
    fileprivate func credential(_ kind: Credential.Kind, _ number: Int) -> Credential {
        Credential(secret: .made(of: number), kind: kind, user: ids.ada, created: now, expires: nil)
    }

    /// An event of each of two changes.
    fileprivate func noteEvents() async throws {
        try await found()
        try await noteEvent(.password, after: .seconds(1))
        try await noteEvent(.email, after: .seconds(2))
    }

    fileprivate func noteEvent(_ change: AccountEvent.Change, after: Duration) async throws {
        let event = AccountEvent(time: now + after, change: change, actor: .user)
        try await store.setPassword(ids.ada, hash: nil, ending: CredentialEnd(), noting: [event])
    }

    fileprivate func createKey(_ id: String) async throws {
        let key = try #require(SigningKey(id: id, name: "App", rights: .write, created: now))
        try await store.createSigningKey(key, secret: .random())
    }

    fileprivate func addImage(_ id: ImageID, width: Int) async throws {
        let file = ImageFile(format: .jpeg, width: width, height: 2, checked: ImageSamples.jpeg.plain)
        try await store.addImage(StoredImage(id: id, owner: ids.ada, created: now, file: file))
    }
}
