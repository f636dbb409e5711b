import TestSupport
import Logging
import Testing
import YonderGeodesy
import YonderBus
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ContactTests {
    @Test func `a new contact appears, is renamed and goes, without asking again`() async throws {
        try await ExchangeHarness.run { harness in
            let (one, other) = (harness.people[1].id, harness.people[2].id)
            let client = try await harness.contacts(of: 1)

            try await harness.store.connect(one, other)
            harness.exchange.contactsChanged(one, other)
            #expect(try await client.next(\.contact).name == "Person 3")
            _ = try await harness.store.update(other, profile: Profile(name: "Cleo"))
            try await harness.exchange.changed(other)
            #expect(try await client.next(\.contact).name == "Cleo")
            try await harness.store.disconnect(other, one)
            harness.exchange.contactsChanged(one, other)
            #expect(try await client.next(\.contactGone) == other)
        }
    }

    @Test
    func `a block ends both shares in the one-to-one chat and no other, and each end is announced once`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let pair = try await harness.pair()
            let clients = [try await harness.connect(0), try await harness.connect(1)]
            for client in clients {
                try await client.startShare(in: pair)
                try await client.startShare(in: harness.chat)
            }
            for _ in 1...2 {
                try await harness.exchange.block(
                    harness.people[0].id,
                    by: harness.people[1].id,
                    under: .server
                )
            }
            harness.skip(.seconds(1))
            let query = MessageQuery(chat: pair, tag: .share)
            let log = try await harness.store.messages(query, reader: harness.people[0].id, now: .now)
            let ended = try log.messages.filter { try $0.shareNote?.state == "stopped" }
            #expect(log.messages.count == 4)
            #expect(Set(ended.map(\.sender)) == Set(harness.people[..<2].map(\.id)))
            let running = try await harness.store.shares().filter { $0.end == nil }
            #expect(running.map(\.chat) == [harness.chat, harness.chat])
        }
    }

    @Test func `a share in the chat of two of whom one blocks the other ends after the server stopped`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let pair = try await harness.pair()
            let sharer = try await harness.connect(0)
            try await sharer.startShare(in: pair)
            // The server stops between the block and the end of the shares.
            _ = try await harness.store.block(harness.people[1].id, by: harness.people[0].id)
            let next = try await harness.started()
            for _ in 1...2 { next.tickShares(.now) }
            #expect(try await harness.store.shares().map(\.end?.ending) == [.stopped])
        }
    }

    @Test func `a closed one-to-one chat refuses what isn't stored, too, and a group takes it`() async throws
    {
        try await ExchangeHarness.run { harness in
            let (one, other) = (harness.people[0].id, harness.people[1].id)
            let pair = try await harness.pair()
            try await harness.exchange.block(one, by: other, under: .server)
            var keys = 0
            for (index, asked) in [(0, other), (1, one)] {
                let client = try await harness.connect(index)
                for (chat, isClosed) in [(pair, true), (harness.chat, false)] {
                    for frame in [
                        #""type":"send","tag":"Text","content":"a""#,
                        #""type":"send","tag":"Text","content":"a","keep":false"#,
                        #""type":"send","tag":"Location","data":{"latitude":1,"longitude":2},"keep":false"#,
                        #""type":"ask","user":"\#(asked)""#,
                    ] {
                        keys += 1
                        try await client.send(#"{\#(frame),"chat":"\#(chat)","key":"k\#(keys)"}"#)
                        let answer = try await client.until { $0.key == "k\(keys)" }
                        #expect(answer.refusal?.error.code == (isClosed ? .closedChat : nil), "\(frame)")
                    }
                }
                try await client.send(#"{"type":"share","key":"s","chat":"\#(pair)"}"#)
                let refusal = try await client.until { $0.key == "s" }.refusal
                #expect(refusal?.error.code == .closedChat)
            }
            try await harness.exchange.unblock(one, by: other, under: .server)
            let client = try await harness.connect(0)
            try await client.send(
                #"{"type":"send","key":"a","chat":"\#(pair)","tag":"Text","content":"a","keep":false}"#
            )
            #expect(try await client.until { $0.key == "a" }.sent != nil)
        }
    }

    @Test func `a chat stays closed until both have unblocked each other`() async throws {
        try await ExchangeHarness.run { harness in
            let (one, other) = (harness.people[0].id, harness.people[1].id)
            let pair = try await harness.pair()
            try await harness.exchange.block(one, by: other, under: .server)
            try await harness.exchange.block(other, by: one, under: .server)
            try await harness.exchange.unblock(one, by: other, under: .server)
            #expect(harness.exchange.closed.contains(pair))
            try await harness.exchange.unblock(other, by: one, under: .server)
            #expect(!harness.exchange.closed.contains(pair))
        }
    }

    @Test func `the blocked user's sessions are sent nothing about contacts, those of the blocker are`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let blocked = try await harness.contacts(of: 0)
            let blocker = try await harness.contacts(of: 1)
            try await harness.exchange.block(harness.people[0].id, by: harness.people[1].id, under: .server)
            #expect(try await blocker.next(\.contactGone) == harness.people[0].id)
            // Whatever came before the next change of the blocked user's contacts would arrive first.
            try await harness.store.disconnect(harness.people[0].id, harness.people[2].id)
            harness.exchange.contactsChanged(harness.people[0].id, harness.people[2].id)
            let first = try await blocked.next { $0.contactGone ?? $0.contact?.id }
            #expect(first == harness.people[2].id)
        }
    }
}

extension FakeClient {
    /// Starts a share and waits for the answer.
    fileprivate func startShare(in chat: ChatID) async throws {
        try await send(#"{"type":"share","key":"share \#(chat)","chat":"\#(chat)"}"#)
        _ = try await next(\.shared)
    }
}

extension ExchangeHarness {
    /// Starts the one-to-one chat of the first two people.
    fileprivate func pair() async throws -> ChatID {
        let wish = ChatStart(creator: people[0].id, invitees: [people[1].id], isOneToOne: true)
        return try await exchange.start(wish, under: .server).chat.id
    }

    /// Connects somebody and subscribes them to their contacts.
    fileprivate func contacts(of index: Int) async throws -> FakeClient {
        let client = try await connect(index)
        try await client.send(#"{"type":"subscribe","id":1,"query":"contacts"}"#)
        let answer = try await client.until { $0.contacts != nil }
        #expect(answer.isCurrent && answer.contacts?.contains { $0.id == people[index].id } == false)
        return client
    }

    /// Another exchange over the same store, as after the server stopped.
    fileprivate func started() async throws -> Exchange {
        try await Exchange.start(
            chats: store,
            accounts: store,
            group: group,
            logger: Logger(label: "test")
        )
    }
}
