import Testing
import YonderGeodesy
import YonderModel
import YonderRules

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
        StoreRule("positions from before their share was started are erased with it, and stay unreadable") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            // More sources than a person may have implicit shares: the last one takes the id of the first.
            for source in 0...Int64(Share.limit) { try await town.locate(people[0], chat, source: source) }
            for share in try await town.store.shares() {
                let edit = Submission.Action.changeShare(share.id, ShareEdit(keeping: .expiring))
                try await town.perform(edit, people[0], chat)
            }
            try await town.locate(people[0], chat)
            let other = try await town.group(people)
            for _ in 1...3 { try await town.locate(people[0], other) }
            let wish = ShareWish(keeping: .expiring)
            try await town.perform(.startShare(.random(), wish), people[0], other)
            try await town.locate(people[0], other)
            for share in try await town.store.shares() where share.end == nil {
                try await town.perform(.stopShare(share.id), people[0], share.chat)
            }
            func readable() async throws -> Int {
                try await town.read(chat, people[1]).count { $0.position != nil }
                    + town.read(other, people[1]).count { $0.position != nil }
            }
            #expect(try await readable() == 0)
            while try await town.store.eraseShares(at: town.now, limit: 2) > 0 {}
            #expect(try await readable() == 0)
        },
        StoreRule(
            "of the latest positions the newest that can be read counts, before the others are erased and after"
        ) {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let first = try #require(
                try await town.perform(.startShare(.random(), ShareWish()), people[0], chat).shares.first
            )
            let kept = try await town.locate(people[0], chat)
            try await town.perform(.stopShare(first.id), people[0], chat)
            let wish = ShareWish(keeping: .expiring)
            let second = try #require(
                try await town.perform(.startShare(.random(), wish), people[0], chat).shares.first
            )
            for _ in 1...3 { try await town.locate(people[0], chat) }
            let query = MessageQuery(chat: chat, tag: .location, latest: true)
            #expect(try await town.numbers(query, people[1]) == [7])
            try await town.perform(.stopShare(second.id), people[0], chat)
            #expect(try await town.numbers(query, people[1]) == [kept.number])
            #expect(try await town.numbers(MessageQuery(chat: chat, latest: true), people[1]) == [8])
            while try await town.store.eraseShares(at: town.now, limit: 2) > 0 {}
            #expect(try await town.numbers(query, people[1]) == [kept.number])
        },
        StoreRule(
            "a query with since returns each Share, Leave and Remove beside positions, and beside texts each Recall alone"
        ) { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            let sent = try await town.locate(people[0], chat)
            try await town.perform(.startShare(.random(), ShareWish(keeping: .expiring)), people[0], chat)
            try await town.say("hi", people[0], chat)
            try await town.perform(.recall(number: sent.logNumber), people[0], chat)
            try await town.perform(.remove(people[2]), people[0], chat)
            try await town.perform(.leave, people[0], chat)
            func expectNumbers(_ numbers: [Int64], _ query: MessageQuery) async throws {
                #expect(try await town.numbers(query, people[1]) == numbers)
                let (store, now) = (town.store, town.now)
                let answers = [
                    try await store.messages(after: 1, query.filter, limit: 9, reader: people[1], now: now),
                    try await store.messages(after: 1, query.filter, limit: 1, reader: people[1], now: now),
                ]
                #expect(answers[0].messages.map(\.number) == numbers)
                #expect(answers[1].messages.map(\.number) == Array(numbers.prefix(1)))
            }
            try await expectNumbers([2, 4, 5, 6], MessageQuery(chat: chat, tag: .location, since: 1))
            let ofOther = MessageQuery(chat: chat, sender: people[1], since: 1)
            try await expectNumbers([2, 4, 5, 6], ofOther)
            try await expectNumbers([4], MessageQuery(chat: chat, tag: .photo, since: 1))
            // A first answer has the Recall alone.
            let (store, now) = (town.store, town.now)
            for (since, numbers) in [(0, [1, 4]), (1, [2, 4, 5, 6])] as [(Int64, [Int64])] {
                let newest = MessageQuery(chat: chat, tag: .location, since: since)
                let page = try await store.messages(newest: newest, limit: 9, reader: people[1], now: now)
                #expect(page.messages.map(\.number) == numbers)
            }
            // What is over by itself needs nothing but recalls.
            try await expectNumbers([4], MessageQuery(chat: chat, tag: .location, since: 1, to: town.now))
            // No end takes the place of a position.
            let moved = try await town.locate(people[1], chat)
            try await town.perform(.startShare(.random(), ShareWish()), people[1], chat)
            let one = MessageQuery(chat: chat, tag: .location, since: 6, latest: true, limit: 1)
            #expect(try await town.numbers(one, people[1]) == [moved.logNumber, moved.logNumber + 1])
            for since in [0, 1] as [Int64] {
                let latest = MessageQuery(chat: chat, tag: .location, since: since, latest: true)
                #expect(try await town.numbers(latest, people[1]) == (since == 0 ? [7] : [2, 4, 5, 6, 7, 8]))
            }
        },
    ]
}

extension StoreTown {
    /// Sends a position of now.
    @discardableResult
    fileprivate func locate(_ user: UserID, _ chat: ChatID, source: Int64? = nil) async throws -> Message {
        let data = try MessageData(Array(#"{"latitude":"59.9","longitude":"10.7"}"#.utf8))
        let plain = act(.message(MessageDraft(tag: .location, data: data)), user, chat)
        return try await store.submit(
            Submission(
                chat: chat,
                sender: user,
                key: plain.key,
                action: plain.action,
                time: plain.time,
                source: source
            )
        ).message
    }
}
