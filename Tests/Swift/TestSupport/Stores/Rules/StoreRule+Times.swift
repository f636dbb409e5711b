import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let times = [
        StoreRule("a message's time is never below that of the message before it, whatever the clock shows") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let start = town.now
            var sent: [Int64] = []
            for seconds in [10, 3_700, 100, 4_000, 5] as [Int64] {
                let message = try await town.say("x", people[0], chat, at: start + .seconds(seconds))
                sent.append((message.time.milliseconds - start.milliseconds) / 1_000)
            }
            #expect(sent == [10, 3_700, 3_700, 4_000, 4_000])
            let subject = try await town.act(.subject("Walk"), people[0], chat, at: start)
            #expect(subject.message.time == start + .seconds(4_000))
            #expect(try await town.store.chat(chat).active == start + .seconds(4_000))
            let kept = try await town.read(chat, people[1]).map(\.time)
            #expect(kept == kept.sorted() && kept.last == start + .seconds(4_000))
        },
        StoreRule("a share that is stopped after the clock was put back ends at the clock's time") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let start = town.now
            try await town.say("x", people[0], chat, at: start + .seconds(3_600))
            let wish = ShareWish()
            let share = ShareID.random()
            try await town.act(.startShare(share, wish), people[0], chat, at: start)
            let stop = try await town.act(.stopShare(share), people[0], chat, at: start + .seconds(9))
            #expect(stop.message.time == start + .seconds(3_600))
            #expect(stop.shares.map { $0.end?.time } == [start + .seconds(9)])
        },
        StoreRule("messages between two times are those that a look at every message finds") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let start = town.now
            var random = SeededGenerator(seed: 7)
            for number in 0..<80 {
                let time = start + .seconds(Int64.random(in: 0...50, using: &random) + Int64(number))
                let tag = [MessageTag.text, .location].randomElement(using: &random) ?? .text
                let sender = people.randomElement(using: &random) ?? people[0]
                try await town.say("\(number)", sender, chat, tag: tag, at: time)
            }
            try await town.perform(.recall(number: 9), people[0], chat)
            let all = try await town.read(chat, people[0])
            for _ in 0..<60 {
                let bounds = (0..<2).map { _ in start + .seconds(Int64.random(in: -5...140, using: &random)) }
                    .sorted()
                let filter = MessageFilter(
                    chat: chat,
                    tag: [nil, .text, .location].randomElement(using: &random) ?? nil,
                    sender: ([nil] + people).randomElement(using: &random) ?? nil,
                    from: Bool.random(using: &random) ? bounds[0] : nil,
                    to: Bool.random(using: &random) ? bounds[1] : nil
                )
                try await town.expectFound(filter, among: all, people[0])
            }
        },
    ]
}

extension StoreTown {
    /// Sends a message at a time of its own.
    @discardableResult
    fileprivate func say(
        _ text: String,
        _ sender: UserID,
        _ chat: ChatID,
        tag: MessageTag = .text,
        at time: Timestamp
    ) async throws -> Message {
        let submission = submission(text, sender, chat, tag: tag)
        return try await act(submission.action, sender, chat, at: time).message
    }

    @discardableResult
    fileprivate func act(_ action: Submission.Action, _ sender: UserID, _ chat: ChatID, at time: Timestamp)
        async throws -> Submission.Acceptance
    {
        let key = act(action, sender, chat).key
        return try await store.submit(
            Submission(chat: chat, sender: sender, key: key, action: action, time: time)
        )
    }

    /// Expects the same of both ways to read messages: those of a filter, and what empties others beside them.
    fileprivate func expectFound(_ filter: MessageFilter, among all: [Message], _ reader: UserID) async throws
    {
        let query = MessageQuery(
            chat: filter.chat,
            tag: filter.tag,
            sender: filter.sender,
            from: filter.from,
            to: filter.to
        )
        let found = try await numbers(query, reader)
        #expect(found == all.filter(filter.selects).map(\.number), "\(filter)")
        let page = try await store.messages(after: 3, filter, limit: 1_000, reader: reader, now: now)
        let expected = all.filter { $0.logNumber > 3 && filter.matches($0) }.map(\.logNumber)
        #expect(page.messages.map(\.number) == expected, "\(filter)")
        let limited = MessageQuery(
            chat: filter.chat,
            tag: filter.tag,
            sender: filter.sender,
            from: filter.from,
            to: filter.to,
            limit: 4
        )
        let newest = all.filter(filter.selects).map(\.number).suffix(4)
        #expect(try await numbers(limited, reader) == Array(newest), "\(filter)")
    }
}
