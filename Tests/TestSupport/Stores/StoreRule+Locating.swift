import Testing
import YonderGeodesy
import YonderModel

extension StoreRule {
    static let locating = [
        StoreRule("of each who is in a chat the last location is found") { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            try await town.locate(1, people[0], chat)
            try await town.say("Hello", people[0], chat)
            try await town.locate(3, people[0], chat)
            try await town.locate(4, people[1], chat)
            let found = try await town.store.lastLocations(in: chat, of: nil, now: town.now)
            #expect(found.messages.map(\.number) == [3, 4])
            #expect(found.messages.map { $0.position?.coordinate.latitude } == [3, 4])
            #expect(found.chat == (try await town.store.chat(chat)))
            #expect(try await town.lastLocations(chat, of: [people[1], people[2]]) == [4])
            #expect(try await town.lastLocations(chat, of: []).isEmpty)
            await expectRefusal(.unknownChat) {
                try await town.store.lastLocations(in: .random(), of: nil, now: town.now)
            }
        },
        StoreRule("what was taken back, has expired or is no position is no last location") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.locate(1, people[0], chat)
            try await town.locate(2, people[0], chat, expires: town.now + .seconds(100))
            try await town.say("somewhere", people[0], chat, tag: .location)
            try await town.locate(4, people[0], chat)
            #expect(try await town.lastLocations(chat) == [4])
            try await town.perform(.recall(number: 4), people[0], chat)
            #expect(try await town.lastLocations(chat) == [2])
            let later = town.now + .seconds(200)
            let shown = try await town.store.lastLocations(in: chat, of: nil, now: later).messages
            #expect(shown.map(\.number) == [1])
            try await town.store.expire(at: later, limit: 10)
            #expect(try await town.lastLocations(chat) == [1])
            try await town.perform(.recall(number: 1), people[0], chat)
            #expect(try await town.lastLocations(chat).isEmpty)
        },
        StoreRule("who left has no last location until they join again") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.locate(1, people[1], chat)
            try await town.perform(.leave, people[1], chat)
            #expect(try await town.lastLocations(chat).isEmpty)
            #expect(try await town.lastLocations(chat, of: [people[1]]).isEmpty)
            try await town.perform(.add([people[1]]), people[0], chat)
            #expect(try await town.lastLocations(chat) == [1])
        },
    ]
}

extension StoreTown {
    fileprivate func locate(
        _ latitude: Double,
        _ sender: UserID,
        _ chat: ChatID,
        expires: Timestamp? = nil
    ) async throws {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: 13))
        let data = MessageData(position: Position(coordinate: coordinate, timestamp: now))
        try await perform(.message(MessageDraft(tag: .location, data: data, expires: expires)), sender, chat)
    }

    fileprivate func lastLocations(_ chat: ChatID, of users: Set<UserID>? = nil) async throws -> [Int64] {
        try await store.lastLocations(in: chat, of: users, now: now).messages.map(\.number)
    }
}
