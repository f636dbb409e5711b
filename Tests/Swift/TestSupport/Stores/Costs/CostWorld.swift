package import YonderGeodesy
package import YonderModel
package import YonderRules

/// A store with all that a server keeps.
package typealias WholeStore = any (NounStore & ChatStore & ObjectStore & CommitSource)

/// A chat of three people with what questions ask for, amid rows that none asks for, of each kind `noise` times.
///
/// Two worlds differ in nothing but their noise. Ada's shares and times, from the oldest to the newest message:
///
/// ```
///   noise: Cid's positions, an app's messages, Ada's erased positions, on ten days before
///   asked: twenty texts, twenty positions of Ada's and two places, within the hour from `day` on
///   noise: Cid's positions, an app's messages, Ada's positions of a share that is over and not erased, on ten days behind
/// ```
package struct CostWorld: Sendable {
    package let store: WholeStore
    package let noise: Int
    package let ada = UserID.random()
    package let ben = UserID.random()
    package let cid = UserID.random()
    package let chat: ChatID

    /// The beginning of the hour that questions ask for.
    package static let day = Timestamp(milliseconds: 1_700_000_000_000)

    /// A time behind everything.
    package static let now = day + .seconds(20 * 86_400)

    /// A session of Ada's.
    package let session = SecretHash.random()

    /// An image of Ada's that a photo names.
    package let image = ImageID.random()

    /// A tag of an app's own, of which the noise is.
    package static let own = MessageTag("Own") ?? .text

    /// Makes the people, the chat and all rows.
    package init(_ store: WholeStore, noise: Int) async throws {
        (self.store, self.noise) = (store, noise)
        let people = [(ada, "Ada"), (ben, "Ben"), (cid, "Cid")]
        for (id, name) in people {
            let user = User(id: id, name: name)
            try await store.createAccount(
                Account(user: user, login: name, isOperator: id == ada, created: Self.day)
            )
        }
        try await store.connect(ada, ben)
        try await store.connect(ada, cid)
        chat = try await store.start(ChatStart(creator: ada, invitees: [ben, cid]), at: Self.day).chat.id
        try await fill()
    }

    private func fill() async throws {
        try await makeOthers()
        try await makeRows(before: true)
        try await erase()
        try await makeAsked()
        try await makeRows(before: false)
    }

    /// Other people with sessions, contacts and chats, other objects and images: a tenth of the noise of each.
    private func makeOthers() async throws {
        _ = try await store.createEntity(ObjectSamples.places, by: .owner, at: Self.day)
        try await makeObject("asked")
        try await store.createCredential(credential(session, of: ada), noting: [])
        try await store.createSigningKey(try key("key"), secret: .random())
        try await add(image, of: ada)
        for number in 0..<noise / 10 {
            let other = UserID.random()
            let user = User(id: other, name: "Other \(number)")
            try await store.createAccount(Account(user: user, login: "other\(number)", created: Self.day))
            try await store.createCredential(credential(.random(), of: other), noting: [])
            try await store.connect(cid, other)
            let wish = ChatStart(creator: cid, invitees: [other])
            let place = try await store.start(wish, at: Self.day).chat.id
            try await send(.message(MessageDraft(tag: .text, content: "x")), cid, place, at: Self.day)
            try await makeObject("other \(number)")
            try await add(.random(), of: other)
        }
    }

    func key(_ id: String) throws -> SigningKey {
        guard let key = SigningKey(id: id, name: "x", rights: .read, created: Self.day) else {
            throw SharingError(.internalError, "The key has no valid name.")
        }
        return key
    }

    private func makeObject(_ name: String) async throws {
        let fields: [FieldName: FieldValue] = [
            ObjectSamples.field("name"): .text(name),
            ObjectSamples.field("at"): ObjectSamples.location(1, 2),
        ]
        try await store.change(
            ObjectSubmission(
                entity: ObjectSamples.places.name,
                caller: .owner,
                action: .create(fields),
                time: Self.day
            )
        )
    }

    /// An image that no message names yet.
    package func add(_ image: ImageID, of owner: UserID) async throws {
        let file = ImageFile(format: .jpeg, width: 3, height: 2, checked: ImageSamples.jpeg.plain)
        try await store.addImage(StoredImage(id: image, owner: owner, created: Self.day, file: file))
    }

    /// A session without an end.
    package func credential(_ secret: SecretHash, of user: UserID) -> Credential {
        Credential(secret: secret, kind: .session, user: user, created: Self.day, expires: nil)
    }

    /// What isn't asked for, on ten days before the asked hour or behind it.
    private func makeRows(before: Bool) async throws {
        let first = before ? Self.day - .seconds(10 * 86_400) : Self.day + .seconds(7_200)
        let share = ShareID.random()
        try await send(.startShare(share, ShareWish(keeping: .expiring)), ada, chat, at: first)
        for start in stride(from: 0, to: noise, by: 250) {
            let part = start..<min(start + 250, noise)
            let submissions = part.flatMap { number in
                let time = first + .milliseconds(Int64(number) * 9 * 86_400_000 / Int64(noise))
                return [
                    submission(.message(MessageDraft(tag: Self.own, content: "x")), ben, chat, at: time),
                    submission(Self.position(at: time), cid, chat, at: time),
                    submission(Self.position(at: time, share: share), ada, chat, at: time),
                ]
            }
            for result in await store.submit(submissions) { _ = try result.get() }
        }
        let end = first + .seconds(9 * 86_400)
        try await send(.stopShare(share), ada, chat, at: end)
    }

    private func erase() async throws {
        while try await store.eraseShares(at: Self.day, limit: 1_000) > 0 {}
    }

    private func makeAsked() async throws {
        let share = ShareID.random()
        try await send(.startShare(share, ShareWish(keeping: .kept)), ada, chat, at: Self.day)
        let place = MessageTag("Place") ?? .text
        for number in 0..<20 {
            let time = Self.day + .seconds(Int64(number) * 60)
            let text = MessageDraft(tag: number % 10 == 0 ? place : .text, content: "asked")
            try await send(.message(text), number % 2 == 0 ? ada : ben, chat, at: time)
            try await send(Self.position(at: time, share: share), ada, chat, at: time)
        }
        let data = try MessageData(Array(#"{"image":"\#(image)"}"#.utf8))
        let photo = MessageDraft(tag: .photo, data: data)
        try await send(.message(photo), ada, chat, at: Self.day + .seconds(1_300))
        try await send(.stopShare(share), ada, chat, at: Self.day + .seconds(1_400))
    }
}

extension CostWorld {
    /// A position with its own time.
    package static func position(at time: Timestamp, share: ShareID? = nil) -> Submission.Action {
        let shared = share.map { #","share":"\#($0)""# } ?? ""
        let text = #"{"latitude":1,"longitude":2,"timestamp":\#(time.milliseconds)\#(shared)}"#
        return .message(MessageDraft(tag: .location, data: MessageData(checked: Array(text.utf8))))
    }

    /// A submission under a key of its own.
    package func submission(_ action: Submission.Action, _ sender: UserID, _ chat: ChatID, at time: Timestamp)
        -> Submission
    {
        let key = "\(UInt64.random(in: 0...UInt64.max))"
        return Submission(chat: chat, sender: sender, key: key, action: action, time: time)
    }

    /// Sends it.
    @discardableResult
    package func send(_ action: Submission.Action, _ sender: UserID, _ chat: ChatID, at time: Timestamp)
        async throws -> Submission.Acceptance
    {
        try await store.submit(submission(action, sender, chat, at: time))
    }
}
