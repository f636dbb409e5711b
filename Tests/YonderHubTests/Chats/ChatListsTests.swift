import Testing
import YonderModel
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(10))) struct ChatListsTests {
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
