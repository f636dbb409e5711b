package import Metrics
import Synchronization

/// The server's metrics, for `/metrics`.
///
/// The number of series is limited; values of further series are discarded, and each refused series is
/// counted.
///
/// `Serve` makes it and sets it as swift-metrics' system before anything counts; `ProbeEndpoints` answers `/metrics`
/// with ``text``. Any thread may call. Names and labels of the series are promised in `Documentation/operations.md`;
/// values of a series never go back. 2 000 series may be changed (`MetricsRegistryTests`).
package final class MetricsRegistry: MetricsFactory {
    /// The identity of a series.
    struct Key: Hashable, Sendable {
        let name: String
        let labels: [Label]

        init(_ label: String, _ dimensions: [(String, String)]) {
            name = PrometheusText.name(label)
            labels = dimensions.map { Label(name: PrometheusText.name($0.0), value: $0.1) }
        }
    }

    /// One dimension of a series.
    struct Label: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The kinds of series.
    enum Series: Sendable {
        case counter(CounterSeries)
        case gauge(GaugeSeries)
        case histogram(HistogramSeries)
    }

    private struct State {
        var series: [Key: Series] = [:]
        var refused: Int64 = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// Creates a registry for at most `limit` series.
    package init(limit: Int = 2_000) {
        self.limit = limit
    }

    /// All series at this moment.
    var snapshot: (series: [Key: Series], refused: Int64) {
        state.withLock { ($0.series, $0.refused) }
    }

    /// All series in Prometheus's text format.
    package var text: String { PrometheusText.text(of: self) }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let key = Key(label, dimensions)
        guard case .counter(let series) = series(key, { .counter(CounterSeries()) }) else {
            return CounterSeries()
        }
        return series
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(Key(label, dimensions))
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        let key = Key(label, dimensions)
        return aggregate ? histogram(key, HistogramSeries.powers) : gauge(key)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(Key(label, dimensions), HistogramSeries.seconds)
    }

    // A series is never removed, so that its values never jump back.

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func gauge(_ key: Key) -> GaugeSeries {
        guard case .gauge(let series) = series(key, { .gauge(GaugeSeries()) }) else { return GaugeSeries() }
        return series
    }

    private func histogram(_ key: Key, _ bounds: [Double]) -> HistogramSeries {
        let made = series(key) { .histogram(HistogramSeries(bounds: bounds)) }
        guard case .histogram(let series) = made else { return HistogramSeries(bounds: bounds) }
        return series
    }

    /// Returns the series with this key, or `nil` if there are too many series.
    private func series(_ key: Key, _ make: () -> Series) -> Series? {
        state.withLock { state in
            if let known = state.series[key] { return known }
            guard state.series.count < limit else {
                state.refused += 1
                return nil
            }
            let new = make()
            state.series[key] = new
            return new
        }
    }
}
