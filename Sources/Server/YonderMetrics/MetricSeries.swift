import Metrics
import Synchronization

/// A number that only grows.
///
/// `MetricsRegistry` makes one for each key, and the libraries that count call it, on any thread; `PrometheusText` reads
/// it. Nothing fails. A histogram's bounds
/// are its maker's, and dashboards know them (`MetricsRegistryTests`).
final class CounterSeries: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }
}

/// A number that can go up and down.
final class GaugeSeries: MeterHandler, RecorderHandler {
    private let number = Mutex(0.0)

    var value: Double { number.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { number.withLock { $0 -= amount } }
}

/// A histogram of values over fixed bounds.
final class HistogramSeries: TimerHandler, RecorderHandler {
    /// The content of a histogram at one moment.
    struct Reading: Sendable {
        /// The number of values up to each bound and above the previous one; the last is for values above all
        /// bounds.
        var counts: [Int64]
        var sum = 0.0
    }

    /// Seconds, for timers.
    static let seconds = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// Powers of four, for other recorders.
    static let powers: [Double] = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576]

    let bounds: [Double]
    private let state: Mutex<Reading>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Reading(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var reading: Reading { state.withLock { $0 } }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }
}
