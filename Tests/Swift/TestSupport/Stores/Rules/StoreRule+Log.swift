import Synchronization
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let log = [
        StoreRule("a chat's numbers start at 1 and have no gaps") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            for number in 1...20 {
                let message = try await town.say("\(number)", people[number % 2], chat)
                #expect(message.number == Int64(number))
            }
            #expect(try await town.read(chat, people[0]).map(\.number) == Array(1...20))
        },
        StoreRule("a message comes back as it was sent, byte for byte") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let data = try MessageData(
                Array(#" {"b" : [1, 2.50, "\u00e9"], "a":{} } "#.utf8.dropFirst().dropLast())
            )
            let draft = MessageDraft(tag: .location, content: "a\0b é é 🏔", data: data)
            let sent = try await town.perform(.message(draft), people[0], chat).message
            let read = try await town.store.message(sent.id, reader: people[1], now: town.now)
            #expect(read == sent)
            #expect(read.data?.bytes == data.bytes)
            #expect(Array(read.content.utf8) == Array(draft.content.utf8))
        },
        StoreRule("a chat's numbers have no gap when many send at once, and answers come in their order") {
            town in
            let people = try await town.people(8)
            let chat = try await town.group(people)
            let answered = Answers()
            await withTaskGroup(of: Void.self) { group in
                for person in people {
                    group.addTask {
                        for index in 0..<50 {
                            let submission = town.submission("\(index)", person, chat)
                            await withCheckedContinuation { continuation in
                                town.store.submit([submission]) { results in
                                    let numbers = results.compactMap { try? $0.get().message.number }
                                    answered.numbers.withLock { $0 += numbers }
                                    continuation.resume()
                                }
                            }
                        }
                    }
                }
            }
            #expect(answered.numbers.withLock(\.self) == Array(1...400))
            #expect(try await town.store.chat(chat).last == 400)
            for person in people {
                let own = try await town.read(chat, people[0]).filter { $0.sender == person }
                #expect(own.map(\.content) == (0..<50).map(String.init))
            }
        },
        StoreRule("several submissions are taken in order, and a refused one leaves no gap") { town in
            let people = try await town.people(2)
            let (chat, stranger) = (try await town.group(people), try await town.person("Stranger"))
            let submissions = [
                town.submission("a", people[0], chat), town.submission("b", stranger, chat),
                town.act(.message(MessageDraft(tag: .join)), people[0], chat),
                town.submission("c", people[1], chat),
            ]
            let results = await withCheckedContinuation { continuation in
                town.store.submit(submissions) { continuation.resume(returning: $0) }
            }
            #expect(results.map { try? $0.get().message.number } == [1, nil, nil, 2])
            await expectRefusal(.unknownChat) { try results[1].get() }
            await expectRefusal(.reservedTag) { try results[2].get() }
        },
        StoreRule("a message over 71 680 bytes is refused whole") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let full = String(repeating: "x", count: Message.byteLimit)
            #expect(try await town.say(full, people[0], chat).number == 1)
            await expectRefusal(.messageTooLarge) { try await town.say(full + "x", people[0], chat) }
            #expect(try await town.store.chat(chat).last == 1)
        },
        StoreRule("chats are listed by their newest message") { town in
            let people = try await town.people(2)
            let chats = [
                try await town.group(people), try await town.group(people), try await town.group(people),
            ]
            #expect(try await town.store.chats(of: people[1]).map(\.id) == chats.reversed())
            try await town.say("a", people[0], chats[1])
            try await town.say("b", people[0], chats[0])
            let listed = try await town.store.chats(of: people[1])
            #expect(listed.map(\.id) == [chats[0], chats[1], chats[2]])
            #expect(listed.map(\.last) == [1, 1, 0])
            let stranger = try await town.person("Stranger")
            #expect(try await town.store.chats(of: stranger).isEmpty)
        },
        StoreRule("pages of chats go on behind a place whose chat changed or was left") { town in
            let people = try await town.people(2)
            var chats: [ChatID] = []
            for _ in 0..<7 { chats.append(try await town.group(people)) }
            let (store, user) = (town.store, people[1])
            let first = try await store.chats(of: user, after: nil, limit: 3)
            #expect(first.map(\.id) == Array(chats.reversed().prefix(3)))
            let place = try #require(first.last?.place)
            try await town.perform(.leave, user, chats[4])
            try await town.say("newest", people[0], chats[5])
            let second = try await store.chats(of: user, after: place, limit: 3)
            #expect(second.map(\.id) == [chats[3], chats[2], chats[1]])
            let third = try await store.chats(of: user, after: second.last?.place, limit: 3)
            #expect(third.map(\.id) == [chats[0]])
            #expect(try await store.chats(of: user, after: third.last?.place, limit: 3).isEmpty)
        },
        StoreRule("chats of the same last activity are listed by their ids, also over pages") { town in
            let people = try await town.people(2)
            let time = town.now
            var chats: [ChatID] = []
            for _ in 0..<5 {
                let wish = ChatStart(creator: people[0], invitees: [people[1]])
                chats.append(try await town.store.start(wish, at: time).chat.id)
            }
            var listed: [ChatID] = []
            var place: ChatPlace?
            for _ in 0..<3 {
                let page = try await town.store.chats(of: people[0], after: place, limit: 2)
                listed += page.map(\.id)
                place = page.last?.place
            }
            #expect(listed == chats.sorted())
        },
        StoreRule("the last numbers of a user's chats are those of the chats they are in") { town in
            let people = try await town.people(3)
            let (one, two, left) = (
                try await town.group(people), try await town.group(people), try await town.group(people)
            )
            try await town.say("a", people[0], two)
            try await town.perform(.leave, people[1], left)
            #expect(try await town.store.lastNumbers(of: people[1]) == [one: 0, two: 1])
            #expect(try await town.store.lastNumbers(of: people[0]) == [one: 0, two: 1, left: 1])
        },
    ]

    static let keys = [
        StoreRule("the same key with the same message answers the first number") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let first = try await town.store.submit(town.submission("a", people[0], chat, key: "k"))
            try await town.say("b", people[0], chat)
            let again = try await town.store.submit(town.submission("a", people[0], chat, key: "k"))
            #expect(!first.isRepeat && again.isRepeat)
            #expect(again.message == first.message)
            #expect(try await town.store.chat(chat).last == 2)
        },
        StoreRule("the same key with another message is refused") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.say("é", people[0], chat, key: "k")
            await expectRefusal(.keyReused) { try await town.say("b", people[0], chat, key: "k") }
            // Composed and decomposed: one text to a person, two to a log.
            await expectRefusal(.keyReused) { try await town.say("e\u{301}", people[0], chat, key: "k") }
            await expectRefusal(.keyReused) { try await town.perform(.leave, people[0], chat, key: "k") }
            #expect(try await town.store.chat(chat).last == 1)
        },
        StoreRule("a key is one per chat and sender, compared by byte") { town in
            let people = try await town.people(2)
            let chats = [try await town.group(people), try await town.group(people)]
            #expect(try await town.say("a", people[0], chats[0], key: "\u{e9}").number == 1)
            #expect(try await town.say("a", people[1], chats[0], key: "\u{e9}").number == 2)
            #expect(try await town.say("a", people[0], chats[0], key: "e\u{301}").number == 3)
            #expect(try await town.say("a", people[0], chats[0], key: "e\u{301}\0").number == 4)
            #expect(try await town.say("a", people[0], chats[1], key: "\u{e9}").number == 1)
            await expectRefusal(.invalidField) { try await town.say("a", people[0], chats[0], key: "") }
            let long = String(repeating: "k", count: 65)
            await expectRefusal(.invalidField) { try await town.say("a", people[0], chats[0], key: long) }
        },
        StoreRule("a key is known after its message was recalled or expired, and when its sender has left") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let draft = MessageDraft(tag: .text, content: "b", expires: town.now + .seconds(60))
            try await town.say("a", people[1], chat, key: "a")
            try await town.perform(.message(draft), people[1], chat, key: "b")
            try await town.perform(.recall(number: 1), people[1], chat, key: "r")
            try await town.store.expire(at: town.now + .seconds(120), limit: 10)
            try await town.perform(.leave, people[1], chat, key: "l")
            #expect(try await town.say("a", people[1], chat, key: "a").number == 1)
            #expect(try await town.perform(.message(draft), people[1], chat, key: "b").message.number == 2)
            #expect(try await town.perform(.recall(number: 1), people[1], chat, key: "r").message.number == 3)
            let left = try await town.perform(.leave, people[1], chat, key: "l")
            #expect(left.isRepeat && left.message.number == 4 && left.moved.isEmpty)
            // Nothing tells another message from the erased one any more.
            #expect(try await town.say("c", people[1], chat, key: "a").number == 1)
            await expectRefusal(.notParticipant) { try await town.say("c", people[1], chat, key: "new") }
        },
        StoreRule("many sends of one key at once make one message") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await town.say("a", people[0], chat, key: "k").logNumber }
                }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(numbers == [1])
            #expect(try await town.store.chat(chat).last == 1)
        },
        StoreRule("a key is free again when its message was removed from the front") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.say("a", people[0], chat, key: "k")
            try await town.store.trim(chat, below: 2)
            #expect(try await town.say("b", people[0], chat, key: "k").number == 2)
        },
    ]
}

/// The numbers that were answered, in their order.
private final class Answers: Sendable {
    let numbers = Mutex<[Int64]>([])
}
