import Testing
import YonderGeodesy
import YonderModel
import YonderRules

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
        StoreRule("a recalled or expired message, or one without a position, is no last location") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.locate(1, people[0], chat)
            try await town.locate(2, people[0], chat, expires: town.now + .seconds(100))
            let draft = MessageDraft(tag: .location, content: "somewhere")
            try await town.perform(.message(draft), people[0], chat)
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
        StoreRule("a user who left has no last location until they join again") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.locate(1, people[1], chat)
            try await town.perform(.leave, people[1], chat)
            #expect(try await town.lastLocations(chat).isEmpty)
            #expect(try await town.lastLocations(chat, of: [people[1]]).isEmpty)
            try await town.perform(.add([people[1]]), people[0], chat)
            #expect(try await town.lastLocations(chat) == [1])
        },
        StoreRule("a position older than its sender's newest is late, and given that in the commit") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let start = town.now - .seconds(100)
            let at = { (seconds: Int64) in start + .seconds(seconds) }
            #expect(try await !town.locate(1, people[0], chat, at: at(10)).isLate)
            #expect(try await !town.locate(2, people[0], chat, at: at(30)).isLate)
            #expect(try await town.locate(3, people[0], chat, at: at(20)).isLate)
            #expect(try await !town.locate(4, people[0], chat, at: at(30)).isLate)
            #expect(try await !town.locate(5, people[1], chat, at: at(5)).isLate)
            // Too far ahead of the server's clock: it counts as when it came.
            #expect(try await !town.locate(6, people[0], chat, at: at(100_000)).isLate)
            #expect(try await town.locate(7, people[0], chat, at: at(31)).isLate)
            #expect(try await !town.say("8", people[0], chat).isLate)
            let read = try await town.read(chat, people[1])
            #expect(read.map(\.isLate) == [false, false, true, false, false, false, true, false])
        },
        StoreRule("newest is by time, then by number, and the newest remaining is back") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let start = town.now
            let at = { (seconds: Int64) in start + .seconds(seconds) }
            for (place, time) in [(1.0, Int64(10)), (2, 40), (3, 20), (4, 30), (5, 30)] {
                try await town.locate(place, people[0], chat, at: at(time))
            }
            func newest() async throws -> [Int64] {
                let query = MessageQuery(chat: chat, tag: .location, latest: true)
                let latest = try await town.numbers(query, people[1])
                #expect(try await town.lastLocations(chat) == latest)
                return latest
            }
            var order: [Int64] = []
            while let last = try await newest().first {
                order.append(last)
                let recall = MessageQuery(chat: chat, tag: .location, sender: people[0], latest: true)
                #expect(try await town.numbers(recall, people[0]) == [last])
                try await town.perform(.recall(number: last), people[0], chat)
            }
            #expect(order == [2, 5, 4, 3, 1])
        },
        StoreRule("behind one that was taken back or has expired, a position isn't late") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let start = town.now
            let at = { (seconds: Int64) in start + .seconds(seconds) }
            try await town.locate(1, people[0], chat, at: at(10))
            try await town.locate(2, people[0], chat, at: at(60))
            #expect(try await town.locate(3, people[0], chat, at: at(30)).isLate)
            try await town.perform(.recall(number: 2), people[0], chat)
            #expect(try await !town.locate(5, people[0], chat, at: at(40)).isLate)
            try await town.locate(6, people[0], chat, at: at(70), expires: town.now + .seconds(3))
            #expect(try await town.locate(7, people[0], chat, at: at(50)).isLate)
            for _ in 0..<3 { _ = town.now }
            #expect(try await !town.locate(8, people[0], chat, at: at(55)).isLate)
            #expect(try await town.lastLocations(chat) == [8])
            try await town.store.trim(chat, below: 9)
            #expect(try await !town.locate(9, people[0], chat, at: at(1)).isLate)
        },
    ]
}

extension StoreTown {
    @discardableResult
    fileprivate func locate(
        _ latitude: Double,
        _ sender: UserID,
        _ chat: ChatID,
        at time: Timestamp? = nil,
        expires: Timestamp? = nil
    ) async throws -> Message {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: 13))
        let data = MessageData(position: Position(coordinate: coordinate, timestamp: time ?? now))
        let draft = MessageDraft(tag: .location, data: data, expires: expires)
        return try await perform(.message(draft), sender, chat).message
    }

    fileprivate func lastLocations(_ chat: ChatID, of users: Set<UserID>? = nil) async throws -> [Int64] {
        try await store.lastLocations(in: chat, of: users, now: now).messages.map(\.logNumber)
    }
}
