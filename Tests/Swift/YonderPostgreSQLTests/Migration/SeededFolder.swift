#if Postgres
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

@testable import YonderStorage

/// A data folder with content of every kind, written through the ports by a seeded generator.
struct SeededFolder {
    let folder = TemporaryFolder()
    let now = Timestamp(milliseconds: 1_800_000_000_000)
    let token = SecretHash(filledWith: 7)
    private(set) var ada = UserID.random()
    private(set) var group = ChatID.random()

    /// Fills the folder.
    init(seed: UInt64) async throws {
        let ids = [SeededChatIDs(seed: seed), SeededChatIDs(seed: seed)]
        // Few messages wait in `recent` at once, so that some were moved and some weren't.
        let store = try SQLiteStore(folder: folder.path, recentLimit: 16, nextChatID: { ids[0].next() })
        let memory = MemoryStore(nextChatID: { ids[1].next() })
        var chats = try await StoreComparison(store, memory, seed: seed)
        try await chats.run(200)
        var objects = ObjectComparison(store, memory, seed: seed)
        await objects.run(150)
        try await addPeople(to: store)
        try await addChat(to: store)
        try store.close()
    }

    private mutating func addPeople(to store: SQLiteStore) async throws {
        let time = now
        for (name, isOperator) in [
            ("Ada", true), ("Ben", false), ("Cyd", false), ("Dan", false), ("Eve", false),
        ] {
            let user = User(id: .random(), name: name, email: "\(name)@example.org")
            try await store.createAccount(
                Account(
                    user: user,
                    login: "\(name) ☕️",
                    passwordHash: "hash of \(name)",
                    isOperator: isOperator,
                    created: time
                )
            )
            people.append(user.id)
        }
        ada = people[0]
        for other in people.dropFirst() { try await store.connect(ada, other) }
        _ = try await store.block(people[4], by: ada)
        let event = AccountEvent(time: time, change: .password, actor: .operator, network: "192.0.2.1")
        try await store.setPassword(ada, hash: "hash of Ada", ending: CredentialEnd(), noting: [event])
        try await store.setShowsReads(people[1], false)
        try await store.createInvitation(
            Invitation(
                secret: SecretHash(filledWith: 1),
                sender: ada,
                created: time,
                expires: time + .seconds(60)
            )
        )
        for (number, kind) in [
            (7, Credential.Kind.token), (8, .session), (9, .link), (10, .device), (11, .accounts),
        ] {
            try await store.createCredential(
                Credential(
                    secret: SecretHash(filledWith: UInt8(number)),
                    kind: kind,
                    user: ada,
                    label: "\(kind)",
                    created: time,
                    expires: number == 7 ? nil : time + .seconds(600)
                )
            )
        }
        try await store.note([CredentialUse(credential: token, user: ada, time: time, network: "192.0.2")])
        let session = SessionStart.random(at: time, subnet: "192.0.2")
        _ = try await store.startSession(session, by: store.password(of: ada))
        let key = try #require(SigningKey(id: "app", name: "Ünïcode ☕️", rights: .write, created: time))
        try await store.createSigningKey(key, secret: .random())
        try await store.remove(people[3])
    }

    private var people: [UserID] = []

    private mutating func addChat(to store: SQLiteStore) async throws {
        let wish = ChatStart(creator: ada, invitees: [people[1], people[2]], key: "start\0")
        group = try await store.start(wish, at: now).chat.id
        _ = try await store.start(ChatStart(creator: ada, invitees: [people[1]], isOneToOne: true), at: now)
        let file = ImageFile(format: .jpeg, width: 3, height: 2, checked: ImageSamples.jpeg.plain)
        let image = StoredImage(id: .random(), owner: ada, created: now, file: file)
        try await store.addImage(image)
        let photo = try MessageData(Array(#"{"image":"\#(image.id)"}"#.utf8))
        try await send(MessageDraft(tag: .photo, content: "", data: photo), key: "photo", to: store)
        let fleeting = MessageDraft(tag: .text, content: "soon gone", expires: now + .seconds(1))
        try await send(fleeting, key: "fleeting", to: store)
        try await store.expire(at: now + .seconds(2), limit: 10)
        let recalled = try await send(MessageDraft(tag: .text, content: "zero\0 ☕️"), key: "é\0", to: store)
        try await act(.recall(number: recalled), ada, key: "recall", to: store)
        try await send(MessageDraft(tag: .text, content: "zero\0 ☕️"), key: "kept", to: store)
        try await addShares(to: store)
        try await act(.leave, people[2], key: "leave", to: store)
        try await act(.add([people[2]]), ada, key: "back", to: store)
        try await act(.stayOut, people[2], key: "out", to: store)
        try await act(.lockSubject(true), ada, key: "lock", to: store)
        try await act(.keepPositions(.day), ada, key: "keep", to: store)
        _ = try await store.read(ReadMark(chat: group, reader: people[1], number: 4))
    }

    private func addShares(to store: SQLiteStore) async throws {
        let place = try #require(Coordinate(latitude: 59.912_345_678_9, longitude: -10.1))
        let arrival = try #require(Arrival(coordinate: place, radius: .meters(123.456)))
        let wishes = [
            ShareWish(), ShareWish(until: now + .seconds(900), arrival: arrival, keeping: .expiring),
        ]
        for (number, wish) in wishes.enumerated() {
            let (share, person) = (ShareID.random(), people[number])
            try await act(.startShare(share, wish), person, key: "share \(number)", to: store)
            for step in [0, 5, 3] {
                let text =
                    #"{"latitude":"59.9","longitude":"10.7","share":"\#(share)","timestamp":\#(now.milliseconds - 9 + Int64(step))}"#
                let draft = MessageDraft(tag: .location, data: try MessageData(Array(text.utf8)))
                try await act(.message(draft), person, key: "fix \(number) \(step)", to: store)
            }
            if number == 1 { try await act(.stopShare(share), person, key: "stop", to: store) }
        }
    }

    @discardableResult
    private func send(_ draft: MessageDraft, key: String, to store: SQLiteStore) async throws -> Int64 {
        try await act(.message(draft), ada, key: key, to: store)
    }

    @discardableResult
    private func act(_ action: Submission.Action, _ sender: UserID, key: String, to store: SQLiteStore)
        async throws -> Int64
    {
        try await store.submit(submission(action, sender, key: key)).message.logNumber
    }

    /// A user's submission to the group.
    func submission(_ action: Submission.Action, _ sender: UserID, key: String) -> Submission {
        // With a sign-in, so that started shares have one that feeds them.
        Submission(chat: group, sender: sender, key: key, action: action, time: now, source: 4_711)
    }
}

extension SecretHash {
    /// A hash of equal bytes.
    init(filledWith byte: UInt8) {
        guard let hash = SecretHash([UInt8](repeating: byte, count: 32)) else {
            preconditionFailure("A hash has 32 bytes.")
        }
        self = hash
    }
}

/// Chat ids that repeat themselves.
private final class SeededChatIDs: Sendable {
    private let random: Mutex<SeededGenerator>

    init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed &+ 1_000))
    }

    func next() -> ChatID {
        random.withLock { .random(using: &$0) }
    }
}
#endif
