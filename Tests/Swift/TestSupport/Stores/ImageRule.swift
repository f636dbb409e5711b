import Testing
import YonderGeodesy
import YonderModel
package import YonderRules

/// A promise that every store of images keeps, as a test: its name says what.
package struct ImageRule: Sendable, CustomTestStringConvertible {
    /// A store that the images' messages and profiles are in, too.
    package typealias Store = AccountStore & ChatStore & ImageStore

    /// The promise.
    package let testDescription: String

    /// Tries it on an empty store.
    package let check: @Sendable (any Store) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (Album) async throws -> Void) {
        testDescription = name
        self.check = { try await check(try await Album($0)) }
    }

    /// All of them.
    package static let all = [
        ImageRule("an image is found as it was sent, named by nothing yet") { album in
            let image = try await album.add()
            let found = try #require(try await album.store.image(image.id))
            #expect(found.image == image && found.messages.isEmpty)
            #expect(try await album.store.image(.random()) == nil)
        },
        ImageRule("a photo of the owner's names the image, in each chat that it is sent to") { album in
            let image = try await album.add()
            let first = try await album.send(image.id)
            let second = try await album.send(image.id)
            #expect(try await Set(#require(album.store.image(image.id)).messages) == [first, second])
        },
        ImageRule("nobody else's message names it, and no other tag does") { album in
            let image = try await album.add()
            _ = try await album.send(image.id, from: album.ben)
            _ = try await album.send(image.id, tag: .text)
            #expect(try await #require(album.store.image(image.id)).messages.isEmpty)
        },
        ImageRule("an image is gone with the last message that named it: taken back") { album in
            let image = try await album.add()
            let (first, second) = (try await album.send(image.id), try await album.send(image.id))
            try await album.recall(first)
            #expect(try await #require(album.store.image(image.id)).messages == [second])
            try await album.recall(second)
            #expect(try await album.store.image(image.id) == nil)
        },
        ImageRule("an image is gone with the last message that named it: expired") { album in
            let image = try await album.add()
            _ = try await album.send(image.id, expires: album.time + .seconds(5))
            try await album.store.expire(at: album.time + .seconds(4), limit: 10)
            #expect(try await album.store.image(image.id) != nil)
            try await album.store.expire(at: album.time + .seconds(6), limit: 10)
            #expect(try await album.store.image(image.id) == nil)
        },
        ImageRule("an image is gone with the last message that named it: trimmed") { album in
            let image = try await album.add()
            let message = try await album.send(image.id)
            try await album.store.trim(message.chat, below: message.logNumber + 1)
            #expect(try await album.store.image(image.id) == nil)
        },
        ImageRule("an image is gone when its profile names another one, unless a message names it, too") {
            album in
            let (plain, sent) = (try await album.add(), try await album.add())
            try await album.wear(plain.id)
            try await album.wear(sent.id)
            _ = try await album.send(sent.id)
            try await album.wear(nil)
            #expect(try await album.store.image(plain.id) == nil)
            #expect(try await album.store.image(sent.id) != nil)
        },
        ImageRule("an unnamed image is removed after its time, and a named one is kept") { album in
            let (loose, worn, sent) = (try await album.add(), try await album.add(), try await album.add())
            try await album.wear(worn.id)
            _ = try await album.send(sent.id)
            #expect(try await album.store.removeLooseImages(before: album.time) == 0)
            #expect(try await album.store.removeLooseImages(before: album.time + .seconds(1)) == 1)
            #expect(try await album.store.image(loose.id) == nil)
            #expect(try await album.store.image(worn.id) != nil)
            #expect(try await album.store.image(sent.id) != nil)
        },
        ImageRule("a person has so many loose images at most") { album in
            for _ in 0..<StoredImage.looseLimit { _ = try await album.add() }
            await expectRefusal(.tooMany) { _ = try await album.add() }
        },
    ]
}

/// Ada, who sends images, and Ben, who has a chat with her.
final class Album: Sendable {
    let store: any ImageRule.Store
    let ada = UserID.random()
    let ben = UserID.random()
    let time = Timestamp(milliseconds: 1_700_000_000_000)
    private let chat: ChatID

    init(_ store: any ImageRule.Store) async throws {
        self.store = store
        for user in [ada, ben] {
            try await store.createAccount(Account(user: User(id: user, name: "Somebody"), created: time))
        }
        try await store.connect(ada, ben)
        chat = try await store.start(ChatStart(creator: ada, invitees: [ben]), at: time).chat.id
    }

    func add() async throws -> StoredImage {
        let file = ImageFile(format: .jpeg, width: 3, height: 2, checked: ImageSamples.jpeg.plain)
        let image = StoredImage(id: .random(), owner: ada, created: time, file: file)
        try await store.addImage(image)
        return image
    }

    func send(
        _ image: ImageID,
        from sender: UserID? = nil,
        tag: MessageTag = .photo,
        expires: Timestamp? = nil
    ) async throws -> Message.ID {
        let data = try MessageData(Array(#"{"image":"\#(image)"}"#.utf8))
        let draft = MessageDraft(tag: tag, content: "", data: data, expires: expires)
        return try await submit(.message(draft), sender ?? ada)
    }

    func recall(_ message: Message.ID) async throws {
        _ = try await submit(.recall(number: message.logNumber), ada)
    }

    func wear(_ image: ImageID?) async throws {
        _ = try await store.update(ada, profile: Profile(name: "Ada", avatar: image.map(StoredImage.path)))
    }

    private func submit(_ action: Submission.Action, _ sender: UserID) async throws -> Message.ID {
        let submission = Submission(
            chat: chat,
            sender: sender,
            key: "\(ChatID.random())",
            action: action,
            time: time
        )
        return try await store.submit(submission).message.id
    }
}
