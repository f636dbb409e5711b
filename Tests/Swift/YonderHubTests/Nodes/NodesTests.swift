import Synchronization
import TestSupport
import Testing
import YonderBus
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct NodesTests {
    @Test func `a message that one node commits reaches a subscriber on another`() async throws {
        try await NodesHarness.run { nodes in
            let reader = try await nodes.subscribe(1, to: 1)
            let sender = try await nodes.subscribe(0, to: 0)
            try await sender.send(nodes.message("a"))
            #expect(try await reader.next(\.message).content == "a")
            #expect(try await sender.next(\.message).number == 1)
        }
    }

    @Test(arguments: [0, 20, 60])
    func `each client's log is the store's, with frames lost and repeated`(percent: Int) async throws {
        let random = Mutex(SeededGenerator(seed: UInt64(percent)))
        let fate: @Sendable ([UInt8], Int, Int) -> Int = { _, _, _ in
            random.withLock { random in
                guard Int.random(in: 0..<100, using: &random) < percent else { return 1 }
                return Bool.random(using: &random) ? 0 : 2
            }
        }
        try await NodesHarness.run(nodes: 3, fate: fate) { nodes in
            var readers: [FakeClient] = []
            for node in 0..<3 { readers.append(try await nodes.subscribe(node, to: node)) }
            let senders = [
                try await nodes.connect(0, to: 0), try await nodes.connect(1, to: 1),
                try await nodes.connect(2, to: 2),
            ]
            for round in 0..<40 {
                for (index, sender) in senders.enumerated() {
                    try await sender.send(nodes.message("\(index)-\(round)"))
                }
            }
            let count = 40 * senders.count
            for reader in readers {
                var seen: [String] = []
                while seen.count < count {
                    let message = try await reader.next(\.message)
                    #expect(message.number == Int64(seen.count + 1))
                    seen.append(message.content)
                }
                #expect(try seen == nodes.store.log(of: nodes.chat).messages.map(\.content))
            }
        }
    }

    @Test func `who left on one node gets nothing after their leave on another`() async throws {
        try await NodesHarness.run { nodes in
            let leaver = try await nodes.subscribe(1, to: 1)
            let owner = try await nodes.subscribe(0, to: 0)
            let chat = nodes.chat
            try await owner.send([
                #"{"type":"remove","key":"r","chat":"\#(chat)","user":"\#(nodes.people[1].id)"}"#,
                nodes.message("secret"),
            ])
            #expect(try await leaver.next(\.message).tag == .remove)
            #expect(try await leaver.next(\.ended).error.code == .notParticipant)
            #expect(try await owner.next { $0.message?.content == "secret" ? true : nil })
            try await leaver.send(#"{"type":"ping"}"#)
            let next = try await leaver.next()
            #expect(next?.pong != nil)
        }
    }

    @Test func `a message that isn't stored reaches the other nodes`() async throws {
        try await NodesHarness.run { nodes in
            let reader = try await nodes.subscribe(1, to: 1)
            let sender = try await nodes.connect(0, to: 0)
            try await sender.send([nodes.message("a"), nodes.message("b", #","keep":false"#)])
            #expect(try await reader.next(\.message).number == 1)
            #expect(try await reader.next(\.message).content == "b")
        }
    }

    @Test func `a user is online while any node has a session of theirs`() async throws {
        try await NodesHarness.run(nodes: 3) { nodes in
            let viewer = try await nodes.connect(0, to: 0)
            try await viewer.send(nodes.query("presence"))
            #expect(try await viewer.next(\.presence) == [nodes.people[0].id])
            let one = try await nodes.connect(1, to: 1)
            #expect(try await viewer.next(\.isOnline) == true)
            let two = try await nodes.connect(1, to: 2)
            try await one.disconnect()
            try await two.disconnect()
            #expect(try await viewer.next(\.isOnline) == false)
            let late = try await nodes.connect(2, to: 2)
            #expect(try await viewer.next(\.isOnline) == true)
            try await late.send(nodes.query("presence"))
            #expect(try await late.next(\.presence) == [nodes.people[0].id, nodes.people[2].id])
        }
    }

    @Test func `a node that says it stops takes its people with it`() async throws {
        try await NodesHarness.run { nodes in
            let board = nodes.nodes[1].presence
            let first = try await nodes.connect(2, to: 0)
            let viewer = try await nodes.connect(1, to: 1)
            // The answer to the subscription is known only once the other node's frame has come.
            while board.online(among: nodes.people.map(\.id)).count < 2 { await Task.yield() }
            try await viewer.send(nodes.query("presence"))
            #expect(try await viewer.next(\.presence) == [nodes.people[1].id, nodes.people[2].id])
            nodes.nodes[0].link.leave()
            #expect(try await viewer.next(\.isOnline) == false)
            try await first.disconnect()
        }
    }

    @Test func `a chat started on one node appears in the list on another`() async throws {
        try await NodesHarness.run { nodes in
            let viewer = try await nodes.connect(1, to: 1)
            try await viewer.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            #expect(try await viewer.next(\.chats).count == 1)
            let wish = ChatStart(creator: nodes.people[0].id, invitees: [nodes.people[1].id], subject: "New")
            _ = try await nodes.nodes[0].start(wish, under: .server)
            try await viewer.until { $0.chat?.chat.subject == "New" }
        }
    }

    @Test func `reading on one node is seen on another`() async throws {
        try await NodesHarness.run { nodes in
            let sender = try await nodes.connect(0, to: 0)
            try await sender.send(nodes.message("a"))
            _ = try await sender.next(\.sent)
            let viewer = try await nodes.connect(0, to: 1)
            try await viewer.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            _ = try await viewer.next(\.chats)
            let mark = ReadMark(chat: nodes.chat, reader: nodes.people[1].id, number: 1)
            _ = try await nodes.nodes[0].read(mark)
            let activity = try await viewer.next { frame in
                frame.activity.flatMap { $0.reads.isEmpty ? nil : $0 }
            }
            #expect(activity.reads == [nodes.people[1].id: 1])
        }
    }

    @Test func `sessions of an account that one node disables end on all`() async throws {
        try await NodesHarness.run { nodes in
            let client = try await nodes.connect(1, to: 1)
            _ = try await client.next()
            var change = AccountChange()
            change.isDisabled = true
            _ = try await nodes.stores[0].change(nodes.people[1].id, change)
            while try await client.next() != nil {}
            #expect(try await client.inspect(\.closeCode) == 1008)
            #expect(!nodes.nodes[1].admits(nodes.people[1].id, version: 0, by: nil))
        }
    }

    @Test func `an operator who is one no longer connects again, on whichever node`() async throws {
        try await NodesHarness.run { nodes in
            var change = AccountChange()
            change.isOperator = true
            _ = try await nodes.stores[0].change(nodes.people[1].id, change)
            let client = try await nodes.connect(0, to: 1)
            let other = try await nodes.connect(2, to: 1)
            change.isOperator = false
            _ = try await nodes.stores[0].change(nodes.people[0].id, change)
            while try await client.next() != nil {}
            #expect(try await client.inspect(\.closeCode) == 1013)
            try await other.send(#"{"type":"ping"}"#)
            _ = try await other.next(\.pong)
        }
    }

    @Test func `a node names the credentials of its open sessions, and ends theirs alone`() async throws {
        try await NodesHarness.run { nodes in
            let hashes = try (1...3).map { try #require(SecretHash([UInt8](repeating: $0, count: 32))) }
            let one = try await nodes.connect(1, to: 1, by: hashes[0])
            let other = try await nodes.connect(2, to: 1, by: hashes[1])
            #expect(await nodes.nodes[1].openSignIns() == [hashes[0]: [0], hashes[1]: [0]])
            #expect(await nodes.nodes[0].openSignIns().isEmpty)
            nodes.nodes[1].end(Set([hashes[0], hashes[2]]))
            while try await one.next() != nil {}
            #expect(await nodes.nodes[1].openSignIns() == [hashes[1]: [0]])
            try await other.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            _ = try await other.next(\.chats)
        }
    }

    @Test func `a block on one node closes the chat on another, and its end opens it`() async throws {
        try await NodesHarness.run { nodes in
            let (ada, bob) = (nodes.people[0].id, nodes.people[1].id)
            let wish = ChatStart(creator: ada, invitees: [bob], isOneToOne: true)
            let chat = try await nodes.nodes[0].start(wish, under: .server).chat.id
            try await nodes.nodes[0].block(bob, by: ada, under: .server)
            while !nodes.nodes[1].closed.contains(chat) { await Task.yield() }
            try await nodes.nodes[0].unblock(bob, by: ada, under: .server)
            while nodes.nodes[1].closed.contains(chat) { await Task.yield() }
        }
    }

    @Test func `a name that changes on one node reaches contacts on another`() async throws {
        try await NodesHarness.run { nodes in
            let viewer = try await nodes.connect(0, to: 1)
            try await viewer.send(#"{"type":"subscribe","id":1,"query":"contacts"}"#)
            _ = try await viewer.next(\.contacts)
            let user = nodes.people[1].id
            _ = try await nodes.store.update(user, profile: Profile(name: "Renamed"))
            try await nodes.nodes[0].changed(user)
            #expect(try await viewer.next(\.contact).name == "Renamed")
        }
    }

    @Test func `a question reaches a session on another node`() async throws {
        try await NodesHarness.run { nodes in
            let client = try await nodes.connect(1, to: 1)
            nodes.nodes[0].ask(nodes.people[1].id, in: nodes.chat, by: nodes.people[0].id)
            #expect(try await client.next(\.asked).user == nodes.people[0].id)
        }
    }

    @Test func `a share started on one node is known on another when its message comes`() async throws {
        try await NodesHarness.run { nodes in
            let viewer = try await nodes.subscribe(1, to: 1)
            let submission = Submission(
                chat: nodes.chat,
                sender: nodes.people[0].id,
                key: "s",
                action: .startShare(.random(), ShareWish()),
                time: .now
            )
            _ = try await nodes.nodes[0].submit(submission)
            #expect(try await viewer.next(\.message).tag == .share)
            #expect(nodes.nodes[1].shares { $0.running(of: nodes.people[0].id) }.count == 1)
        }
    }
}
