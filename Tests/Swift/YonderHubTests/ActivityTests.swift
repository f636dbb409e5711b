import TestSupport
import NIOPosix
import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ActivityTests {
    @Test func `lists of chats get one small change for what is written, and nothing for positions`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let watcher = try await list(1, harness)
            let sender = try await harness.connect(0)
            // Known from here on, so that all of the round is one change.
            try await sender.send(harness.message("first"))
            try await watcher.until { $0.preview?.content == "first" }
            let position =
                #"{"type":"send","key":"p","chat":"\#(harness.chat)","tag":"Location","content":"here"}"#
            try await sender.send([position, harness.message("a"), harness.message("b")])
            let change = try await watcher.next(\.activity)
            #expect(change.written == 3 && change.preview??.content == "b")
            #expect(change.preview??.sender == harness.people[0].id)
            try await sender.send([position, position])
            try await watcher.send(#"{"type":"ping"}"#)
            #expect(try await watcher.next()?.pong != nil)
        }
    }

    @Test func `a read position reaches its reader's sessions and, with less, the others`() async throws {
        try await ExchangeHarness.run { harness in
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a"))
            _ = try await sender.next(\.sent)
            let (reader, twin) = (try await list(1, harness), try await list(1, harness))
            let other = try await list(2, harness)
            try await reader.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            for client in [reader, twin] {
                #expect(try await client.next(\.read) == ReadPosition(number: 1, written: 1))
            }
            #expect(try await other.next(\.activity).reads == [harness.people[1].id: 1])
            let again = try await harness.connect(1)
            try await again.send(#"{"type":"subscribe","id":9,"query":"chats"}"#)
            let view = try await again.next(\.chats).first?.view
            #expect(view?.read == ReadPosition(number: 1, written: 1))
        }
    }

    @Test func `no frame of a chat's messages says how far somebody has read`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let reader = try await harness.subscribe(1)
            let other = try await harness.subscribe(2)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a"))
            _ = try await reader.next(\.message)
            try await reader.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            try await sender.send(harness.message("b"))
            try await other.until { $0.message?.content == "a" }
            // The bytes are the promise: no field has a read position, whether a client knows the field or not.
            let (one, two) = (try #require(await reader.nextText()), await other.nextText())
            #expect(one == two && !one.contains("read"))
            #expect(try ServerFrame(text: one).message?.written == 2)
        }
    }

    @Test func `somebody who doesn't show what they have read isn't told it of others`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let hidden = harness.people[1].id
            try await harness.store.setShowsReads(hidden, false)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("a"))
            _ = try await sender.next(\.sent)
            let (shy, open) = (try await list(1, harness), try await list(2, harness))
            try await open.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            _ = try await open.next(\.read)
            try await shy.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            let own = try await shy.next(\.activity)
            #expect(own.read != nil && own.reads.isEmpty)
            try await open.send(#"{"type":"ping"}"#)
            #expect(try await open.next()?.pong != nil)
            try await harness.store.setShowsReads(hidden, true)
            try await harness.exchange.changed(hidden, showsReads: true)
            #expect(try await open.next(\.chat).view?.reads == [hidden: 1])
        }
    }

    @Test func `a preview that is taken back gives way to the one before it`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await list(1, harness)
            let sender = try await harness.connect(0)
            try await sender.send(harness.message("one"))
            try await watcher.until { $0.preview?.content == "one" }
            try await sender.send(harness.message("two"))
            try await watcher.until { $0.preview?.content == "two" }
            try await sender.send(#"{"type":"recall","key":"r","chat":"\#(harness.chat)","number":2}"#)
            try await watcher.until { $0.activity?.preview??.content == "one" }
            try await sender.send(#"{"type":"recall","key":"s","chat":"\#(harness.chat)","number":1}"#)
            try await watcher.until { $0.activity?.preview == .some(nil) }
        }
    }

    @Test func `what is taken back while a preview is read has it read again`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let watcher = try await list(1, harness)
            let sender = try await harness.connect(0)
            for text in ["one", "two", "three"] { try await sender.send(harness.message(text)) }
            try await watcher.until { $0.preview?.content == "three" }
            let recall = { (number: Int) in
                #"{"type":"recall","key":"r\#(number)","chat":"\#(harness.chat)","number":\#(number)}"#
            }
            harness.gate.holdAnswers()
            try await sender.send(recall(3))
            while harness.gate.waiting == 0 { await Task.yield() }
            try await sender.send(recall(2))
            while try await sender.next(\.sent).number != 5 {}
            harness.gate.open()
            try await watcher.until { $0.activity?.preview??.content == "one" }
            try await sender.send(recall(1))
            try await watcher.until { $0.activity?.preview == .some(nil) }
            try await sender.send(harness.message("four"))
            try await watcher.until { $0.activity?.preview??.content == "four" }
        }
    }

    @Test func `a user who joins in the same round never gets an earlier preview`() async throws {
        try await ExchangeHarness.run(people: 4, loops: 1) { harness in
            let watchers = [try await list(1, harness), try await list(3, harness)]
            let owner = try await harness.connect(0)
            try await owner.send(#"{"type":"start","key":"s","invitees":["\#(harness.people[1].id)"]}"#)
            let chat = try await owner.next(\.started).id
            let text = { (key: String) in
                #"{"type":"send","key":"\#(key)","chat":"\#(chat)","tag":"Text","content":"\#(key)"}"#
            }
            try await owner.send(text("known"))
            try await watchers[0].until { $0.preview?.content == "known" }
            try await owner.send([
                text("secret"),
                #"{"type":"add","key":"j","chat":"\#(chat)","users":["\#(harness.people[3].id)"]}"#,
                text("open"),
            ])
            // Both may come in one round, which sends the newest alone.
            try await watchers[0].until { ["secret", "open"].contains($0.preview?.content) }
            var content: String?
            while content != "open" {
                // The bytes are the promise: no field has the earlier text, whether a client knows the field or not.
                let text = try #require(await watchers[1].nextText())
                #expect(!text.contains("secret") && !text.contains("known"))
                content = try ServerFrame(text: text).preview?.content
            }
        }
    }

    @Test func `a mark in a chat that isn't the caller's is refused as an unknown one is`() async throws {
        try await ExchangeHarness.run { harness in
            let client = try await harness.connect(0)
            try await client.send(#"{"type":"read","chat":"4711","number":1}"#)
            #expect(try await client.next(\.refusal).error.code == .unknownChat)
            let nobody = try await FakeClient(nil, to: harness.exchange, on: harness.group.next())
            try await nobody.send(#"{"type":"read","chat":"\#(harness.chat)","number":1}"#)
            #expect(try await nobody.next(\.refusal).error.code == .notSignedIn)
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
    private func list(_ index: Int, _ harness: ExchangeHarness) async throws -> FakeClient {
        let client = try await harness.connect(index)
        try await client.send(#"{"type":"subscribe","id":9,"query":"chats"}"#)
        try await client.until(\.isCurrent)
        return client
    }
}
