import NIOCore

/// Closes the connections of a server that stops, slowly enough for its clients to move to other servers.
///
/// For the first third of the time all connections stay open, so that the load balancer notices that the server isn't ready.
/// Over the other two thirds the connections are closed evenly, so that the clients don't all reach the other servers at the
/// same time: WebSockets with code 1001, HTTP connections after their answer.
///
/// `DrainService` runs one when the server gets its signal, with `--drain`; without it all connections are closed at
/// once. A connection that doesn't close is cut by its `EdgeHandler`. Nothing throws but at cancellation. The thirds may
/// be changed; the code 1001 is what clients connect again at (`DrainTests`, `Documentation/cluster.md`).
package struct Drain: Sendable {
    /// The time between two groups of connections that are closed.
    static let step = Duration.milliseconds(100)

    private let duration: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a drain.
    ///
    /// - Parameters:
    ///   - duration: How long the drain takes; with zero, no connection is closed.
    ///   - sleep: Waits for a time; throws when cancelled.
    package init(
        over duration: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await ContinuousClock().sleep(for: $0)
        }
    ) {
        self.duration = duration
        self.sleep = sleep
    }

    /// Waits a third of the time, and closes the connections of a connection gate over the rest.
    package func run(_ gate: ConnectionGate) async throws {
        guard duration > .zero else { return }
        try await sleep(duration / 3)
        var rest = gate.channels[...]
        for count in Self.groups(of: rest.count, over: duration * 2 / 3) {
            for channel in rest.prefix(count) {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
            rest = rest.dropFirst(count)
            try await sleep(Self.step)
        }
    }

    /// How many of `count` connections are closed in each step, so that they are closed evenly over a time.
    static func groups(of count: Int, over duration: Duration) -> [Int] {
        let steps = max(1, Int(duration / step))
        return (0..<steps).map { (count * ($0 + 1)) / steps - (count * $0) / steps }
    }
}
