import Metrics
import Testing
import YonderMetrics

@Suite struct MetricsRegistryTests {
    @Test func `series are written as Prometheus reads them`() {
        let registry = MetricsRegistry()
        let path = registry.makeCounter(label: "requests.total", dimensions: [("path", "a\"b\\c\nd")])
        path.increment(by: 2)
        registry.makeCounter(label: "requests.total", dimensions: []).increment(by: 1)
        registry.makeMeter(label: "sessions", dimensions: []).set(2.5)
        registry.makeTimer(label: "commit_seconds", dimensions: [("kind", "x")]).recordNanoseconds(3_000_000)
        let text = registry.text
        #expect(
            text.hasPrefix(
                """
                # TYPE commit_seconds histogram
                commit_seconds_bucket{kind="x",le="0.0005"} 0
                commit_seconds_bucket{kind="x",le="0.001"} 0
                commit_seconds_bucket{kind="x",le="0.0025"} 0
                commit_seconds_bucket{kind="x",le="0.005"} 1

                """
            )
        )
        #expect(
            text.hasSuffix(
                """
                commit_seconds_bucket{kind="x",le="+Inf"} 1
                commit_seconds_sum{kind="x"} 0.003
                commit_seconds_count{kind="x"} 1
                # TYPE requests_total counter
                requests_total 1
                requests_total{path="a\\"b\\\\c\\nd"} 2
                # TYPE sessions gauge
                sessions 2.5
                # TYPE yonder_metrics_refused_total counter
                yonder_metrics_refused_total 0

                """
            )
        )
    }

    @Test func `a series is made once`() {
        let registry = MetricsRegistry()
        for _ in 0..<3 { registry.makeCounter(label: "a", dimensions: [("b", "c")]).increment(by: 1) }
        #expect(registry.text.contains("a{b=\"c\"} 3\n"))
    }

    @Test func `series beyond the limit are counted and not kept`() {
        let registry = MetricsRegistry(limit: 10)
        for number in 0..<1_000 {
            registry.makeCounter(label: "a", dimensions: [("n", "\(number)")]).increment(by: 1)
        }
        #expect(registry.text.split(separator: "\n").count == 1 + 10 + 2)
        #expect(registry.text.hasSuffix("yonder_metrics_refused_total 990\n"))
    }
}
