import NIOCore
import NIOPosix
import Testing
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(10))) struct ExchangeTests {
    @Test func `a message reaches everyone in the chat, the sender like anyone, with its number`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.subscribe(0)
            let reader = try await harness.subscribe(1)
            try await sender.send(harness.message("a"))
            let seen = try await reader.next(with: #""type":"message""#)
            #expect(number("number", in: seen) == 1)
            _ = try await sender.next(with: #""type":"message""#)
        }
    }

    @Test func `all subscribers of a topic on a loop get the same bytes`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let one = try await harness.subscribe(0)
            let other = try await harness.subscribe(1)
            try await one.send(harness.message("a"))
            let first = try await one.next(with: #""type":"message""#)
            let second = try await other.next(with: #""type":"message""#)
            #expect(first == second)
        }
    }

    @Test func `sends are answered with their numbers in order`() async throws {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.connect(0)
            try await sender.send((1...100).map { harness.message("k\($0)") })
            for expected in 1...100 {
                let answer = try await sender.next(with: #""type":"sent""#)
                #expect(answer.contains("\"key\":\"k\(expected)\""))
                #expect(number("number", in: answer) == expected)
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
            for expected in [1, 1, 2] {
                #expect(number("number", in: try await sender.next(with: #""sent""#)) == expected)
            }
            #expect(number("number", in: try await reader.next(with: #""message""#)) == 1)
            #expect(number("number", in: try await reader.next(with: #""message""#)) == 2)
        }
    }

    @Test func `a client that reconnects with its last number gets the following messages`() async throws {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.connect(0)
            try await sender.send((1...50).map { harness.message("k\($0)") })
            for _ in 1...50 { _ = try await sender.next(with: #""sent""#) }
            let reader = try await harness.connect(1)
            try await reader.send(
                #"{"type":"subscribe","id":1,"query":"messages","chat":"\#(harness.chat)","since":47}"#
            )
            let answer = try await reader.next(with: #""type":"messages""#)
            #expect(answer.contains("k48") && answer.contains("k50") && !answer.contains("k47"))
            #expect(number("through", in: answer) == 50)
        }
    }

    @Test func `a message with keep false has no number and reaches who is connected`() async throws {
        try await ExchangeHarness.run { harness in
            let reader = try await harness.subscribe(1)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a", #","keep":false"#))
            let answer = try await sender.next(with: #""sent""#)
            #expect(!answer.contains("number"))
            let seen = try await reader.next(with: #""type":"message""#)
            #expect(!seen.contains("number"))
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
            let refusal = try await stranger.next(with: #""type":"error""#)
            #expect(refusal.contains(#""code":"notParticipant""#))
        }
    }

    @Test func `a participant who leaves receives nothing after their Leave`() async throws {
        try await ExchangeHarness.run { harness in
            let leaver = try await harness.subscribe(1)
            let other = try await harness.subscribe(0)
            try await leaver.send(#"{"type":"leave","key":"bye","chat":"\#(harness.chat)"}"#)
            _ = try await other.next(with: #""tag":"Leave""#)
            try await other.send(harness.message("after"))
            _ = try await other.next(with: #""content":"after""#)
            let last = try await leaver.next(with: #""tag":"Leave""#)
            #expect(number("number", in: last) == 1)
            let ended = try await leaver.next(with: "ended")
            #expect(ended.contains("notParticipant"))
            try await leaver.send(#"{"type":"ping"}"#)
            // Only the answer to their own `leave` may still be on its way.
            var frame = await leaver.next()
            while let answer = frame, !answer.contains(#""type":"pong""#) {
                #expect(answer.contains(#""type":"sent","key":"bye""#))
                frame = await leaver.next()
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
            #expect(try await stranger.next(with: "error").contains("unknownChat"))
            try await stranger.send(#"{"type":"ping"}"#)
            _ = try await stranger.next(with: "pong")
        }
    }

    @Test func `wrong frames are refused each with its code and the session lives on`() async throws {
        try await ExchangeHarness.run { harness in
            let client = try await harness.connect(0)
            let cases = [
                ("not json", "invalidJSON"), (#"{"type":"dance"}"#, "invalidFrame"),
                (#"{"type":"ping","more":1}"#, "unknownField"), (#"{"type":"unsubscribe"}"#, "missingField"),
                (#"{"type":"unsubscribe","id":"1"}"#, "invalidField"),
                (#"{"type":"subscribe","id":1,"query":"weather"}"#, "unknownQuery"),
                (#"{"type":"pin","at":"1,2"}"#, "notAllowed"),
            ]
            for (frame, code) in cases {
                try await client.send(frame)
                #expect(try await client.next(with: #""type":"error""#).contains(code), "\(frame)")
            }
            try await client.send(#"{"type":"ping"}"#)
            _ = try await client.next(with: "pong")
        }
    }

    @Test func `without an account only the world is open`() async throws {
        try await ExchangeHarness.run { harness in
            let nobody = try await FakeClient(nil, to: harness.exchange, on: harness.group.next())
            try await nobody.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            #expect(try await nobody.next(with: "error").contains("notSignedIn"))
            try await nobody.send(harness.message("a"))
            #expect(try await nobody.next(with: "error").contains("notSignedIn"))
            try await nobody.send(#"{"type":"subscribe","id":2,"query":"world"}"#)
            _ = try await nobody.next(with: #""type":"world""#)
        }
    }

    @Test func `a new chat and whatever changes it reach who watches their chats`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await harness.connect(1)
            try await watcher.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            #expect(try await watcher.next(with: #""type":"chats""#).contains("\(harness.chat)"))
            let owner = try await harness.connect(0)
            try await owner.send(
                #"{"type":"start","key":"s","invitees":["\#(harness.people[1].id)"],"subject":"Walk"}"#
            )
            _ = try await owner.next(with: "started")
            let told = try await watcher.next(with: #""type":"chat""#)
            #expect(told.contains("Walk") && told.contains("Person 1"))
            try await owner.send(#"{"type":"subject","key":"t","chat":"\#(harness.chat)","subject":"Run"}"#)
            _ = try await watcher.next(with: "Run")
            try await watcher.send(#"{"type":"leave","key":"l","chat":"\#(harness.chat)"}"#)
            _ = try await watcher.next(with: "chatLeft")
        }
    }

    @Test func `somebody who is taken out gets that as their last message, and the others see them gone`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let (removed, other) = (try await harness.subscribe(1), try await harness.subscribe(2))
            try await removed.send(#"{"type":"subscribe","id":2,"query":"chats"}"#)
            _ = try await removed.next(with: #""type":"chats""#)
            let owner = try await harness.connect(0)
            let user = harness.people[1].id
            try await owner.send([
                harness.message("before"),
                #"{"type":"remove","key":"r","chat":"\#(harness.chat)","user":"\#(user)"}"#,
                harness.message("after"),
            ])
            _ = try await removed.next(with: "before")
            let last = try await removed.next(with: #""type":"message""#)
            #expect(last.contains(#""tag":"Remove""#) && last.contains(#""data":{"user":"\#(user)"}"#))
            #expect(try await removed.next(with: #""type":"ended""#).contains("notParticipant"))
            _ = try await removed.next(with: "chatLeft")
            _ = try await other.next(with: "after")
            try await removed.send(#"{"type":"ping"}"#)
            #expect(await removed.next()?.contains("pong") == true)
            try await removed.send(harness.message("still"))
            #expect(try await removed.next(with: "error").contains("notParticipant"))
        }
    }

    @Test func `presence tells who comes and goes`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await harness.connect(0)
            try await watcher.send(
                #"{"type":"subscribe","id":1,"query":"presence","chat":"\#(harness.chat)"}"#
            )
            let answer = try await watcher.next(with: #""type":"presence""#)
            #expect(answer.contains("\"\(harness.people[0].id)\""))
            let other = try await harness.connect(1)
            _ = try await watcher.next(with: #""online":true"#)
            try await other.disconnect()
            _ = try await watcher.next(with: #""online":false"#)
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
                    let seen = try await quick.next(with: #""type":"message""#)
                    #expect(number("number", in: seen) == expected)
                }
            }
            let unsent = try await slow.inspect { $0.unsent }
            #expect((2_000..<12_000).contains(unsent))
            try await slow.setStopped(false)
            var next = 1
            while next <= 300 {
                guard let frame = await slow.next() else { break }
                for number in numbers(in: frame) {
                    #expect(number == next)
                    next = number + 1
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
                _ = try await quick.next(with: #""content":"k\#(round)-19""#)
            }
            try await slow.setStopped(false)
            let newest = try await slow.next(with: #""content":"k3-19""#)
            #expect(newest.contains(#""type":"message""#))
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
                _ = try await quick.next(with: #""content":"k\#(round)-19""#)
            }
            #expect(try await slow.inspect { $0.closeCode } == CloseCode.policyViolation)
        }
    }

    private func numbers(in frame: String) -> [Int] {
        frame.ranges(of: "\"number\":").compactMap { range in
            Int(frame[range.upperBound...].prefix { $0.isNumber })
        }
    }
}
