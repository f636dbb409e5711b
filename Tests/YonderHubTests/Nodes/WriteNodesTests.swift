import Testing
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(10))) struct WriteNodesTests {
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
}
