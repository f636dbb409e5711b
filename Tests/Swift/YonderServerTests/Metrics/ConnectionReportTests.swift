import Foundation
import Logging
import NIOCore
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
}
