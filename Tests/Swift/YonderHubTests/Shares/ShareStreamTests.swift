import TestSupport
import Logging
import NIOCore
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ShareStreamTests {
    @Test func `a share is started, changed and stopped over the stream, and everybody reads so once`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let viewer = try await harness.subscribe(1)
            let sharer = try await harness.connect(0)
            let share = try await sharer.share(harness.chat)
            try await sharer.send(
                #"{"type":"changeShare","key":"c","chat":"\#(harness.chat)","share":"\#(share)","keep":"expiring"}"#
            )
            _ = try await sharer.next(\.shared)
            try await sharer.send(
                #"{"type":"stopShare","key":"d","chat":"\#(harness.chat)","share":"\#(share)"}"#
            )
            let freshness = try await sharer.next(\.shared).freshness
            #expect(freshness.state == .ended && freshness.cause == .stopped)
            for state in ["started", "changed", "stopped"] {
                let note = try await viewer.next(\.message).shareNote
                #expect(note?.share == "\(share)" && note?.state == state)
            }
        }
    }

    @Test func `a raw socket that sends on after the end is refused, kept or not`() async throws {
        try await ExchangeHarness.run { harness in
            let sharer = try await harness.connect(0)
            let share = try await sharer.share(harness.chat)
            try await sharer.send(harness.position("a", share))
            _ = try await sharer.next(\.sent)
            try await sharer.send(#"{"type":"stopShares","key":"s"}"#)
            #expect(try await sharer.next(\.stopped) == [share])
            // A position of the share's last millisecond still belongs to it.
            let end = Timestamp.now
            while Timestamp.now <= end { await Task.yield() }
            for frame in [
                harness.position("b", share), harness.position("c", nil),
                harness.position("d", share, #","keep":false"#),
                harness.position("e", nil, #","keep":false"#),
                #"{"type":"heartbeat","chat":"\#(harness.chat)"}"#,
            ] {
                try await sharer.send(frame)
                #expect(try await sharer.next()?.refusal?.error.code == .shareEnded)
            }
        }
    }

    @Test func `a stop that follows a start on the same connection ends what it begins`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            for round in 0..<5 {
                let sharer = try await harness.connect(0)
                let start = #"{"type":"share","key":"s\#(round)","chat":"\#(harness.chat)"}"#
                try await sharer.send(start)
                try await sharer.send(#"{"type":"stopShares","key":"t\#(round)"}"#)
                let share = try await sharer.next(\.shared).id
                #expect(try await sharer.next(\.stopped) == [share])
                // A refused start keeps no stop back.
                try await sharer.send(#"{"type":"share","key":"u\#(round)","chat":"1"}"#)
                try await sharer.send(#"{"type":"stopShares","key":"v\#(round)"}"#)
                #expect(try await sharer.next()?.refusal != nil)
                #expect(try await sharer.next(\.stopped) == [])
            }
        }
    }

    @Test
    func `a subscriber who asked for parts is sent a share's freshness alone, and one who didn't the share`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let (whole, partial) = (try await harness.connect(1), try await harness.connect(2))
            let query = #"{"type":"subscribe","id":1,"query":"freshness","chat":"\#(harness.chat)"}"#
            try await whole.send(query)
            try await partial.send(query.dropLast() + #","partial":true}"#)
            for viewer in [whole, partial] { try await viewer.until(\.isCurrent) }
            let sharer = try await harness.connect(0)
            let share = try await sharer.share(harness.chat)
            func next(_ viewer: FakeClient) async throws -> ShareChange {
                try await viewer.next { frame in
                    if case .sharesChanged(_, _, let changes) = frame { changes.first } else { nil }
                }
            }
            for viewer in [whole, partial] { #expect(try await next(viewer).share?.id == share) }
            try await sharer.send(harness.position("a", share))
            let (first, second) = (try await next(whole), try await next(partial))
            #expect(first.share?.id == share && second.share == nil)
            #expect(
                second.id == share && second.freshness == first.freshness && second.freshness.state == .live
            )
            try await sharer.send(#"{"type":"stopShares","key":"s"}"#)
            for viewer in [whole, partial] {
                let end = try await next(viewer)
                #expect(end.share?.id == share && end.freshness.state == .ended)
            }
        }
    }

    @Test func `freshness answers with the running shares, and then with what is different`() async throws {
        try await ExchangeHarness.run { harness in
            let viewer = try await harness.connect(1)
            try await viewer.send(
                #"{"type":"subscribe","id":7,"query":"freshness","chat":"\#(harness.chat)"}"#
            )
            #expect(try await viewer.until(\.isCurrent).freshness == [])
            let sharer = try await harness.connect(0)
            let share = try await sharer.share(harness.chat)
            let begun = try await viewer.next(\.freshness)
            #expect(begun.map(\.id) == [share])
            #expect(begun.first?.freshness.state == .slow && begun.first?.freshness.cause == .noFix)
            try await sharer.send(harness.position("a", share))
            _ = try await viewer.next(.live)
            try await sharer.send(
                #"{"type":"stopShare","key":"d","chat":"\#(harness.chat)","share":"\#(share)"}"#
            )
            #expect(try await viewer.next(.ended).cause == .stopped)
        }
    }

    @Test func `states that come by the clock are told, and a share whose time is over is ended once`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let viewer = try await harness.subscribe(1)
            try await viewer.send(
                #"{"type":"subscribe","id":7,"query":"freshness","chat":"\#(harness.chat)"}"#
            )
            _ = try await viewer.next(\.freshness)
            let sharer = try await harness.connect(0)
            let until = Timestamp.now + .seconds(3_600)
            let share = try await sharer.share(harness.chat, #","until":\#(until.milliseconds)"#)
            try await sharer.send(harness.position("a", share))
            _ = try await viewer.next(.live)
            for (seconds, state) in [(60, Freshness.State.slow), (340, .stale), (600, .offline)] {
                harness.skip(.seconds(seconds))
                _ = try await viewer.next(state)
            }
            for _ in 1...3 { harness.exchange.tickShares(until + .seconds(60)) }
            #expect(try await viewer.next(.ended).cause == .expired)
            try await sharer.send(harness.message("after"))
            try await viewer.until { $0.message?.content == "after" }
            let log = try await harness.store.messages(
                MessageQuery(chat: harness.chat, tag: .share),
                reader: harness.people[1].id,
                now: .now
            )
            #expect(try log.messages.map { try $0.shareNote?.state } == ["started", "expired"])
        }
    }

    @Test func `an end that passed while the server was down is announced once by the next one`() async throws
    {
        try await ExchangeHarness.run { harness in
            let sharer = try await harness.connect(0)
            let until = Timestamp.now + .seconds(60)
            _ = try await sharer.share(harness.chat, #","until":\#(until.milliseconds)"#)
            let next = try await Exchange.start(
                chats: harness.store,
                accounts: harness.store,
                group: harness.group,
                logger: Logger(label: "test")
            )
            for _ in 1...3 { next.tickShares(until + .seconds(7_200)) }
            let log = try await harness.store.messages(
                MessageQuery(chat: harness.chat, tag: .share),
                reader: harness.people[1].id,
                now: .now
            )
            #expect(log.messages.count == 2)
            #expect(try await harness.store.shares().map(\.end) == [.init(time: until, ending: .expired)])
        }
    }

    @Test func `arriving ends the share`() async throws {
        try await ExchangeHarness.run { harness in
            let viewer = try await harness.subscribe(1)
            let sharer = try await harness.connect(0)
            let there = #","arrival":{"latitude":59.9,"longitude":10.7}"#
            let share = try await sharer.share(harness.chat, there)
            let now = Timestamp.now
            for (key, second) in [("a", -70), ("b", -5)] {
                let time = #","timestamp":\#((now + .seconds(second)).milliseconds)"#
                try await sharer.send(harness.position(key, share, data: time))
                _ = try await sharer.next(\.sent)
            }
            _ = try await sharer.session { _ in }
            while harness.exchange.shares({ $0.due(at: now) }).isEmpty { await Task.yield() }
            harness.exchange.tickShares(now)
            let end = try await viewer.until { (try? $0.message?.shareNote)?.state == "expired" }
            #expect(try end.message?.shareNote?.arrived == true)
        }
    }

    @Test func `two chats, one share stopped: the people there get nothing of the other`() async throws {
        try await ExchangeHarness.run { harness in
            let other = try await harness.exchange.start(
                ChatStart(creator: harness.people[0].id, invitees: [harness.people[2].id]),
                under: .server
            ).chat.id
            let sharer = try await harness.connect(0)
            let shares = [try await sharer.share(harness.chat), try await sharer.share(other)]
            let viewer = try await harness.subscribe(1)
            try await viewer.send(
                #"{"type":"subscribe","id":7,"query":"freshness","chat":"\#(harness.chat)"}"#
            )
            _ = try await viewer.next(\.freshness)
            try await sharer.send(
                #"{"type":"stopShare","key":"d","chat":"\#(harness.chat)","share":"\#(shares[0])"}"#
            )
            // The end comes as a freshness and as a message, in either order.
            for _ in 1...2 { try await viewer.until(\.isEndOfShare) }
            for index in 1...5 {
                try await sharer.send(harness.position("p\(index)", shares[1], in: other))
                _ = try await sharer.next(\.sent)
            }
            harness.exchange.tickShares(.now + .seconds(600))
            try await viewer.send(#"{"type":"ping"}"#)
            #expect(try await viewer.next()?.pong != nil)
        }
    }

    @Test func `a pin in the world goes at its time, and comes back only with a later one`() async throws {
        try await ExchangeHarness.run { harness in
            let (viewer, sharer) = (try await harness.connect(1), try await harness.connect(0))
            for client in [viewer, sharer] {
                try await client.send(#"{"type":"subscribe","id":3,"query":"world"}"#)
                _ = try await client.next(\.world)
            }
            let until = Timestamp.now + .seconds(60)
            try await sharer.send(#"{"type":"pin","at":"59.9,10.7","until":\#(until.milliseconds)}"#)
            try await viewer.until { $0.pin?.at?.text == "59.9,10.7" }
            harness.exchange.tick(until)
            _ = try await viewer.next(\.gone)
            let past = Timestamp.now.milliseconds - 1
            try await sharer.send(#"{"type":"pin","at":"59.8,10.7","until":\#(past)}"#)
            #expect(try await sharer.next(\.refusal).error.code == .shareEnded)
            try await sharer.send(#"{"type":"pin","at":"59.7,10.7","until":\#(until.milliseconds + 1)}"#)
            #expect(try await viewer.next { $0.pin?.at?.text } == "59.7,10.7")
        }
    }

    @Test func `a request for a position reaches only the person asked`() async throws {
        try await ExchangeHarness.run { harness in
            let (asker, asked) = (try await harness.connect(0), try await harness.connect(1))
            try await asker.send(
                #"{"type":"ask","key":"q","chat":"\#(harness.chat)","user":"\#(harness.people[1].id)"}"#
            )
            #expect(try await asker.next(\.sent).key == "q")
            let request = try await asked.next(\.asked)
            #expect(request.chat == harness.chat && request.user == harness.people[0].id)
        }
    }

    @Test func `a participant who leaves is sent no freshness any more`() async throws {
        try await ExchangeHarness.run { harness in
            let viewer = try await harness.connect(1)
            try await viewer.send(
                #"{"type":"subscribe","id":7,"query":"freshness","chat":"\#(harness.chat)"}"#
            )
            _ = try await viewer.next(\.freshness)
            try await viewer.send(#"{"type":"leave","key":"l","chat":"\#(harness.chat)"}"#)
            _ = try await viewer.next(\.ended)
        }
    }
}

extension FakeClient {
    /// Starts a share, and answers its id.
    func share(_ chat: ChatID, _ more: String = "") async throws -> ShareID {
        try await send(#"{"type":"share","key":"share \#(chat)","chat":"\#(chat)"\#(more)}"#)
        return try await next(\.shared).id
    }

    /// The freshness of the first share that is in a state from here on.
    func next(_ state: Freshness.State) async throws -> Freshness {
        try await next {
            $0.freshness?.first?.freshness.state == state ? $0.freshness?.first?.freshness : nil
        }
    }
}

extension ServerFrame {
    /// Whether the frame says, as a message or as a freshness, that a share was stopped.
    fileprivate var isEndOfShare: Bool {
        if let message { return (try? message.shareNote)?.state == "stopped" }
        return freshness?.contains { $0.freshness.cause == .stopped } ?? false
    }
}

extension ExchangeHarness {
    /// A frame that sends a position.
    fileprivate func position(
        _ key: String,
        _ share: ShareID?,
        _ more: String = "",
        data: String = "",
        in other: ChatID? = nil
    ) -> String {
        let named = share.map { #","share":"\#($0)""# } ?? ""
        return #"{"type":"send","key":"\#(key)","chat":"\#(other ?? chat)","tag":"Location","#
            + #""data":{"latitude":59.9,"longitude":10.7\#(named)\#(data)}\#(more)}"#
    }
}
