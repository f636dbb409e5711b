import NIOCore
import Synchronization
import TestSupport
import Testing
import YonderBus
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// Lists of connected participants.
@Suite(.timeLimit(.minutes(20))) struct PresenceTests {
    private func watch(_ chat: ChatID, _ client: FakeClient) async throws -> [UserID] {
        try await client.send(#"{"type":"subscribe","id":1,"query":"presence","chat":"\#(chat)"}"#)
        return try await client.next(\.presence)
    }

    private func online(_ frame: ServerFrame) -> (user: UserID, isOnline: Bool)? {
        if case .online(_, let user, let isOnline) = frame { (user, isOnline) } else { nil }
    }

    @Test func `who is added while connected is shown online, and who goes while connected offline`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let people = harness.people.map(\.id)
            let wish = ChatStart(creator: people[0], invitees: [people[1]])
            let chat = try await harness.exchange.start(wish, under: .server).chat.id
            let watcher = try await harness.connect(0)
            #expect(try await watch(chat, watcher) == [people[0]])
            let added = try await harness.connect(2)
            func act(_ key: String, _ action: Submission.Action) async throws {
                _ = try await harness.exchange.submit(
                    Submission(chat: chat, sender: people[0], key: key, action: action, time: .now)
                )
            }
            try await act("a", .add([people[2]]))
            #expect(try await watcher.next(online) == (people[2], true))
            try await act("b", .remove(people[2]))
            #expect(try await watcher.next(online) == (people[2], false))
            try await added.disconnect()
        }
    }

    @Test func `who leaves a chat is shown offline, also if they are disconnected by then`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let watcher = try await harness.connect(0)
            _ = try await watch(harness.chat, watcher)
            let other = try await harness.connect(1)
            #expect(try await watcher.next(online) == (harness.people[1].id, true))
            // The watcher's loop is held up until the participant has left and the connection has closed.
            let loop = try await watcher.session { $0.loop.eventLoop }
            let isHeld = Atomic(true)
            loop.execute { while isHeld.load(ordering: .acquiring) {} }
            let leave = Submission(
                chat: harness.chat,
                sender: harness.people[1].id,
                key: "l",
                action: .leave,
                time: .now
            )
            _ = try await harness.exchange.take(leave)
            _ = harness.exchange.presence.leave(harness.people[1].id) {}
            isHeld.store(false, ordering: .releasing)
            #expect(try await watcher.next(online) == (harness.people[1].id, false))
            _ = other
        }
    }

    @Test func `somebody whose connections follow one another is shown as they are`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await harness.connect(0)
            _ = try await watch(harness.chat, watcher)
            var old = try await harness.connect(1)
            for _ in 0..<200 {
                // The new connection opens while the old one ends, on two event loops.
                async let new = harness.connect(1)
                try await old.disconnect()
                old = try await new
            }
            // The loop answers a ping after the changes of presence that were queued before.
            try await watcher.send(#"{"type":"ping"}"#)
            var last: Bool?
            while let frame = try await watcher.next(), frame.pong == nil {
                if let told = online(frame), told.user == harness.people[1].id { last = told.isOnline }
            }
            #expect(last ?? true)
        }
    }

    @Test func `what a loop is told late is what is so by then`() async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            let watcher = try await harness.connect(0)
            _ = try await watch(harness.chat, watcher)
            let other = try await harness.connect(1)
            #expect(try await watcher.next(online)?.isOnline == true)
            // As when *offline* was decided before, and reaches this loop after *online*.
            try await watcher.session { $0.loop.presence.changed([harness.people[1].id]) }
            #expect(try await watcher.next(online)?.isOnline == true)
            try await other.disconnect()
            #expect(try await watcher.next(online)?.isOnline == false)
        }
    }
}

extension FakeClient {
    /// The first value that a frame from here on has, for a test that compares parts of it.
    fileprivate func next(_ value: (ServerFrame) -> (user: UserID, isOnline: Bool)?) async throws
        -> (user: UserID, isOnline: Bool)?
    {
        while let frame = try await next() {
            if let value = value(frame) { return value }
        }
        return nil
    }
}

private func == (one: (user: UserID, isOnline: Bool)?, other: (UserID, Bool)) -> Bool {
    one?.user == other.0 && one?.isOnline == other.1
}
