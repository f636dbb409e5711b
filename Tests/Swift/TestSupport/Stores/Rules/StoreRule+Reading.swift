import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let reading = [
        StoreRule("a later participant reads from their Join, the creator from number 1") { town in
            let people = try await town.people(3)
            let chat = try await town.group(Array(people[..<2]))
            try await town.say("1", people[0], chat)
            let joined = try await town.perform(.add([people[2]]), people[0], chat)
            #expect(joined.message.number == 2 && joined.moved.map(\.user) == [people[2]])
            try await town.say("3", people[1], chat)
            #expect(try await town.read(chat, people[1]).map(\.number) == [1, 2, 3])
            #expect(try await town.read(chat, people[2]).map(\.number) == [2, 3])
            await expectRefusal(.unknownMessage) {
                try await town.store.message(.init(chat: chat, number: 1), reader: people[2], now: town.now)
            }
            let answer = try await town.store.messages(
                MessageQuery(chat: chat),
                reader: people[2],
                now: town.now
            )
            #expect(answer.first == 2 && answer.through == 3 && answer.last == 3)
        },
        StoreRule("a user who left reads nothing until they join again, and never the messages between") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.say("1", people[0], chat)
            try await town.perform(.leave, people[1], chat)
            try await town.say("3", people[0], chat)
            await expectRefusal(.notParticipant) { try await town.read(chat, people[1]) }
            await expectRefusal(.notParticipant) {
                try await town.store.messages(
                    after: 0,
                    MessageFilter(chat: chat),
                    limit: 9,
                    reader: people[1],
                    now: town.now
                )
            }
            #expect(try await town.store.chats(of: people[1]).isEmpty)
            try await town.perform(.add([people[1]]), people[0], chat)
            try await town.say("5", people[0], chat)
            #expect(try await town.read(chat, people[1]).map(\.number) == [1, 2, 4, 5])
            #expect(try await town.numbers(MessageQuery(chat: chat, limit: 3), people[1]) == [2, 4, 5])
            let filter = MessageFilter(chat: chat)
            let answer = try await town.store.messages(
                after: 1,
                filter,
                limit: 2,
                reader: people[1],
                now: town.now
            )
            #expect(answer.messages.map(\.number) == [2, 4] && answer.through == 4 && !answer.isComplete)
            let chats = try await town.store.chats(of: people[1]).map(\.id)
            #expect(chats == [chat])
        },
        StoreRule("a stranger can't tell a chat from none") { town in
            let people = try await town.people(2)
            let (chat, stranger) = (try await town.group(people), try await town.person("Stranger"))
            for id in [chat, ChatID.random()] {
                await expectRefusal(.unknownChat) { try await town.read(id, stranger) }
                await expectRefusal(.unknownChat) { try await town.say("a", stranger, id) }
                await expectRefusal(.unknownChat) { try await town.perform(.leave, stranger, id) }
                await expectRefusal(.unknownChat) {
                    try await town.store.message(.init(chat: id, number: 1), reader: stranger, now: town.now)
                }
                await expectRefusal(.unknownChat) {
                    try await town.store.messages(
                        newest: MessageQuery(chat: id),
                        limit: 10,
                        reader: stranger,
                        now: town.now
                    )
                }
            }
        },
        StoreRule("an acknowledged message is in the next read") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            for number in 1...50 {
                let message = try await town.say("\(number)", people[0], chat)
                #expect(try await town.read(chat, people[1]).last == message)
                #expect(try await town.store.chat(chat).last == message.number)
            }
        },
    ]

    static let queries = [
        StoreRule("a query joins its conditions by and, and answers the newest, oldest first") { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            var times: [Timestamp] = []
            for number in 0..<30 {
                let tag: MessageTag = number % 2 == 0 ? .location : .text
                times.append(try await town.say("\(number)", people[number % 3], chat, tag: tag).time)
            }
            let one = people[1]
            #expect(try await town.numbers(MessageQuery(chat: chat, limit: 3), one) == [28, 29, 30])
            #expect(
                try await town.numbers(MessageQuery(chat: chat, tag: .location, limit: 2), one) == [27, 29]
            )
            #expect(
                try await town.numbers(MessageQuery(chat: chat, sender: people[2], since: 24), one) == [
                    27, 30,
                ]
            )
            let both = MessageQuery(chat: chat, tag: .text, sender: people[0], from: times[9])
            #expect(try await town.numbers(both, one) == [10, 16, 22, 28])
            let window = MessageQuery(chat: chat, from: times[3], to: times[6])
            #expect(try await town.numbers(window, one) == [4, 5, 6])
            #expect(try await town.numbers(MessageQuery(chat: chat, since: 30), one).isEmpty)
            #expect(try await town.numbers(MessageQuery(chat: chat, since: .max), one).isEmpty)
        },
        StoreRule("the latest are the newest of each sender that meet the conditions") { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            try await town.say("1", people[0], chat, tag: .location)
            try await town.say("2", people[1], chat, tag: .location)
            try await town.say("3", people[0], chat, tag: .location)
            try await town.say("4", people[1], chat)
            try await town.say("5", people[2], chat)
            let latest = MessageQuery(chat: chat, latest: true)
            #expect(try await town.numbers(latest, people[0]) == [3, 4, 5])
            let places = MessageQuery(chat: chat, tag: .location, latest: true)
            #expect(try await town.numbers(places, people[0]) == [2, 3])
            let one = MessageQuery(chat: chat, tag: .location, sender: people[1], latest: true)
            #expect(try await town.numbers(one, people[0]) == [2])
            #expect(
                try await town.numbers(MessageQuery(chat: chat, latest: true, limit: 2), people[0]) == [4, 5]
            )
        },
        StoreRule("a resuming query gets every Recall above its number as well") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.say("1", people[0], chat, tag: .location)
            try await town.say("2", people[1], chat)
            try await town.perform(.recall(number: 1), people[0], chat)
            try await town.say("4", people[1], chat, tag: .location)
            #expect(try await town.numbers(MessageQuery(chat: chat, tag: .location), people[0]) == [1, 4])
            #expect(
                try await town.numbers(MessageQuery(chat: chat, tag: .location, since: 1), people[0]) == [
                    3, 4,
                ]
            )
            let latest = MessageQuery(chat: chat, tag: .location, sender: people[1], since: 1, latest: true)
            #expect(try await town.numbers(latest, people[0]) == [3, 4])
            let answer = try await town.store.messages(
                after: 0,
                MessageFilter(chat: chat, tag: .location),
                limit: 10,
                reader: people[0],
                now: town.now
            )
            #expect(answer.messages.map(\.number) == [1, 3, 4] && answer.through == 4)
        },
        StoreRule("pages from the floor of a query bring its newest matches, each once") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            for number in 0..<40 { try await town.say("\(number)", people[number % 2], chat) }
            let query = MessageQuery(chat: chat, sender: people[0], limit: 7)
            var page = try await town.store.messages(
                newest: query,
                limit: 2,
                reader: people[1],
                now: town.now
            )
            var numbers = page.messages.map(\.number)
            while !page.isComplete {
                page = try await town.store.messages(
                    after: page.through,
                    query.filter,
                    limit: 2,
                    reader: people[1],
                    now: town.now
                )
                numbers += page.messages.map(\.number)
            }
            #expect(try await town.numbers(query, people[1]) == numbers)
            #expect(numbers.count == 7 && page.through == 40)
        },
        StoreRule("a page ends once it has 256 KiB, and says so") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let text = String(repeating: "x", count: 70_000)
            for _ in 0..<6 { try await town.say(text, people[0], chat) }
            let filter = MessageFilter(chat: chat)
            let page = try await town.store.messages(
                after: 0,
                filter,
                limit: 100,
                reader: people[1],
                now: town.now
            )
            #expect(page.messages.map(\.number) == [1, 2, 3, 4] && page.through == 4 && page.last == 6)
        },
    ]
}
