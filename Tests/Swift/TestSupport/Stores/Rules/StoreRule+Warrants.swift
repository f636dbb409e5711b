import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let warrants = [
        StoreRule("no change is made by a right that ended after it was read") { town in
            for ending in EndedRight.allCases {
                let scene = try await WarrantScene(town, needsOperator: ending == .role).ended(ending)
                let before = try await scene.picture()
                for (name, change) in WarrantScene.changes {
                    do {
                        try await change(scene)
                        Issue.record("\(name) was made by a right that ended: \(ending)")
                    } catch let error as SharingError {
                        #expect(error.code == ending.code, "\(name), \(ending): \(error)")
                    }
                }
                let after = try await scene.picture()
                #expect(after.filter { !before.contains($0) } == [], "\(ending)")
                #expect(before.filter { !after.contains($0) } == [], "\(ending)")
            }
        },
        StoreRule("each change is made while the right holds, also after another sign-in of the person ended")
        {
            town in
            for (name, change) in WarrantScene.changes {
                let scene = try await WarrantScene(town, needsOperator: false)
                let other = town.credential(.token, of: scene.caller, Int.random(in: 1_000..<1_000_000_000))
                try await town.store.createCredential(other)
                try await town.store.removeCredential(other.secret, of: scene.caller)
                #expect(try await town.store.account(scene.caller).version > scene.held.version)
                do { try await change(scene) } catch { Issue.record("\(name): \(error)") }
            }
        },
        StoreRule("a plain message of an open stream isn't judged, and one that begins a share is") { town in
            let scene = try await WarrantScene(town, needsOperator: false).ended(.credential)
            let warrant = scene.stream
            try await scene.submit(.message(MessageDraft(tag: .text, content: "Hi")), under: warrant)
            let position = MessageData(checked: Array(#"{"latitude":"1","longitude":"2"}"#.utf8))
            let draft = MessageDraft(tag: .location, content: "", data: position)
            await expectRefusal(.notSignedIn) {
                try await scene.submit(.message(draft), source: 7, under: warrant)
            }
            #expect(
                try await town.store.shares().allSatisfy { $0.id == scene.share || $0.user != scene.caller }
            )
        },
        StoreRule("a password starts a session only with the version of the account that it was checked with")
        {
            town in
            let ada = try await town.person("Ada", login: "ada")
            try await town.store.setPassword(ada, hash: "first")
            let read = try await town.store.account(ada).version
            let token = town.credential(.token, of: ada, 1)
            try await town.store.createCredential(token)
            let endings: [@Sendable () async throws -> Void] = [
                { try await town.store.setPassword(ada, hash: "second") },
                { try await town.store.removeCredential(token.secret, of: ada) },
            ]
            for ending in endings {
                let version = try await town.store.account(ada).version
                try await ending()
                for old in [read, version] {
                    await expectRefusal(.invalidCredentials) {
                        try await town.store.startSession(
                            .random(at: town.now),
                            by: .password(ada, version: old)
                        )
                    }
                }
            }
            #expect(try await town.store.credentials(of: ada).isEmpty)
            let now = try await town.store.account(ada).version
            _ = try await town.store.startSession(.random(at: town.now), by: .password(ada, version: now))
        },
        StoreRule("a token that makes tokens without pause doesn't survive the end of everything") { town in
            for round in 0..<12 {
                let ada = try await town.person("Ada")
                let stolen = town.credential(.token, of: ada, 10_000 * (round + 1))
                try await town.store.createCredential(stolen)
                let warrant = try await town.warrant(of: stolen)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...4 {
                        group.addTask {
                            for count in 0..<8 {
                                let next = town.credential(
                                    .token,
                                    of: ada,
                                    10_000 * (round + 1) + 100 * number + count
                                )
                                try? await town.store.createCredential(next, noting: [], under: warrant)
                            }
                        }
                    }
                    group.addTask {
                        _ = try await town.store.removeCredentials(
                            of: ada,
                            kinds: [.session, .token, .accounts],
                            except: nil
                        )
                    }
                    try await group.waitForAll()
                }
                #expect(try await town.store.credentials(of: ada).isEmpty, "round \(round)")
            }
        },
        StoreRule("a link isn't made for a disabled account, nor a token for accounts for who is no operator")
        {
            town in
            _ = try await town.operator("Owner")
            let ada = try await town.person("Ada")
            await expectRefusal(.notAllowed) {
                try await town.store.createCredential(town.credential(.accounts, of: ada, 1))
            }
            var change = AccountChange()
            change.isDisabled = true
            _ = try await town.store.change(ada, change)
            await expectRefusal(.accountDisabled) {
                try await town.store.createCredential(town.credential(.link, of: ada, 2))
            }
        },
    ]
}

extension EndedRight {
    /// The code of the refusal.
    var code: SharingError.Code { self == .role ? .notAllowed : .notSignedIn }
}

extension StoreTown {
    /// The right of a stored session or token as it is now.
    func warrant(of credential: Credential, needsOperator: Bool = false) async throws -> Warrant {
        .signIn(try await held(credential, needsOperator: needsOperator))
    }

    /// A stored session or token as a caller's is held.
    func held(_ credential: Credential, needsOperator: Bool = false, isOfStream: Bool = false)
        async throws -> HeldSignIn
    {
        let signIn = try #require(
            try await store.signIn(credential.secret, kind: credential.kind, at: now)
        )
        return HeldSignIn(
            user: credential.user,
            credential: credential.secret,
            expires: credential.expires,
            version: signIn.version,
            needsOperator: needsOperator,
            isOfStream: isOfStream,
            time: now
        )
    }
}

/// A person with a token, whose right ends, among others.
struct WarrantScene {
    let town: StoreTown
    let caller: UserID
    let ben: UserID
    let guest: UserID
    let chat: ChatID
    let left: ChatID
    let share: ShareID
    let invitation: SecretHash
    private let token: Credential

    /// Behind PostgreSQL's own clock, too.
    private static let expiry = Timestamp(milliseconds: 4_102_444_800_000)

    /// What was read of the caller's token.
    private(set) var held: HeldSignIn

    var store: any (ChatStore & AccountStore & CommitSource) { town.store }
    var warrant: Warrant { .signIn(held) }

    /// The same right, of an open stream.
    var stream: Warrant {
        .signIn(
            HeldSignIn(
                user: held.user,
                credential: held.credential,
                expires: held.expires,
                version: held.version,
                needsOperator: held.needsOperator,
                isOfStream: true,
                time: held.time
            )
        )
    }

    init(_ town: StoreTown, needsOperator: Bool) async throws {
        self.town = town
        _ = try await town.operator("Owner")
        caller = try await needsOperator ? town.operator("Ada") : town.person("Ada")
        ben = try await town.person("Ben")
        guest = try await town.person("Guest")
        for other in [ben, guest] { try await town.store.connect(caller, other) }
        chat = try await town.group([caller, ben])
        left = try await town.group([ben, caller].reversed())
        try await town.perform(.owner(ben), caller, left)
        try await town.perform(.stayOut, caller, left)
        let started = try await town.perform(.startShare(.random(), ShareWish()), caller, chat)
        share = try #require(started.shares.first).id
        invitation = .random()
        let stranger = try await town.person("Stranger")
        try await town.store.createInvitation(
            Invitation(
                secret: invitation,
                sender: stranger,
                created: town.now,
                expires: town.now + .seconds(9_000)
            )
        )
        token = Credential(
            secret: .random(),
            kind: .token,
            user: caller,
            created: town.now,
            expires: Self.expiry
        )
        try await town.store.createCredential(token)
        held = try await town.held(token, needsOperator: needsOperator)
        try await makeEntity()
    }

    /// The scene once the caller's right has ended.
    func ended(_ ending: EndedRight) async throws -> WarrantScene {
        var scene = self
        var change = AccountChange()
        switch ending {
        case .credential: try await store.removeCredential(token.secret, of: caller)
        case .disabled:
            change.isDisabled = true
            _ = try await store.change(caller, change)
        case .removed: try await store.remove(caller)
        case .role:
            change.isOperator = false
            _ = try await store.change(caller, change)
        case .expired:
            scene.held = HeldSignIn(
                user: held.user,
                credential: held.credential,
                expires: held.expires,
                version: held.version,
                needsOperator: held.needsOperator,
                time: Self.expiry + .seconds(1)
            )
        }
        return scene
    }

    @discardableResult
    func submit(_ action: Submission.Action, source: Int64? = nil, under warrant: Warrant) async throws
        -> Submission.Acceptance
    {
        try await store.submit(
            Submission(
                chat: chat,
                sender: caller,
                key: "warrant \(UserID.random())",
                action: action,
                time: town.now,
                source: source,
                under: warrant
            )
        )
    }

    /// What the store has that a change could touch.
    func picture() async throws -> [String] {
        try await StorePicture.lines(of: store) + ["\(try await store.invitation(invitation, at: town.now))"]
    }
}
