import Logging
import Synchronization
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderBus

struct UnreadableFramesTests {
    private static let time = Timestamp(milliseconds: 1_764_000_000_000)

    @Test func `a frame that can't be read is counted, the store is read instead, and the node goes on`()
        async throws
    {
        let medium = InProcessBus.Medium()
        let (bus, listener) = (medium.join(), SilentListener())
        let link = NodeLink(
            bus: medium.join(),
            log: nil,
            node: 1,
            now: { Self.time },
            uptime: { .now },
            sleep: { try await ContinuousClock().sleep(for: $0) },
            logger: Logger(label: "test")
        )
        link.start(listener)
        let good = BusFrame(node: 2, number: 1, sent: Self.time, content: .alive(hasStore: true)).encoded()
        for bytes in [[], [255], Array(good.dropLast()), good + [0]] { bus.publish(bytes) }
        bus.publish(good)
        while !link.others.contains(2) { await Task.yield() }
        #expect(link.report.bus.unreadable == 4)
        #expect(listener.missed.withLock(\.self) > 0)
    }

    @Test func `the log has a line at the first, and one a minute with the count since`() {
        let lines = LineLog()
        let frames = UnreadableFrames(logger: lines.logger)
        let start = ContinuousClock.now
        for second in 0..<130 { frames.note(46, at: start + .seconds(second)) }
        #expect(frames.count == 130)
        #expect(lines.counts == ["1", "60", "60"])
    }
}

/// A listener that only counts.
private final class SilentListener: NodeListener {
    let missed = Mutex(0)

    func deliver(_ published: [Published]) {}
    func pass(unkept published: Published) {}
    var hasStore: Bool { true }
    func receive(_ content: BusContent, from node: UInt64) {}
    func gone(_ nodes: [UInt64]) {}
    func missedFrames() { missed.withLock { $0 += 1 } }
}

/// Keeps the counts that lines of the log have.
private final class LineLog: Sendable {
    private let kept = Mutex<[String]>([])

    var counts: [String] { kept.withLock(\.self) }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: LineLog
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.kept.withLock { $0.append(event.metadata?["count"].map { "\($0)" } ?? "") }
        }
    }
}
