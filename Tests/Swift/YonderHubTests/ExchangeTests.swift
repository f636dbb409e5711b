import TestSupport
import NIOCore
import NIOPosix
import Testing
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ExchangeTests {
    @Test func `a message reaches everyone in the chat, the sender like anyone, with its number`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.subscribe(0)
            let reader = try await harness.subscribe(1)
            try await sender.send(harness.message("a"))
            #expect(try await reader.next(\.message).number == 1)
            #expect(try await sender.next(\.message).number == 1)
        }
    }

    @Test func `all subscribers of a topic on a loop get the same bytes`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let one = try await harness.subscribe(0)
            let other = try await harness.subscribe(1)
            let sender = try await harness.connect(2)
            try await sender.send(harness.message("a"))
            // The bytes are the promise: the loop encodes the message once.
            let text = try #require(await one.nextText())
            #expect(await other.nextText() == text)
            #expect(try ServerFrame(text: text).message?.content == "a")
        }
    }

    @Test func `sends are answered with their numbers in order`() async throws {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.connect(0)
            try await sender.send((1...100).map { harness.message("k\($0)") })
            for expected in Int64(1)...100 {
                let sent = try await sender.next(\.sent)
                #expect(sent.key == "k\(expected)" && sent.number == expected)
            }
        }
    }

    @Test func `the same key with the same message answers the first number and tells nobody again`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let reader = try await harness.subscribe(1)
            let sender = try await harness.connect(0)
            try await sender.send([harness.message("a"), harness.message("a"), harness.message("b")])
            for expected in [Int64(1), 1, 2] {
                #expect(try await sender.next(\.sent).number == expected)
            }
            #expect(try await reader.next(\.message).number == 1)
            #expect(try await reader.next(\.message).number == 2)
        }
    }

    @Test func `a client that reconnects with its last number gets the following messages`() async throws {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.connect(0)
            try await sender.send((1...50).map { harness.message("k\($0)") })
            for _ in 1...50 { _ = try await sender.next(\.sent) }
            let reader = try await harness.connect(1)
            try await reader.send(
                #"{"type":"subscribe","id":1,"query":"messages","chat":"\#(harness.chat)","since":47}"#
            )
            let answer = try await reader.next(\.messages)
            #expect(answer.messages.map(\.content) == ["k48", "k49", "k50"] && answer.through == 50)
        }
    }

    @Test func `a message with keep false has no number and reaches who is connected`() async throws {
        try await ExchangeHarness.run { harness in
            let reader = try await harness.subscribe(1)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a", #","keep":false"#))
            #expect(try await sender.next(\.sent).number == nil)
            #expect(try await reader.next(\.message).number == nil)
            #expect(try await harness.store.chat(harness.chat).last == 0)
        }
    }

    @Test func `a message with keep false has the same rights`() async throws {
        try await ExchangeHarness.run { harness in
            let stranger = try await FakeClient(
                User(id: #require(UserID(99)), name: "Stranger"),
                to: harness.exchange,
                on: harness.group.next()
            )
            try await stranger.send(harness.message("a", #","keep":false"#))
            #expect(try await stranger.next(\.refusal).error.code == .notParticipant)
        }
    }

    @Test func `a participant who leaves receives nothing after their Leave`() async throws {
        try await ExchangeHarness.run { harness in
            let leaver = try await harness.subscribe(1)
            let other = try await harness.subscribe(0)
            try await leaver.send(#"{"type":"leave","key":"bye","chat":"\#(harness.chat)"}"#)
            try await other.until { $0.message?.tag == .leave }
            try await other.send(harness.message("after"))
            try await other.until { $0.message?.content == "after" }
            let last = try await leaver.next(\.message)
            #expect(last.tag == .leave && last.number == 1)
            #expect(try await leaver.next(\.ended).error.code == .notParticipant)
            try await leaver.send(#"{"type":"ping"}"#)
            // Only the answer to their own `leave` may still be on its way.
            var frame = try await leaver.next()
            while let answer = frame, answer.pong == nil {
                #expect(answer.sent?.key == "bye")
                frame = try await leaver.next()
            }
            #expect(frame != nil)
        }
    }

    @Test func `a stranger's subscription is refused and the session lives on`() async throws {
        try await ExchangeHarness.run { harness in
            let stranger = try await FakeClient(
                User(id: #require(UserID(99)), name: "Stranger"),
                to: harness.exchange,
                on: harness.group.next()
            )
            try await stranger.send(
                #"{"type":"subscribe","id":1,"query":"messages","chat":"\#(harness.chat)"}"#
            )
            #expect(try await stranger.next(\.refusal).error.code == .unknownChat)
            try await stranger.send(#"{"type":"ping"}"#)
            _ = try await stranger.next(\.pong)
        }
    }

    @Test func `wrong frames are refused each with its code and the session lives on`() async throws {
        try await ExchangeHarness.run { harness in
            let client = try await harness.connect(0)
            let cases: [(String, SharingError.Code)] = [
                ("not json", .invalidJSON), (#"{"type":"dance"}"#, .invalidFrame),
                (#"{"type":"ping","more":1}"#, .unknownField), (#"{"type":"unsubscribe"}"#, .missingField),
                (#"{"type":"unsubscribe","id":"1"}"#, .invalidField),
                (#"{"type":"subscribe","id":1,"query":"weather"}"#, .unknownQuery),
                (#"{"type":"pin","at":"1,2"}"#, .notAllowed),
            ]
            for (frame, code) in cases {
                try await client.send(frame)
                #expect(try await client.next(\.refusal).error.code == code, "\(frame)")
            }
            try await client.send(#"{"type":"ping"}"#)
            _ = try await client.next(\.pong)
        }
    }

    @Test func `without an account only the world is open`() async throws {
        try await ExchangeHarness.run { harness in
            let nobody = try await FakeClient(nil, to: harness.exchange, on: harness.group.next())
            try await nobody.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            #expect(try await nobody.next(\.refusal).error.code == .notSignedIn)
            try await nobody.send(harness.message("a"))
            #expect(try await nobody.next(\.refusal).error.code == .notSignedIn)
            try await nobody.send(#"{"type":"subscribe","id":2,"query":"world"}"#)
            _ = try await nobody.next(\.world)
        }
    }

    @Test func `a new chat and whatever changes it reach who watches their chats`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await harness.connect(1)
            try await watcher.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            #expect(try await watcher.next(\.chats).map(\.id) == [harness.chat])
            let owner = try await harness.connect(0)
            try await owner.send(
                #"{"type":"start","key":"s","invitees":["\#(harness.people[1].id)"],"subject":"Walk"}"#
            )
            _ = try await owner.next(\.started)
            let started = try await watcher.next(\.chat)
            #expect(started.chat.subject == "Walk")
            #expect(started.users[harness.people[0].id]?.name == "Person 1")
            try await owner.send(#"{"type":"subject","key":"t","chat":"\#(harness.chat)","subject":"Run"}"#)
            try await watcher.until { $0.chat?.chat.subject == "Run" }
            try await watcher.send(#"{"type":"leave","key":"l","chat":"\#(harness.chat)"}"#)
            #expect(try await watcher.next(\.chatLeft) == harness.chat)
        }
    }

    @Test func `somebody who is taken out gets that as their last message, and the others see them gone`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let (removed, other) = (try await harness.subscribe(1), try await harness.subscribe(2))
            try await removed.send(#"{"type":"subscribe","id":2,"query":"chats"}"#)
            _ = try await removed.next(\.chats)
            let owner = try await harness.connect(0)
            let user = harness.people[1].id
            try await owner.send([
                harness.message("before"),
                #"{"type":"remove","key":"r","chat":"\#(harness.chat)","user":"\#(user)"}"#,
                harness.message("after"),
            ])
            try await removed.until { $0.message?.content == "before" }
            let last = try await removed.next(\.message)
            #expect(last.tag == .remove && last.data?.json == #"{"user":"\#(user)"}"#)
            #expect(try await removed.next(\.ended).error.code == .notParticipant)
            #expect(try await removed.next(\.chatLeft) == harness.chat)
            try await other.until { $0.message?.content == "after" }
            try await removed.send(#"{"type":"ping"}"#)
            #expect(try await removed.next()?.pong != nil)
            try await removed.send(harness.message("still"))
            #expect(try await removed.next(\.refusal).error.code == .notParticipant)
        }
    }

    @Test func `presence tells who comes and goes`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await harness.connect(0)
            try await watcher.send(
                #"{"type":"subscribe","id":1,"query":"presence","chat":"\#(harness.chat)"}"#
            )
            #expect(try await watcher.next(\.presence) == [harness.people[0].id])
            let other = try await harness.connect(1)
            #expect(try await watcher.next(\.isOnline))
            try await other.disconnect()
            #expect(try await !watcher.next(\.isOnline))
        }
    }

    // One loop: when the quick reader has a round, so has the slow one.

    @Test func `invariant 3 of CatchUp: a slow reader falls back to the store and misses nothing`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let slow = try await harness.subscribe(1, bound: 2_000)
            let quick = try await harness.subscribe(2)
            let sender = try await harness.connect(0)
            try await slow.setStopped(true)
            for round in 0..<10 {
                try await sender.send((1...30).map { harness.message("k\(round * 30 + $0)") })
                for expected in round * 30 + 1...round * 30 + 30 {
                    #expect(try await quick.next(\.message).number == Int64(expected))
                }
            }
            let unsent = try await slow.inspect { $0.unsent }
            #expect((2_000..<12_000).contains(unsent))
            try await slow.setStopped(false)
            var next: Int64 = 1
            while next <= 300, let frame = try await slow.next() {
                for message in frame.allMessages {
                    #expect(message.number == next)
                    next = message.logNumber + 1
                }
            }
            #expect(next == 301)
        }
    }

    @Test
    func
        `invariant 4 of CatchUp: a slow reader who asked for the latest gets the newest of what nobody keeps`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let slow = try await harness.subscribe(1, bound: 500, more: #","latest":true"#)
            let quick = try await harness.subscribe(2)
            let sender = try await harness.connect(0)
            try await slow.setStopped(true)
            for round in 1...3 {
                try await sender.send((0..<20).map { harness.message("k\(round)-\($0)", #","keep":false"#) })
                try await quick.until { $0.message?.content == "k\(round)-19" }
            }
            try await slow.setStopped(false)
            try await slow.until { $0.message?.content == "k3-19" }
        }
    }

    @Test func `a slow reader of what nobody keeps is closed with a typed error`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let slow = try await harness.subscribe(1, bound: 500)
            let quick = try await harness.subscribe(2)
            let sender = try await harness.connect(0)
            try await slow.setStopped(true)
            for round in 0..<3 {
                try await sender.send((0..<20).map { harness.message("k\(round)-\($0)", #","keep":false"#) })
                try await quick.until { $0.message?.content == "k\(round)-19" }
            }
            #expect(try await slow.inspect { $0.closeCode } == WebSocketCloseCode.policyViolation)
        }
    }
}
