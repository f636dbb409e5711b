import NIOPosix
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(10))) struct ActivityTests {
    @Test func `lists of chats get one small change for what is written, and nothing for positions`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let watcher = try await list(1, harness)
            let sender = try await harness.connect(0)
            // Known from here on, so that all of the round is one change.
            try await sender.send(harness.message("first"))
            _ = try await watcher.next(with: "first")
            let place =
                #"{"type":"send","key":"p","chat":"\#(harness.chat)","tag":"Location","content":"here"}"#
            try await sender.send([place, harness.message("a"), harness.message("b")])
            let change = try await watcher.next(with: #""type":"activity""#)
            #expect(number("written", in: change) == 3 && change.contains(#""content":"b""#))
            #expect(change.contains(#""sender":"\#(harness.people[0].id)""#) && !change.contains("here"))
            try await sender.send([place, place])
            try await watcher.send(#"{"type":"ping"}"#)
            #expect(await watcher.next()?.contains("pong") == true)
        }
    }

    @Test func `a read position reaches its reader's sessions and, with less, the others`() async throws {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a"))
            _ = try await sender.next(with: "sent")
            let (reader, twin) = (try await list(1, harness), try await list(1, harness))
            let other = try await list(2, harness)
            try await reader.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            for client in [reader, twin] {
                let change = try await client.next(with: "readWritten")
                #expect(number("read", in: change) == 1 && number("readWritten", in: change) == 1)
            }
            let change = try await other.next(with: "reads")
            #expect(change.contains(#""reads":{"\#(harness.people[1].id)":1}"#))
            let again = try await list(1, harness, expecting: #""read":1,"readWritten":1"#)
            try await again.disconnect()
        }
    }

    @Test func `no frame of a chat's messages says how far somebody has read`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let reader = try await harness.subscribe(1)
            let other = try await harness.subscribe(2)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a"))
            _ = try await reader.next(with: #""type":"message""#)
            try await reader.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            try await sender.send(harness.message("b"))
            let (one, two) = (await reader.next(), try await other.next(with: #""content":"b""#))
            #expect(one == two && two.contains(#""written":2"#) && !two.contains("read"))
        }
    }

    @Test func `somebody who doesn't show what they have read isn't told it of others`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let hidden = harness.people[1].id
            try await harness.store.setShowsReads(hidden, false)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a"))
            _ = try await sender.next(with: "sent")
            let (shy, open) = (try await list(1, harness), try await list(2, harness))
            try await open.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            _ = try await open.next(with: "readWritten")
            try await shy.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            let own = try await shy.next(with: "activity")
            #expect(own.contains("readWritten") && !own.contains("reads"))
            try await open.send(#"{"type":"ping"}"#)
            #expect(await open.next()?.contains("pong") == true)
            try await harness.store.setShowsReads(hidden, true)
            try await harness.exchange.changed(hidden, showsReads: true)
            let shown = try await open.next(with: #""type":"chat""#)
            #expect(shown.contains(#""reads":{"\#(hidden)":1}"#))
        }
    }

    @Test func `a preview that is taken back gives way to the one before it`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await list(1, harness)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("one"))
            _ = try await watcher.next(with: #""content":"one""#)
            try await sender.send(harness.message("two"))
            _ = try await watcher.next(with: #""content":"two""#)
            try await sender.send(#"{"type":"recall","key":"r","chat":"\#(harness.chat)","number":2}"#)
            #expect(try await watcher.next(with: #""content":"one""#).contains(#""type":"activity""#))
            try await sender.send(#"{"type":"recall","key":"s","chat":"\#(harness.chat)","number":1}"#)
            _ = try await watcher.next(with: #""preview":null"#)
        }
    }

    @Test func `a user who joins in the same round never gets an earlier preview`() async throws {
        try await ExchangeHarness.run(people: 4, loops: 1) { harness in
            let watchers = [try await list(1, harness), try await list(3, harness)]
            let owner = try await harness.connect(0)
            try await owner.send(#"{"type":"start","key":"s","invitees":["\#(harness.people[1].id)"]}"#)
            let started = try await owner.next(with: "started")
            let chat = try #require(started.firstMatch(of: #/"id":"(\d+)"/#)?.output.1)
            let text = { (key: String) in
                #"{"type":"send","key":"\#(key)","chat":"\#(chat)","tag":"Text","content":"\#(key)"}"#
            }
            try await owner.send(text("known"))
            _ = try await watchers[0].next(with: "known")
            try await owner.send([
                text("secret"),
                #"{"type":"add","key":"j","chat":"\#(chat)","users":["\#(harness.people[3].id)"]}"#,
                text("open"),
            ])
            _ = try await watchers[0].next(with: "secret")
            var frame = ""
            while !frame.contains(#""content":"open""#) {
                frame = try #require(await watchers[1].next())
                #expect(!frame.contains("secret") && !frame.contains("known"))
            }
        }
    }

    @Test func `a mark in a chat that isn't the caller's is refused as an unknown one is`() async throws {
        try await ExchangeHarness.run { harness in
            let client = try await harness.connect(0)
            try await client.send(#"{"type":"read","chat":"4711","number":1}"#)
            #expect(try await client.next(with: "error").contains("unknownChat"))
            let nobody = try await FakeClient(nil, to: harness.exchange, on: harness.group.next())
            try await nobody.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            #expect(try await nobody.next(with: "error").contains("notSignedIn"))
        }
    }

    @Test func `marks that come while others are stored are joined, and bounded`() {
        var marks = ReadMarks()
        let chats = (1...Int64(ReadMarks.limit) + 1).compactMap { ChatID($0) }
        var isTaken = [marks.add(chats[0], 1)]
        let first = marks.next()
        for number in [Int64(2), 9, 3] { isTaken.append(marks.add(chats[0], number)) }
        let meanwhile = marks.next()
        #expect(first?.map(\.number) == [1] && meanwhile == nil)
        for chat in chats[1..<ReadMarks.limit] { isTaken.append(marks.add(chat, 1)) }
        let (beyond, known) = (marks.add(chats[ReadMarks.limit], 1), marks.add(chats[0], 4))
        #expect(!isTaken.contains(false) && !beyond && known)
        marks.answered()
        let next = marks.next() ?? []
        #expect(next.count == ReadMarks.limit && next.first?.number == 9)
    }

    /// Connects a user and subscribes the session to the user's chats.
    private func list(
        _ index: Int,
        _ harness: ExchangeHarness,
        expecting text: String = #""current":true"#
    ) async throws -> FakeClient {
        let client = try await harness.connect(index)
        try await client.send(#"{"type":"subscribe","id":9,"query":"chats"}"#)
        _ = try await client.next(with: text)
        return client
    }
}
