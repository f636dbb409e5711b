import Testing
import YonderGeodesy
import YonderModel
import YonderRules

/// Does the same to two stores, at random, and expects the same of both.
package struct StoreComparison {
    private let stores: [TestedStore]
    private var random: SeededGenerator
    private var time: Int64 = 1_700_000_000_000
    private var people: [UserID] = []
    private var chats: [ChatID] = []
    private let seed: UInt64

    /// Prepares two empty stores that give new chats the same ids.
    package init(_ one: TestedStore, _ other: TestedStore, seed: UInt64) async throws {
        stores = [one, other]
        random = SeededGenerator(seed: seed)
        self.seed = seed
        for index in 0..<6 {
            let user = User(id: .random(using: &random), name: "\(index)")
            for store in stores {
                try await store.createAccount(Account(user: user, created: now))
                for other in people where index < 5 { try await store.connect(user.id, other) }
            }
            people.append(user.id)
        }
    }

    private var now: Timestamp { Timestamp(milliseconds: time) }

    /// Does `count` things and compares what both stores say.
    package mutating func run(_ count: Int) async throws {
        for step in 0..<count {
            time += Int64.random(in: 0...5_000, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<60: await submit(step)
            case 60..<70: await start(step)
            case 70..<73: await trim(step)
            case 73..<76: await expire(step)
            case 76..<82: await mark(step)
            default: await read(step)
            }
        }
        for chat in chats {
            await compare(count) { store throws(SharingError) in try await store.chat(chat) }
        }
        let known = (try? await stores[0].chats(of: people[0])) ?? []
        let time = now
        await compare(count) { store throws(SharingError) in
            try await store.readings(of: known, for: nil, now: time)
        }
        for person in people {
            await compare(count) { store throws(SharingError) in try await store.chats(of: person) }
        }
    }

    private mutating func person() -> UserID {
        people[Int.random(in: 0..<people.count, using: &random)]
    }

    private mutating func chat() -> ChatID {
        chats.randomElement(using: &random) ?? .random(using: &random)
    }

    private func compare<Value: Equatable & Sendable>(
        _ step: Int,
        _ body: (TestedStore) async throws(SharingError) -> Value
    ) async {
        var outcomes: [Result<Value, SharingError>] = []
        for store in stores {
            do throws(SharingError) {
                outcomes.append(.success(try await body(store)))
            } catch {
                outcomes.append(.failure(error))
            }
        }
        #expect(outcomes[0] == outcomes[1], "seed \(seed), step \(step)")
    }

    private mutating func submit(_ step: Int) async {
        let submission = Submission(
            chat: chat(),
            sender: person(),
            key: "\(Int.random(in: 0..<200, using: &random))",
            action: action(),
            time: now
        )
        if case .message(let draft) = submission.action, draft.tag == .location {
            await beginShare(for: submission, step)
        }
        await compare(step) { store throws(SharingError) in try await store.submit(submission) }
    }

    /// Starts a share of the same id in both: an implicit one of a position would get another in each.
    private mutating func beginShare(for submission: Submission, _ step: Int) async {
        let start = Submission(
            chat: submission.chat,
            sender: submission.sender,
            key: "share \(step)",
            action: .startShare(.random(using: &random), ShareWish()),
            time: submission.time
        )
        await compare(step) { store throws(SharingError) in try await store.submit(start) }
    }

    private mutating func action() -> Submission.Action {
        switch Int.random(in: 0..<23, using: &random) {
        case 22: .stayOut
        case 20: .remove(person())
        case 21: .owner(person())
        case 0, 1: .recall(number: Int64.random(in: 0...40, using: &random))
        case 2: .leave
        case 3, 4: .add(Array(people.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))))
        case 5: .subject("\(Int.random(in: 0...9, using: &random))")
        case 6: .lockSubject(Bool.random(using: &random))
        case 7: .keepPositions(PositionKeeping.allCases.randomElement(using: &random) ?? .standard)
        default: .message(draft())
        }
    }

    private mutating func draft() -> MessageDraft {
        let tag = [.text, .location, .join, MessageTag("own")][Int.random(in: 0..<4, using: &random)]
        let lifetime = Int64.random(in: -1_000...200_000, using: &random)
        return MessageDraft(
            tag: tag ?? .text,
            content: ["", "a", "b\0é"][Int.random(in: 0..<3, using: &random)],
            data: data(),
            expires: Int.random(in: 0..<4, using: &random) == 0 ? now + .milliseconds(lifetime) : nil
        )
    }

    private mutating func data() -> MessageData? {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .recall(of: Int64.random(in: 0...9, using: &random))
        case 1:
            let degrees = Double.random(in: -90...90, using: &random)
            let coordinate = Coordinate(latitude: degrees, longitude: 2 * degrees)
            let moment = now + .seconds(Int64.random(in: -60...180, using: &random))
            return coordinate.map { MessageData(position: Position(coordinate: $0, timestamp: moment)) }
        default: return nil
        }
    }

    private mutating func start(_ step: Int) async {
        let invitees = people.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        let wish = ChatStart(
            creator: person(),
            invitees: Array(invitees),
            subject: "s",
            isOneToOne: Bool.random(using: &random),
            key: Bool.random(using: &random) ? "\(Int.random(in: 0..<9, using: &random))" : nil
        )
        let time = now
        await compare(step) { store throws(SharingError) in try await store.start(wish, at: time) }
        let known = (try? await stores[0].chats(of: wish.creator)) ?? []
        for chat in known.map(\.id).sorted() where !chats.contains(chat) { chats.append(chat) }
    }

    private mutating func mark(_ step: Int) async {
        let mark = ReadMark(
            chat: chat(),
            reader: person(),
            number: Int64.random(in: 0...60, using: &random)
        )
        await compare(step) { store throws(SharingError) in try await store.read(mark) }
    }

    private mutating func trim(_ step: Int) async {
        let (chat, number) = (chat(), Int64.random(in: 0...20, using: &random))
        await compare(step) { store throws(SharingError) in
            try await store.trim(chat, below: number)
            return number
        }
    }

    private mutating func expire(_ step: Int) async {
        let (time, limit) = (now, Int.random(in: 0...5, using: &random))
        await compare(step) { store throws(SharingError) in try await store.expire(at: time, limit: limit) }
    }

    private mutating func read(_ step: Int) async {
        let (reader, time) = (person(), now)
        let number = Int64.random(in: 0...40, using: &random)
        let page = Int.random(in: 0...8, using: &random)
        let query = MessageQuery(
            chat: chat(),
            tag: [nil, .text, .location, .recall, .join][Int.random(in: 0..<5, using: &random)],
            sender: Bool.random(using: &random) ? person() : nil,
            since: Bool.random(using: &random) ? number : 0,
            before: Int.random(in: 0..<3, using: &random) == 0
                ? Int64.random(in: 1...40, using: &random) : nil,
            from: Int.random(in: 0..<4, using: &random) == 0 ? time - .seconds(60) : nil,
            to: Int.random(in: 0..<4, using: &random) == 0 ? time - .seconds(20) : nil,
            latest: Bool.random(using: &random),
            limit: Int.random(in: 1...12, using: &random)
        )
        let id = Message.ID(chat: query.chat, number: number)
        await compare(step) { store throws(SharingError) in
            try await store.messages(query, reader: reader, now: time)
        }
        await compare(step) { store throws(SharingError) in
            try await store.messages(after: number, query.filter, limit: page, reader: reader, now: time)
        }
        await compare(step) { store throws(SharingError) in
            try await store.messages(newest: query, limit: page, reader: reader, now: time)
        }
        await compare(step) { store throws(SharingError) in
            try await store.message(id, reader: reader, now: time)
        }
        let users = query.sender.map { Set([$0, reader]) }
        await compare(step) { store throws(SharingError) in
            try await store.lastLocations(in: query.chat, of: users, now: time)
        }
    }
}
