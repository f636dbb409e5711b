import Testing
import YonderRules
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct WriteNodesTests {
    @Test func `a user with sessions on two nodes has one write limit`() async throws {
        var settings = HubSettings()
        let interval = Duration.seconds(600)
        settings.writes = WriteLimits(messages: RateLimit(burst: 200, interval: interval))
        try await NodesHarness.run(settings: settings) { nodes in
            let writer = try await nodes.connect(0, to: 0)
            for number in 0..<180 { try await writer.send(nodes.message("a\(number)")) }
            let there = nodes.nodes[1].writes.allowance(of: nodes.people[0].id)
            // Node 1 has received that 180 are used, once it would take longer than for 179 until all may be written again.
            while there.isUnused(at: .now + interval * 179) { await Task.yield() }
            for _ in 0..<20 { #expect(there.useMessage(bytes: 1) == nil) }
            #expect(there.useMessage(bytes: 1)?.code == .tooManyRequests)
        }
    }

    @Test func `a share has one limit of heartbeats on all nodes, and a refused one changes nothing`()
        async throws
    {
        var settings = HubSettings()
        settings.people.heartbeatsPerHour = 3
        try await NodesHarness.run(settings: settings) { nodes in
            let viewer = try await nodes.connect(1, to: 1)
            try await viewer.send(nodes.query("freshness"))
            try await viewer.until(\.isCurrent)
            let sharer = try await nodes.connect(0, to: 0)
            let share = try await sharer.share(nodes.chat)
            _ = try await viewer.next(.slow)
            for isPaused in [true, false, true] {
                let heartbeat =
                    #"{"type":"heartbeat","chat":"\#(nodes.chat)","share":"\#(share)","paused":\#(isPaused)}"#
                try await sharer.send(heartbeat)
                _ = try await viewer.next(isPaused ? .paused : .slow)
            }
            for node in nodes.nodes.prefix(2) {
                let error = #expect(throws: SharingError.self) {
                    try node.receive(
                        ShareHeartbeat(isPaused: false)!,
                        in: nodes.chat,
                        of: nodes.people[0].id,
                        share: share,
                        signIn: nil
                    )
                }
                #expect(error?.code == .tooManyRequests && error?.retryAfter != nil)
                #expect(node.shares.shown(of: nodes.people[0].id).map(\.freshness.state) == [.paused])
            }
        }
    }

    @Test func `positions that one node answered count on the others`() async throws {
        var settings = HubSettings()
        settings.people.trackPositionsPerMinute = 60
        try await NodesHarness.run(settings: settings) { nodes in
            let reader = nodes.people[0].id
            let writer = try await nodes.connect(0, to: 0)
            for number in 0..<60 { try await writer.send(nodes.message("a\(number)")) }
            let chats = nodes.nodes[0].chats
            let read = { @Sendable (limit: Int) async throws(SharingError) -> MessageAnswer in
                let all = MessageFilter(chat: nodes.chat)
                return try await chats.messages(after: 0, all, limit: limit, reader: reader, now: .now)
            }
            while try await read(100).messages.count < 60 { await Task.yield() }
            _ = try await nodes.nodes[0].readPositions(for: reader) { () async throws(SharingError) in
                try await read(100)
            }
            while nodes.nodes[1].positions.wait(of: reader, at: .now) == .zero { await Task.yield() }
            let error = await #expect(throws: SharingError.self) {
                try await nodes.nodes[1].readPositions(for: reader) { () async throws(SharingError) in
                    try await read(1)
                }
            }
            #expect(error?.code == .tooManyRequests)
        }
    }
}
