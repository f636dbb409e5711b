import NIOCore

/// How a server stops whose clients have other servers to go to.
///
/// In the first third of the time nothing is closed: the load balancer finds out that the server isn't ready. In the rest connections
/// are closed evenly, so that the other servers aren't met by all clients at once: WebSockets with 1001, and HTTP after its answer.
package struct Drain: Sendable {
    /// The time between two groups of connections that are closed.
    static let step = Duration.milliseconds(100)

    private let duration: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a drain.
    ///
    /// - Parameters:
    ///   - duration: How long it takes; nothing is done if that is zero.
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

    /// Waits for the load balancer, and closes the connections of a gate.
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

    /// How many connections are closed in each step, so that `count` are closed evenly over a time.
    static func groups(of count: Int, over duration: Duration) -> [Int] {
        let steps = max(1, Int(duration / step))
        return (0..<steps).map { (count * ($0 + 1)) / steps - (count * $0) / steps }
    }
}
