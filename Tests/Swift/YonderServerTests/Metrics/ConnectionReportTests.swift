import Foundation
import Logging
import NIOCore
import Synchronization
import Testing
import YonderMetrics
import YonderTransport

@testable import YonderServer

@Suite struct ConnectionReportTests {
    @Test func `connections, displaced ones and failures to accept are counted`() {
        let registry = MetricsRegistry()
        let report = ConnectionReport(logger: Logger(label: "test"), factory: registry)
        #expect(registry.text.contains("yonder_accept_rests_total 0"))
        #expect(registry.text.contains(#"yonder_connections_displaced_total{bound="address"} 0"#))
        let observer = report.observer(limits: Admission.Limits(connections: 64))
        #expect(registry.text.contains("yonder_connections_limit 64"))
        observer.counted(3, 2)
        #expect(registry.text.contains(#"yonder_connections{kind="anonymous"} 3"#))
        #expect(registry.text.contains(#"yonder_connections{kind="signed in"} 2"#))
        report.accepting(.failed(IOError(errnoCode: EMFILE, reason: "accept"), isFirst: true))
        #expect(registry.text.contains("yonder_accept_rests_total 1"))
    }

    @Test func `a proxy that isn't listed is told with its cure, and no client fills the log with it`() throws
    {
        let lines = Mutex<[String]>([])
        let report = ConnectionReport(
            logger: Logger(label: "test") { _ in LineHandler { line in lines.withLock { $0.append(line) } } },
            factory: MetricsRegistry()
        )
        let observer = report.observer(limits: Admission.Limits(connections: 64))
        for _ in 0..<1_000 { observer.unlisted(try #require(IPAddress("10.0.0.5"))) }
        let written = lines.withLock { $0 }
        #expect(written.count == 3)
        #expect(written[0].contains("isn't listed as a proxy") && written[0].contains("proxy=ADDRESS"))
        #expect(written[0].hasSuffix("address=10.0.0.5"))
    }
}

/// Hands each entry of a log on as a line: its message, and its metadata.
private struct LineHandler: LogHandler {
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info
    let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted()
        write((["\(event.message)"] + fields).joined(separator: " "))
    }
}
