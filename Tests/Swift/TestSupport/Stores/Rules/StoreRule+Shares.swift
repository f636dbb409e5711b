import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let shares = [
        StoreRule("a share is announced once when it starts, changes and stops, in its person's name") {
            town in
            let (people, chat) = try await town.friends()
            let started = try await town.startShare(people[0], chat, key: "start")
            let share = try #require(started.shares.first)
            #expect(started.message.tag == .share && started.message.sender == people[0])
            let again = try await town.startShare(people[0], chat, key: "start")
            #expect(again.isRepeat && again.shares == [share])
            let until = town.now + .seconds(900)
            try await town.perform(.changeShare(share.id, ShareEdit(until: until)), people[0], chat)
            try await town.perform(.stopShare(share.id), people[0], chat)
            await expectRefusal(.shareEnded) { try await town.perform(.stopShare(share.id), people[0], chat) }
            #expect(
                try await town.read(chat, people[1]).map { $0.data?.json } == [
                    #"{"share":"\#(share.id)","state":"started","until":null,"keep":"kept"}"#,
                    #"{"share":"\#(share.id)","state":"changed","until":\#(until.milliseconds),"keep":"kept"}"#,
                    #"{"share":"\#(share.id)","state":"stopped","until":\#(until.milliseconds),"keep":"kept"}"#,
                ]
            )
            #expect(try await town.store.shares().map(\.end?.ending) == [.stopped])
        },
        StoreRule("a share whose end passed is announced once, with its own end") { town in
            let (people, chat) = try await town.friends()
            let until = town.now + .seconds(60)
            let share = try #require(try await town.startShare(people[0], chat, until: until).shares.first)
            let late = until + .seconds(3_600)
            let end = Submission(
                chat: chat,
                sender: people[0],
                key: "",
                action: .endShare(share.id, .expired),
                time: late
            )
            #expect(
                try await town.store.submit(end).shares.first?.end == .init(time: until, ending: .expired)
            )
            await expectRefusal(.shareEnded) { try await town.store.submit(end) }
            #expect(try await town.read(chat, people[1]).map(\.tag) == [.share, .share])
        },
        StoreRule("a share whose end was moved goes on, whoever has the older one in mind") { town in
            let (people, chat) = try await town.friends()
            let until = town.now + .seconds(60)
            let share = try #require(try await town.startShare(people[0], chat, until: until).shares.first)
            let early = Submission(
                chat: chat,
                sender: people[0],
                key: "",
                action: .endShare(share.id, .expired),
                time: until - .milliseconds(1)
            )
            await expectRefusal(.invalidField) { try await town.store.submit(early) }
            #expect(try await town.store.shares().map(\.end) == [nil])
            #expect(try await town.read(chat, people[1]).map(\.tag) == [.share])
        },
        StoreRule(
            "a position that names no share is one of its session's implicit share, which writes no message"
        ) {
            town in
            let (people, chat) = try await town.friends()
            for source in [1, 1, 2] as [Int64] { try await town.locate(people[0], chat, source: source) }
            #expect(try await town.read(chat, people[1]).map(\.tag) == [.location, .location, .location])
            #expect(Set(try await town.store.shares().map(\.source)) == [1, 2])
            for source in 3...20 { try await town.locate(people[0], chat, source: Int64(source)) }
            #expect(try await town.store.shares().count == Share.limit)
        },
        StoreRule("after a stop a position that names no share is refused until a share is started") { town in
            let (people, chat) = try await town.friends()
            try await town.locate(people[0], chat)
            let implicit = try #require(try await town.store.shares().first)
            try await town.perform(.stopShare(implicit.id), people[0], chat)
            await expectRefusal(.shareEnded) { try await town.locate(people[0], chat) }
            try await town.startShare(people[0], chat)
            try await town.locate(people[0], chat)
            #expect(
                try await town.read(chat, people[1]).map(\.tag) == [.location, .share, .share, .location]
            )
        },
        StoreRule("a share that is started takes over an implicit one with its id") { town in
            let (people, chat) = try await town.friends()
            try await town.locate(people[0], chat)
            let implicit = try #require(try await town.store.shares().first)
            let share = try #require(try await town.startShare(people[0], chat).shares.first)
            #expect(share.id == implicit.id && !share.isImplicit)
            try await town.perform(.stopShare(share.id), people[0], chat)
            await expectRefusal(.shareEnded) { try await town.locate(people[0], chat) }
        },
        StoreRule(
            "a position of its own time after the end is refused, one from before it is taken for 24 hours"
        ) {
            town in
            let (people, chat) = try await town.friends()
            let until = town.now + .seconds(60)
            let share = try #require(try await town.startShare(people[0], chat, until: until).shares.first)
            func send(recorded: Timestamp, sent: Timestamp, named: Bool = true) async throws {
                try await town.locate(
                    people[0],
                    chat,
                    share: named ? share.id : nil,
                    recorded: recorded,
                    sent: sent
                )
            }
            try await send(recorded: until, sent: until - .seconds(1))
            await expectRefusal(.shareEnded) {
                try await send(recorded: until + .milliseconds(1), sent: until - .seconds(1))
            }
            await expectRefusal(.shareEnded) {
                try await send(recorded: until + .seconds(1), sent: until + .seconds(2))
            }
            try await send(recorded: until - .seconds(1), sent: until + .seconds(86_400))
            try await send(recorded: until - .seconds(1), sent: until + .seconds(86_400), named: false)
            await expectRefusal(.shareEnded) {
                try await send(recorded: until - .seconds(1), sent: until + .seconds(86_401))
            }
        },
        StoreRule(
            "a position from before its share, or from between two shares, reaches nobody, whatever share it names"
        ) { town in
            let (people, chat) = try await town.friends()
            let start = town.now
            let first = try #require(try await town.startShare(people[0], chat).shares.first)
            let hour = Duration.seconds(3_600)
            try await town.submit(.stopShare(first.id), people[0], chat, at: start + hour)
            let again = Submission.Action.startShare(.random(), ShareWish())
            let restarted = try await town.submit(again, people[0], chat, at: start + hour * 3)
            let second = try #require(restarted.shares.first)
            func send(recorded: Duration, share: ShareID?) async throws {
                let (recorded, sent) = (start + recorded, start + hour * 3 + .seconds(60))
                try await town.locate(people[0], chat, share: share, recorded: recorded, sent: sent)
            }
            func shown(_ share: Share) async throws -> Int {
                try await town.read(chat, people[1]).count { $0.tag == .location && $0.share == share.id }
            }
            let allowed = Message.clockTolerance
            let past = Duration.milliseconds(1)
            let refused: [Duration] = [Duration.zero - allowed - past, hour * 2, hour * 3 - allowed - past]
            for share in [nil, second.id] {
                for recorded in refused {
                    await expectRefusal(.notShared) { try await send(recorded: recorded, share: share) }
                }
                try await send(recorded: hour * 3 - allowed, share: share)
            }
            await expectRefusal(.shareEnded) { try await send(recorded: hour * 2, share: first.id) }
            let early = Duration.zero - hour
            await expectRefusal(.notShared) { try await send(recorded: early, share: first.id) }
            #expect(try await shown(second) == 2)
            #expect(try await shown(first) == 0)
            // One that names none and was recorded during the first belongs to that.
            try await send(recorded: hour - .seconds(1), share: nil)
            #expect(try await shown(first) == 1)
        },
        StoreRule("an implicit share takes what its program recorded before, until something ended") { town in
            let (people, chat) = try await town.friends()
            let hour = Duration.seconds(3_600)
            try await town.locate(people[0], chat, recorded: town.now - hour, sent: town.now, source: 1)
            try await town.locate(people[0], chat, recorded: town.now - hour * 2, sent: town.now, source: 1)
            let share = try #require(try await town.store.shares().first)
            try await town.submit(.endShare(share.id, .signedOut), people[0], chat, at: town.now)
            let later = town.now + hour
            await expectRefusal(.notShared) {
                try await town.locate(
                    people[0],
                    chat,
                    recorded: later - .seconds(121),
                    sent: later,
                    source: 2
                )
            }
            try await town.locate(people[0], chat, recorded: later, sent: later, source: 2)
        },
        StoreRule("a stop that waited ends what began before it, as of then, and what began later goes on") {
            town in
            let (people, chat) = try await town.friends()
            let (start, hour) = (town.now, Duration.seconds(3_600))
            let share = try #require(
                try await town.submit(.startShare(.random(), ShareWish()), people[0], chat, at: start + hour)
                    .shares.first
            )
            func stop(before: Timestamp) async throws -> Submission.Acceptance {
                let stop = Submission.Action.endShare(share.id, .stopped, before: before)
                return try await town.submit(stop, people[0], chat, at: start + hour * 3)
            }
            await expectRefusal(.shareEnded) { try await stop(before: start) }
            #expect(try await town.store.shares().map(\.end) == [nil])
            let tap = start + hour * 2
            let ended = try await stop(before: tap).shares.first?.end
            #expect(ended == Share.End(time: tap, ending: .stopped))
            await expectRefusal(.shareEnded) { try await stop(before: tap) }
        },
        StoreRule("a share of another, or none, is refused") { town in
            let (people, chat) = try await town.friends()
            let share = try #require(try await town.startShare(people[0], chat).shares.first)
            await expectRefusal(.unknownShare) {
                try await town.perform(.stopShare(share.id), people[1], chat)
            }
            await expectRefusal(.shareEnded) { try await town.locate(people[1], chat, share: share.id) }
            await expectRefusal(.unknownShare) {
                try await town.perform(.stopShare(.random()), people[0], chat)
            }
            let past = ShareWish(until: Timestamp(milliseconds: 1))
            await expectRefusal(.invalidField) {
                try await town.perform(.startShare(.random(), past), people[0], chat)
            }
        },
        StoreRule("leaving a chat ends one's shares there, without a message of its own") { town in
            let (people, chat) = try await town.friends()
            try await town.startShare(people[0], chat)
            try await town.locate(people[1], chat)
            let left = try await town.perform(.leave, people[1], chat)
            #expect(left.shares.map(\.user) == [people[1]])
            #expect(try await town.read(chat, people[0]).map(\.tag) == [.share, .location, .leave])
            let running = try await town.store.shares().filter { $0.end == nil }
            #expect(running.map(\.user) == [people[0]])
            try await town.perform(.add([people[1]]), people[0], chat)
            try await town.locate(people[1], chat)
        },
        StoreRule("positions of an expiring share can't be read from its end on, and are erased by its id") {
            town in
            let (people, chat) = try await town.friends()
            let until = town.now + .seconds(3_600)
            let wish = ShareWish(until: until, keeping: .expiring)
            let action = Submission.Action.startShare(.random(), wish)
            let share = try #require(try await town.perform(action, people[0], chat).shares.first)
            for _ in 1...3 { try await town.locate(people[0], chat, share: share.id) }
            try await town.say("text", people[0], chat)
            func positions(at time: Timestamp) async throws -> Int {
                let query = MessageQuery(chat: chat)
                let answer = try await town.store.messages(query, reader: people[1], now: time)
                let last = try await town.store.lastLocations(in: chat, of: nil, now: time)
                let positions = answer.messages.count { $0.position != nil }
                #expect(last.messages.isEmpty == (positions == 0))
                return positions
            }
            #expect(try await positions(at: until - .milliseconds(1)) == 3)
            #expect(try await positions(at: until) == 0)
            let longer = until + .seconds(3_600)
            try await town.perform(.changeShare(share.id, ShareEdit(until: longer)), people[0], chat)
            #expect(try await positions(at: until) == 3)
            #expect(try await town.store.eraseShares(at: town.now, limit: 100) == 0)
            try await town.perform(.stopShare(share.id), people[0], chat)
            #expect(try await positions(at: town.now) == 0)
            var (erased, step) = (0, 1)
            while step > 0 {
                step = try await town.store.eraseShares(at: town.now, limit: 2)
                erased += step
            }
            #expect(erased >= 3)
            #expect(
                try await town.read(chat, people[1]).filter { !$0.isEmpty }.map(\.tag) == [
                    .share, .text, .share, .share,
                ]
            )
            let late = try await town.locate(people[0], chat, share: share.id, recorded: share.started)
            #expect(late.message.isEmpty)
        },
        StoreRule("a share's erasing goes on behind what it has looked at") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let wish = ShareWish(until: town.now + .seconds(3_600), keeping: .expiring)
            let action = Submission.Action.startShare(.random(), wish)
            let share = try #require(try await town.perform(action, people[0], chat).shares.first)
            var numbers: [Int64] = []
            for _ in 0..<6 {
                numbers.append(try await town.locate(people[0], chat, share: share.id).message.logNumber)
                try await town.say("between", people[0], chat)
            }
            try await town.perform(.stopShare(share.id), people[0], chat)
            func known() async throws -> Share? { try await town.store.shares().first { $0.id == share.id } }
            #expect(try #require(try await known()).after < numbers[0])
            for last in [1, 3, 5] {
                #expect(try await town.store.eraseShares(at: town.now, limit: 2) == 2)
                #expect(try await known()?.after == numbers[last])
            }
            #expect(try await known()?.isErased == false)
            #expect(try await town.store.eraseShares(at: town.now, limit: 2) == 1)
            #expect(try await known()?.needsErasing != true)
            #expect(try await town.store.eraseShares(at: town.now, limit: 2) == 0)
        },
        StoreRule("positions are emptied after the chat's time, which an owner chooses; texts stay") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            #expect(try await town.store.chat(chat).positions == .month)
            await expectRefusal(.notAllowed) { try await town.perform(.keepPositions(.day), people[1], chat) }
            let begun = town.now
            for _ in 0..<3 { try await town.locate(people[0], chat) }
            try await town.perform(.message(MessageDraft(tag: .text, content: "hi")), people[0], chat)
            let positions = { @Sendable in
                try await town.read(chat, people[1]).filter { $0.tag == .location && !$0.isEmpty }.count
            }
            let month = begun + .seconds(30 * 86_400)
            #expect(try await town.store.erasePositions(at: month - .seconds(1), limit: 100) == 0)
            let choice = try await town.perform(.keepPositions(.day), people[0], chat).message
            #expect(choice.tag == .subject && choice.data?.json == #"{"positions":"day"}"#)
            let day = town.now + .seconds(86_400)
            try await town.perform(.keepPositions(.forever), people[0], chat)
            #expect(try await town.store.erasePositions(at: month, limit: 100) == 0)
            try await town.perform(.keepPositions(.day), people[0], chat)
            #expect(try await town.store.erasePositions(at: day, limit: 2) == 2)
            #expect(try await positions() == 1)
            #expect(try await town.store.erasePositions(at: day, limit: 2) == 1)
            #expect(try await town.store.erasePositions(at: day, limit: 2) == 0)
            let left = try await town.read(chat, people[1]).filter { !$0.isEmpty }
            #expect(left.contains { $0.content == "hi" } && !left.contains { $0.tag == .location })
            #expect(try await town.store.lastLocations(in: chat, of: nil, now: town.now).messages.isEmpty)
            try await town.locate(people[0], chat)
            #expect(try await positions() == 1)
            let pair = try await town.pair(people).chat.id
            for person in people { try await town.perform(.keepPositions(.year), person, pair) }
        },
    ]
}

extension StoreTown {
    fileprivate func friends() async throws -> ([UserID], ChatID) {
        let people = try await people(2)
        return (people, try await group(people))
    }

    /// Performs an action at a time; what the server does by itself has no key.
    @discardableResult
    fileprivate func submit(_ action: Submission.Action, _ user: UserID, _ chat: ChatID, at time: Timestamp)
        async throws -> Submission.Acceptance
    {
        let plain = act(action, user, chat)
        let key = plain.isServers ? "" : plain.key
        return try await store.submit(
            Submission(chat: chat, sender: user, key: key, action: action, time: time)
        )
    }

    @discardableResult
    fileprivate func startShare(
        _ user: UserID,
        _ chat: ChatID,
        until: Timestamp? = nil,
        key: String? = nil
    ) async throws -> Submission.Acceptance {
        try await perform(.startShare(.random(), ShareWish(until: until)), user, chat, key: key)
    }

    /// Sends a position, of now unless said otherwise.
    @discardableResult
    fileprivate func locate(
        _ user: UserID,
        _ chat: ChatID,
        share: ShareID? = nil,
        recorded: Timestamp? = nil,
        sent: Timestamp? = nil,
        source: Int64? = nil
    ) async throws -> Submission.Acceptance {
        let named = share.map { #","share":"\#($0)""# } ?? ""
        let time = recorded.map { #","timestamp":\#($0.milliseconds)"# } ?? ""
        let data = try MessageData(Array(#"{"latitude":"59.9","longitude":"10.7"\#(named)\#(time)}"#.utf8))
        let plain = act(.message(MessageDraft(tag: .location, data: data)), user, chat)
        let submission = Submission(
            chat: chat,
            sender: user,
            key: plain.key,
            action: plain.action,
            time: sent ?? plain.time,
            source: source
        )
        return try await store.submit(submission)
    }
}
