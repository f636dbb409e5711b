import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let reads = [
        StoreRule("written messages are counted in the commit, positions and the server's own aren't") {
            town in
            let people = try await town.people(3)
            let chat = try await town.group(Array(people[..<2]))
            let place = MessageTag("Place") ?? .text
            #expect(try await town.say("1", people[0], chat).written == 1)
            #expect(try await town.say("2", people[1], chat, tag: .location).written == nil)
            #expect(try await town.say("3", people[1], chat, tag: place).written == 2)
            let subject = try await town.perform(.subject("Walk"), people[0], chat)
            #expect(subject.message.written == nil && subject.written == 2)
            let join = try await town.perform(.add([people[2]]), people[0], chat)
            #expect(join.message.written == nil && join.written == 2)
            let recall = try await town.perform(.recall(number: 3), people[1], chat)
            #expect(recall.message.written == nil && recall.written == 2)
            let last = try await town.perform(.message(MessageDraft(tag: .text)), people[2], chat)
            #expect(last.message.written == 3 && last.written == 3)
            #expect(try await town.store.chat(chat).written == 3)
            #expect(try await town.read(chat, people[0]).map(\.written) == [1, nil, 2, nil, nil, nil, 3])
        },
        StoreRule("a written message keeps its number when it is recalled, has expired or is sent again") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let one = town.submission("1", people[0], chat, key: "one")
            #expect(try await town.store.submit(one).message.written == 1)
            try await town.say("2", people[0], chat)
            #expect(try await town.store.submit(one).message.written == 1)
            try await town.perform(.recall(number: 1), people[0], chat)
            #expect(try await town.store.submit(one).message.written == 1)
            let brief = MessageDraft(tag: .text, content: "3", expires: town.now + .seconds(1))
            try await town.perform(.message(brief), people[0], chat)
            try await town.store.expire(at: town.now, limit: 10)
            #expect(try await town.read(chat, people[1]).map(\.written) == [1, 2, nil, 3])
        },
        StoreRule("written messages are counted on from messages that were removed") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            for number in 1...3 { try await town.say("\(number)", people[0], chat) }
            let active = try await town.store.chat(chat).active
            try await town.say("4", people[0], chat, tag: .location)
            try await town.store.trim(chat, below: 4)
            let trimmed = try await town.store.chat(chat)
            #expect(trimmed.written == 3 && trimmed.active == active)
            let mark = ReadMark(chat: chat, reader: people[1], number: 4)
            #expect(try await town.store.read(mark).position == ReadPosition(number: 4, written: 3))
            #expect(try await town.say("5", people[0], chat).written == 4)
            let early = ReadMark(chat: chat, reader: people[0], number: 4)
            #expect(try await town.store.read(early).position == ReadPosition(number: 4, written: 3))
            try await town.store.trim(chat, below: 9)
            #expect(try await town.say("6", people[0], chat).written == 5)
        },
        StoreRule("chats are listed by their last activity, which a position is not") { town in
            let people = try await town.people(3)
            let chats = [try await town.group(people), try await town.group(people)]
            func order() async throws -> [ChatID] {
                try await town.store.chats(of: people[0]).map(\.id)
            }
            try await town.say("1", people[0], chats[0])
            #expect(try await order() == chats)
            try await town.say("1", people[1], chats[1], tag: .location)
            #expect(try await order() == chats)
            let subject = try await town.perform(.subject("Walk"), people[0], chats[1])
            #expect(try await order() == chats.reversed())
            #expect(try await town.store.chat(chats[1]).active == subject.message.time)
            try await town.perform(.leave, people[2], chats[0])
            #expect(try await order() == chats)
            try await town.perform(.recall(number: 1), people[1], chats[1])
            #expect(try await order() == chats)
        },
        StoreRule("a read position moves forward alone, and says how much of what is written is read") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            for number in 1...6 {
                try await town.say("\(number)", people[0], chat, tag: number % 2 == 0 ? .location : .text)
            }
            func read(_ number: Int64) async throws -> ReadMark.Outcome {
                try await town.store.read(ReadMark(chat: chat, reader: people[1], number: number))
            }
            let none = ReadMark.Outcome(position: ReadPosition(), hasMoved: false, isShown: true)
            #expect(try await read(0) == none)
            let four = ReadPosition(number: 4, written: 2)
            #expect(
                try await read(4) == ReadMark.Outcome(position: four, hasMoved: true, isShown: true)
            )
            #expect(
                try await read(3) == ReadMark.Outcome(position: four, hasMoved: false, isShown: true)
            )
            #expect(try await read(.max).position == ReadPosition(number: 6, written: 3))
        },
        StoreRule("only a participant's read position is kept, from their Join on") { town in
            let people = try await town.people(3)
            let stranger = try await town.person("Stranger")
            let chat = try await town.group(Array(people[..<2]))
            try await town.say("1", people[0], chat)
            await expectRefusal(.unknownChat) {
                try await town.store.read(ReadMark(chat: chat, reader: stranger, number: 1))
            }
            await expectRefusal(.unknownChat) {
                try await town.store.read(ReadMark(chat: .random(), reader: people[0], number: 1))
            }
            try await town.perform(.add([people[2]]), people[0], chat)
            func reading(_ reader: UserID?) async throws -> ChatReading? {
                let chats = [try await town.store.chat(chat)]
                return try await town.store.readings(of: chats, for: reader, now: town.now)[chat]
            }
            let joined = ReadPosition(number: 2, written: 1)
            #expect(try await reading(nil)?.positions == [people[2]: joined])
            try await town.perform(.leave, people[2], chat)
            #expect(try await reading(nil)?.positions == [:])
            await expectRefusal(.notParticipant) {
                try await town.store.read(ReadMark(chat: chat, reader: people[2], number: 3))
            }
        },
        StoreRule("a preview is the newest written message that its reader may read") { town in
            let people = try await town.people(3)
            let chat = try await town.group(Array(people[..<2]))
            func preview(_ user: UserID) async throws -> String? {
                let chat = try await town.store.chat(chat)
                let reading = try await town.store.readings(of: [chat], for: user, now: town.now)[chat.id]
                return chat.participant(user).flatMap { reading?.view(of: chat, for: $0).preview?.content }
            }
            #expect(try await preview(people[0]) == nil)
            try await town.say("1", people[0], chat)
            try await town.say("2", people[1], chat)
            try await town.say("3", people[1], chat, tag: .location)
            #expect(try await preview(people[0]) == "2")
            try await town.perform(.recall(number: 2), people[1], chat)
            #expect(try await preview(people[0]) == "1")
            try await town.perform(.add([people[2]]), people[0], chat)
            #expect(try await preview(people[2]) == nil)
            let long = String(repeating: "é", count: 300)
            let brief = MessageDraft(tag: .text, content: long, expires: town.now + .seconds(3))
            try await town.perform(.message(brief), people[0], chat)
            #expect(try await preview(people[2]) == String(repeating: "é", count: 200))
            _ = (town.now, town.now)
            #expect(try await preview(people[2]) == nil)
            #expect(try await preview(people[1]) == "1")
        },
        StoreRule("read positions are mutual, and can be switched off") { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            try await town.say("1", people[0], chat)
            func reads(_ user: UserID) async throws -> [UserID: Int64]? {
                let chat = try await town.store.chat(chat)
                let reading = try await town.store.readings(of: [chat], for: user, now: town.now)[chat.id]
                return chat.participant(user).flatMap { reading?.view(of: chat, for: $0).reads }
            }
            try await town.store.read(ReadMark(chat: chat, reader: people[0], number: 1))
            try await town.store.read(ReadMark(chat: chat, reader: people[1], number: 1))
            #expect(try await reads(people[2]) == [people[0]: 1, people[1]: 1])
            #expect(try await reads(people[0]) == [people[1]: 1])
            try await town.store.setShowsReads(people[1], false)
            #expect(try await town.store.account(people[1]).showsReads == false)
            #expect(try await reads(people[2]) == [people[0]: 1])
            #expect(try await reads(people[1]) == nil)
            let outcome = try await town.store.read(ReadMark(chat: chat, reader: people[1], number: 1))
            #expect(!outcome.isShown && outcome.position == ReadPosition(number: 1, written: 1))
            try await town.store.setShowsReads(people[1], true)
            #expect(try await reads(people[1]) == [people[0]: 1])
            await expectRefusal(.unknownUser) { try await town.store.setShowsReads(.random(), true) }
        },
    ]
}
