import Testing
import YonderGeodesy
import YonderModel

extension StoreRule {
    static let emptying = [
        StoreRule("a recall takes content and data, and is a message itself") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let draft = MessageDraft(
                tag: .location,
                content: "a",
                data: try MessageData(Array(#"{"x":1}"#.utf8))
            )
            let sent = try await town.perform(.message(draft), people[1], chat).message
            let recall = try await town.perform(.recall(number: 1), people[1], chat)
            #expect(recall.recalled == sent)
            #expect(recall.message.tag == .recall && recall.message.data?.json == #"{"number":1}"#)
            let log = try await town.read(chat, people[0])
            #expect(log == [sent.emptied(recalled: true), recall.message])
            #expect(log[0].tag == .location && log[0].time == sent.time && log[0].sender == people[1])
        },
        StoreRule("only its sender or an owner takes a message back, and never the log's own") { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            try await town.say("1", people[1], chat)
            try await town.say("2", people[1], chat)
            await expectRefusal(.notAllowed) { try await town.perform(.recall(number: 1), people[2], chat) }
            try await town.perform(.recall(number: 1), people[0], chat)
            await expectRefusal(.notAllowed) { try await town.perform(.recall(number: 3), people[0], chat) }
            for number in [0, -1, 4, Int64.max] {
                await expectRefusal(.unknownMessage) {
                    try await town.perform(.recall(number: number), people[0], chat)
                }
            }
            #expect(try await town.store.chat(chat).last == 3)
        },
        StoreRule("a user can't recall a message that they may not read") { town in
            let people = try await town.people(3)
            let chat = try await town.group(Array(people[..<2]))
            try await town.say("1", people[0], chat)
            try await town.perform(.add([people[2]]), people[0], chat)
            await expectRefusal(.unknownMessage) {
                try await town.perform(.recall(number: 1), people[2], chat)
            }
        },
        StoreRule("an expired message is never shown, emptied on the disk or not") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let draft = MessageDraft(tag: .text, content: "secret", expires: town.now + .seconds(100))
            let sent = try await town.perform(.message(draft), people[0], chat).message
            let later = town.now + .seconds(200)
            let query = MessageQuery(chat: chat)
            #expect(try await town.read(chat, people[1]) == [sent])
            let gone = [sent.emptied(recalled: false)]
            #expect(try await town.store.messages(query, reader: people[1], now: later).messages == gone)
            #expect(try await town.store.message(sent.id, reader: people[1], now: later) == gone[0])
            let page = try await town.store.messages(
                after: 0,
                query.filter,
                limit: 9,
                reader: people[1],
                now: later
            )
            #expect(page.messages == gone)
            #expect(try await town.store.expire(at: town.now, limit: 10) == 0)
            #expect(try await town.store.expire(at: later, limit: 10) == 1)
            #expect(try await town.store.expire(at: later, limit: 10) == 0)
            #expect(try await town.read(chat, people[1]) == gone)
        },
        StoreRule("a message that has expired on arrival has a number and no content") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let draft = MessageDraft(tag: .text, content: "late", expires: town.now)
            let sent = try await town.perform(.message(draft), people[0], chat).message
            #expect(sent.number == 1 && sent.content.isEmpty && !sent.isRecalled)
            #expect(try await town.perform(.message(draft), people[0], chat, key: "k").message.number == 2)
            #expect(try await town.perform(.message(draft), people[0], chat, key: "k").isRepeat)
        },
        StoreRule("expiry goes by its order and stops at its limit") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let start = town.now
            for seconds in [300, 100, 200] {
                let draft = MessageDraft(tag: .text, content: "x", expires: start + .seconds(seconds))
                try await town.perform(.message(draft), people[0], chat)
            }
            #expect(try await town.store.expire(at: start + .seconds(1_000), limit: 2) == 2)
            #expect(try await town.read(chat, people[0]).map(\.content) == ["x", "", ""])
        },
        StoreRule("retention removes from the front alone, and numbers go on") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            for number in 1...10 { try await town.say("\(number)", people[0], chat) }
            try await town.store.trim(chat, below: 5)
            try await town.store.trim(chat, below: 3)
            #expect(try await town.store.chat(chat).first == 5)
            let answer = try await town.store.messages(
                MessageQuery(chat: chat),
                reader: people[1],
                now: town.now
            )
            #expect(answer.messages.map(\.number) == Array(5...10) && answer.first == 5 && answer.last == 10)
            await expectRefusal(.unknownMessage) {
                try await town.store.message(.init(chat: chat, number: 4), reader: people[1], now: town.now)
            }
            await expectRefusal(.unknownMessage) {
                try await town.perform(.recall(number: 4), people[0], chat)
            }
            try await town.store.trim(chat, below: .max)
            let empty = try await town.store.chat(chat)
            #expect(empty.first == 11 && empty.last == 10)
            #expect(try await town.read(chat, people[1]).isEmpty)
            #expect(try await town.say("11", people[0], chat).number == 11)
            await expectRefusal(.unknownChat) { try await town.store.trim(.random(), below: 1) }
        },
    ]
}
