import Testing
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ShareNodesTests {
    @Test func `a heartbeat that one node receives changes the freshness on another`() async throws {
        try await NodesHarness.run { nodes in
            let viewer = try await nodes.connect(1, to: 1)
            try await viewer.send(nodes.query("freshness"))
            try await viewer.until(\.isCurrent)
            let sharer = try await nodes.connect(0, to: 0)
            let share = try await sharer.share(nodes.chat)
            #expect(try await viewer.next(.slow).cause == .noFix)
            try await sharer.send(
                #"{"type":"send","key":"p","chat":"\#(nodes.chat)","tag":"Location","data":{"latitude":59.9,"longitude":10.7}}"#
            )
            _ = try await viewer.next(.live)
            let head = #"{"type":"heartbeat","chat":"\#(nodes.chat)""#
            try await sharer.send(#"\#(head),"share":"\#(share)","battery":0.25,"paused":true}"#)
            #expect(try await viewer.next(.paused).battery == 0.25)
            // Without an id it belongs to the session's own share.
            try await sharer.send(#"\#(head)}"#)
            _ = try await viewer.next(.live)
        }
    }
}
