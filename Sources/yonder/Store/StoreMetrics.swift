import Metrics

/// The metrics of a store, for Prometheus.
///
/// A name that a release had stays, because operators' alarms name it.
struct StoreMetrics: Sendable {
    private let store: any ServerStore
    private let cleared: Meter

    /// Creates the metrics of an open store.
    init(_ store: any ServerStore, factory: any MetricsFactory) {
        self.store = store
        cleared = Meter(label: "yonder_store_cleared", factory: factory)
    }

    /// Sets the metrics to the store's present state.
    func refresh() {
        cleared.set(store.isCleared ? 1 : 0)
    }
}
