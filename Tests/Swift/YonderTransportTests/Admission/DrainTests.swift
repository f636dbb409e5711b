import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import YonderTransport

@Suite struct DrainTests {
    /// Counts the connections that were asked to close.
    private final class Asked: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let count: Mutex<Int> = Mutex(0)

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { count.withLock { $0 += 1 } }
        }
    }

    @Test(arguments: [(0, 1), (1, 1), (7, 3), (10, 3), (3, 10), (50_000, 100)])
    func `connections are closed evenly, and all of them`(count: Int, steps: Int) {
        let groups = Drain.groups(of: count, over: Drain.step * steps)
        #expect(groups.count == steps && groups.reduce(0, +) == count)
        #expect((groups.max() ?? 0) - (groups.min() ?? 0) <= 1)
    }

    @Test func `in its first third a drain closes nothing, then all, one after the other`() async throws {
        let gate = ConnectionGate(limits: Admission.Limits(connections: 1_000))
        let asked = Asked()
        var channels: [NIOAsyncTestingChannel] = []
        for _ in 0..<6 {
            let channel = NIOAsyncTestingChannel()
            try await channel.pipeline.addHandler(asked)
            _ = gate.admit(channel)
            channels.append(channel)
        }
        let open = channels
        let waits = Mutex<[(Duration, Int)]>([])
        try await Drain(over: .milliseconds(450)) { duration in
            for channel in open { await channel.testingEventLoop.run() }
            waits.withLock { $0.append((duration, asked.count.withLock(\.self))) }
        }
        .run(gate)
        let (times, closed) = waits.withLock { ($0.map(\.0), $0.map(\.1)) }
        #expect(times == [.milliseconds(150)] + Array(repeating: Drain.step, count: 3))
        #expect(closed == [0, 2, 4, 6])
    }

    @Test func `without a time nothing is waited for`() async throws {
        let gate = ConnectionGate(limits: Admission.Limits(connections: 1_000))
        try await Drain(over: .zero) { _ in Issue.record("it waits") }.run(gate)
    }
}
