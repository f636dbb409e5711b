import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension WarrantScene {
    typealias Change = @Sendable (WarrantScene) async throws -> Void

    /// Every change that a caller can make, by its name.
    static let changes: [(name: String, Change)] = people + signIns + chats + keysAndImages + objects

    private static let people: [(String, Change)] = [
        (
            "an account",
            { scene in
                let new = Account(user: User(id: .random(), name: "New"), created: scene.town.now)
                try await scene.store.createAccount(new, contact: nil, under: scene.warrant)
            }
        ),
        (
            "an account with a contact",
            { scene in
                let new = Account(user: User(id: .random(), name: "New"), created: scene.town.now)
                try await scene.store.createAccount(new, contact: scene.ben, under: scene.warrant)
            }
        ),
        (
            "a profile",
            { scene in
                _ = try await scene.store.update(scene.caller, noting: [], under: scene.warrant) {
                    $0.name = "Eve"
                }
            }
        ),
        ("a hue", { try await $0.store.setHue($0.caller, 17, under: $0.warrant) }),
        (
            "whether reads are shown",
            { try await $0.store.setShowsReads($0.caller, false, under: $0.warrant) }
        ),
        ("a contact", { try await $0.store.connect($0.ben, $0.guest, under: $0.warrant) }),
        ("the end of a contact", { try await $0.store.disconnect($0.caller, $0.guest, under: $0.warrant) }),
        ("a block", { try await $0.store.block($0.ben, by: $0.caller, under: $0.warrant) }),
        ("the end of a block", { try await $0.store.unblock($0.ben, by: $0.caller, under: $0.warrant) }),
        (
            "another's account",
            { scene in
                var change = AccountChange()
                change.name = "Changed"
                _ = try await scene.store.change(scene.ben, change, noting: [], under: scene.warrant)
            }
        ),
        ("the removal of an account", { try await $0.store.remove($0.guest, under: $0.warrant) }),
        (
            "an invitation",
            { scene in
                let invitation = Invitation(
                    secret: .random(),
                    sender: scene.caller,
                    created: scene.town.now,
                    expires: scene.town.now + .seconds(60)
                )
                try await scene.store.createInvitation(invitation, under: scene.warrant)
            }
        ),
        (
            "an accepted invitation",
            { scene in
                _ = try await scene.store.accept(
                    scene.invitation,
                    by: scene.caller,
                    at: scene.town.now,
                    under: scene.warrant
                )
            }
        ),
    ]

    private static let signIns: [(String, Change)] = [
        (
            "a password",
            { scene in
                try await scene.store.setPassword(
                    scene.caller,
                    hash: "hash",
                    ending: CredentialEnd(),
                    noting: [],
                    under: scene.warrant
                )
            }
        ),
        (
            "a token",
            { scene in
                let token = Credential(
                    secret: .random(),
                    kind: .token,
                    user: scene.caller,
                    created: scene.town.now,
                    expires: nil
                )
                try await scene.store.createCredential(token, noting: [], under: scene.warrant)
            }
        ),
        (
            "another's link",
            { scene in
                let link = Credential(
                    secret: .random(),
                    kind: .link,
                    user: scene.ben,
                    created: scene.town.now,
                    expires: nil
                )
                try await scene.store.createCredential(link, noting: [], under: scene.warrant)
            }
        ),
        (
            "the end of a token",
            { try await $0.store.removeCredential(.random(), of: $0.ben, under: $0.warrant) }
        ),
        (
            "the end of all tokens",
            { scene in
                _ = try await scene.store.removeCredentials(
                    of: scene.ben,
                    kinds: [.token],
                    except: nil,
                    under: scene.warrant
                )
            }
        ),
    ]

    private static let chats: [(String, Change)] = [
        (
            "a chat",
            { scene in
                let wish = ChatStart(creator: scene.caller, invitees: [scene.ben])
                _ = try await scene.store.start(wish, at: scene.town.now, under: scene.warrant)
            }
        ),
        (
            "the end of staying out",
            { scene in
                try await scene.store.stopStayingOut(of: scene.left, by: scene.caller, under: scene.warrant)
            }
        ),
        ("a subject", { try await $0.submit(.subject("Walk"), under: $0.warrant) }),
        (
            "a message of a request",
            { scene in
                try await scene.submit(
                    .message(MessageDraft(tag: .text, content: "Hi")),
                    under: scene.warrant
                )
            }
        ),
        ("a participant", { try await $0.submit(.add([$0.guest]), under: $0.warrant) }),
        (
            "a changed share, by a stream",
            { scene in
                let edit = ShareEdit(until: scene.town.now + .seconds(600))
                try await scene.submit(.changeShare(scene.share, edit), under: scene.stream)
            }
        ),
        ("a stopped share", { try await $0.submit(.stopShare($0.share), under: $0.warrant) }),
        (
            "a started share, by a stream",
            { scene in
                try await scene.submit(.startShare(.random(), ShareWish()), under: scene.stream)
            }
        ),
    ]

    private static let keysAndImages: [(String, Change)] = [
        (
            "a key of signed requests",
            { scene in
                guard let keys = scene.store as? any KeyStore else { return try await scene.judged() }
                let id = "key-\(UserID.random())"
                let key = try #require(
                    SigningKey(id: id, name: "App", rights: .write, created: scene.town.now)
                )
                try await keys.createSigningKey(key, secret: .random(), under: scene.warrant)
            }
        ),
        (
            "the end of a key",
            { scene in
                guard let keys = scene.store as? any KeyStore else { return try await scene.judged() }
                try await keys.removeSigningKey("key", under: scene.warrant)
            }
        ),
        (
            "an image",
            { scene in
                guard let images = scene.store as? any ImageStore else { return try await scene.judged() }
                let file = ImageFile(format: .jpeg, width: 3, height: 2, checked: ImageSamples.jpeg.plain)
                let image = StoredImage(
                    id: .random(),
                    owner: scene.caller,
                    created: scene.town.now,
                    file: file
                )
                try await images.addImage(image, under: scene.warrant)
            }
        ),
    ]

    private static let objects: [(String, Change)] = [
        (
            "an entity",
            { scene in
                guard let objects = scene.store as? any ObjectStore else { return try await scene.judged() }
                let definition = EntityDefinition(ObjectSamples.entity("cafe"), fields: [])
                do throws(SharingError) {
                    _ = try await objects.createEntity(
                        definition,
                        by: .owner,
                        at: scene.town.now,
                        under: scene.warrant
                    )
                } catch  where error.code == .entityExists {}
            }
        ),
        (
            "an object",
            { scene in
                guard let objects = scene.store as? any ObjectStore else { return try await scene.judged() }
                let submission = ObjectSubmission(
                    entity: ObjectSamples.places.name,
                    caller: .owner,
                    action: .create([ObjectSamples.field("name"): .text("A")]),
                    time: scene.town.now,
                    under: scene.warrant
                )
                try await objects.change(submission)
            }
        ),
    ]

    /// Makes the entity of the changed object, if the store has this noun.
    func makeEntity() async throws {
        guard let objects = store as? any ObjectStore else { return }
        do throws(SharingError) {
            _ = try await objects.createEntity(ObjectSamples.places, by: .owner, at: town.now)
        } catch  where error.code == .entityExists {}
    }

    /// For a store without this noun.
    private func judged() async throws { try await store.judge(warrant) }
}
