/// One number of one run.
struct Figure {
    enum Metric: String, CaseIterable {
        case storeCPU = "store's thread, µs a move"
        case loopCPU = "loop's thread, µs a move"
        case bothCPU = "both, µs a move"
        case moves = "moves/s by the clock"
        case bytes = "bytes a move"
        case writes = "writes a move"
    }

    let test: String
    let metric: Metric
    let value: Double
}

/// The figures of several rounds.
struct Figures {
    private var tests: [String] = []
    private var values: [String: [Figure.Metric: [Double]]] = [:]

    mutating func add(_ figures: [Figure]) {
        for figure in figures {
            if values[figure.test] == nil { tests.append(figure.test) }
            values[figure.test, default: [:]][figure.metric, default: []].append(figure.value)
        }
    }

    /// Prints a table: of each figure the best round, because other work on the machine can only make it worse, and the median.
    func report() {
        for test in tests {
            print(test)
            for metric in Figure.Metric.allCases {
                guard let sorted = values[test]?[metric]?.sorted(), let least = sorted.first,
                    let most = sorted.last
                else { continue }
                let best = metric == .moves ? most : least
                print(
                    "  \(metric.rawValue): best \(rounded(best)), median \(rounded(sorted[sorted.count / 2]))"
                )
            }
        }
    }

    private func rounded(_ value: Double) -> String {
        let unit = value < 1_000 ? 100.0 : 1
        let text = ((value * unit).rounded() / unit).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
