import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ChatListsTests {
    @Test func `a list without room for all chats says where it goes on, and is sent what changes beyond it`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let (old, user) = (harness.chat, harness.people[1])
            func say(_ key: String) async throws {
                let action = Submission.Action.message(MessageDraft(tag: .text, content: key))
                let sender = harness.people[0].id
                _ = try await harness.exchange.submit(
                    Submission(chat: old, sender: sender, key: key, action: action, time: .now)
                )
            }
            var chats: [ChatID] = []
            for number in 1...3 {
                harness.skip(.seconds(number))
                let wish = ChatStart(creator: harness.people[0].id, invitees: [user.id])
                chats.append(try await harness.exchange.start(wish, under: .server).chat.id)
            }
            let client = try await harness.connect(1)
            try await client.send(#"{"type":"subscribe","id":1,"query":"chats","limit":2}"#)
            let (listed, next) = try await client.next { frame in
                if case .chats(_, _, _, let next, let chats) = frame { (chats, next) } else { nil }
            }
            #expect(listed.map(\.id) == [chats[2], chats[1]])
            #expect(next?.chat == chats[1])

            // The first of what happens in a chat that the client doesn't know comes as the chat, then activity does.
            try await say("one")
            let chat = try await client.next { frame in frame.activity == nil ? frame.chat : nil }
            #expect(chat.id == old && chat.view?.preview?.content == "one")
            try await say("two")
            #expect(try await client.next(\.activity).chat == old)
        }
    }

    @Test func `a limit of a list of chats is checked, and doesn't make it another query`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let client = try await harness.connect(1)
            for limit in ["0", "10001", "\"7\""] {
                try await client.send(#"{"type":"subscribe","id":1,"query":"chats","limit":\#(limit)}"#)
                #expect(try await client.next(\.refusal).error.code == .invalidField)
            }
            try await client.send(#"{"type":"subscribe","id":1,"query":"chats","limit":10000}"#)
            let next = try await client.next { frame in
                if case .chats(_, _, _, let next, _) = frame { .some(next) } else { ChatPlace??.none }
            }
            #expect(next == nil)
            try await client.send(#"{"type":"subscribe","id":2,"query":"chats"}"#)
            #expect(try await client.next(\.refusal).error.code == .duplicateSubscription)
        }
    }

    @Test func `a chat from which one was removed while it was read doesn't come back into their list`()
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            var clients: [FakeClient] = []
            for index in 0...1 {
                clients.append(try await harness.connect(index))
                try await clients[index].send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
                _ = try await clients[index].next(\.chats)
            }
            func act(_ key: String, _ action: Submission.Action) async throws {
                let owner = harness.people[0].id
                _ = try await harness.exchange.submit(
                    Submission(chat: harness.chat, sender: owner, key: key, action: action, time: .now)
                )
            }
            harness.gate.holdAnswers()
            try await act("a", .subject("Walk"))
            // The answer still has who is removed now.
            while harness.gate.waiting == 0 { await Task.yield() }
            try await act("b", .remove(harness.people[1].id))
            #expect(try await clients[1].next(\.chatLeft) == harness.chat)
            harness.gate.open()
            let shown = try await clients[0].next { frame in
                frame.chat.flatMap { $0.chat.isPresent(harness.people[1].id) ? nil : $0 }
            }
            #expect(shown.chat.subject == "Walk")
            try await clients[1].send(#"{"type":"ping"}"#)
            while let frame = try await clients[1].next(), frame.pong == nil { #expect(frame.chat == nil) }
        }
    }
}
