import Metrics
import YonderBus

/// The metrics of a node in its cluster, for Prometheus.
///
/// A name that a release had stays, because operators' alarms name it; `Documentation/operations.md` has a row of each.
struct NodeMetrics: Sendable {
    private let link: NodeLink
    private let meters: [(meter: Meter, value: @Sendable (NodeReport) -> Int)]

    /// Creates the metrics of a node; a server that is alone has none.
    init(_ link: NodeLink, factory: any MetricsFactory) {
        self.link = link
        let series: [(String, @Sendable (NodeReport) -> Int)] = [
            ("yonder_bus_connected", { $0.hasBus ? 1 : 0 }),
            ("yonder_bus_other_nodes", { $0.others }),
            ("yonder_bus_frames_sent_total", { $0.bus.sent }),
            ("yonder_bus_frames_received_total", { $0.bus.received }),
            ("yonder_bus_frames_unreadable_total", { $0.bus.unreadable }),
            ("yonder_bus_frames_dropped_total", { $0.bus.dropped }),
            ("yonder_bus_reconnects_total", { $0.bus.reconnects }),
            ("yonder_gates", { $0.gates.open }),
            ("yonder_gate_held_total", { $0.gates.held }),
            ("yonder_gate_reads_total", { $0.gates.reads }),
            ("yonder_gate_repaired_total", { $0.gates.repaired }),
        ]
        meters = link.isAlone ? [] : series.map { (Meter(label: $0.0, factory: factory), $0.1) }
    }

    /// Sets the metrics to the node's present counts and states.
    func refresh() {
        guard !meters.isEmpty else { return }
        let report = link.report
        for (meter, value) in meters { meter.set(value(report)) }
    }
}
