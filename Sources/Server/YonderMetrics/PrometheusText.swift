/// The text that Prometheus reads (its exposition format, version 0.0.4).
///
/// `MetricsRegistry` writes it for each request for `/metrics`. Nothing fails: a character that isn't allowed in a name
/// becomes `_`. The form is Prometheus's and must stay (`MetricsRegistryTests`); the names come from those who count,
/// and dashboards of operators depend on them (`Documentation/operations.md`).
///
/// The order of the lines, by name and labels, may be changed.
package enum PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Writes all series, sorted by name and labels.
    static func text(of registry: MetricsRegistry) -> String {
        let (series, refused) = registry.snapshot
        var text = ""
        for (name, group) in Dictionary(grouping: series, by: \.key.name).sorted(by: { $0.key < $1.key }) {
            let entries = group.map { (labels: labels($0.key.labels), series: $0.value) }
            write(name, entries.sorted { $0.labels < $1.labels }, &text)
        }
        text += "# TYPE yonder_metrics_refused_total counter\nyonder_metrics_refused_total \(refused)\n"
        return text
    }

    /// The label with every character that is invalid in a name replaced by `_`.
    static func name(_ label: String) -> String {
        var name = ""
        for scalar in label.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            name.unicodeScalars.append(isLetter || isDigit && !name.isEmpty ? scalar : "_")
        }
        return name
    }

    private static func write(
        _ name: String,
        _ entries: [(labels: String, series: MetricsRegistry.Series)],
        _ text: inout String
    ) {
        guard let first = entries.first else { return }
        text += "# TYPE \(name) \(kind(first.series))\n"
        for (labels, series) in entries {
            switch series {
            case .counter(let counter): text += line(name, labels, "\(counter.value)")
            case .gauge(let gauge): text += line(name, labels, number(gauge.value))
            case .histogram(let histogram): write(name, labels, histogram, &text)
            }
        }
    }

    private static func write(
        _ name: String,
        _ labels: String,
        _ histogram: HistogramSeries,
        _ text: inout String
    ) {
        let reading = histogram.reading
        var total: Int64 = 0
        for (index, count) in reading.counts.enumerated() {
            total += count
            let bound = index < histogram.bounds.count ? number(histogram.bounds[index]) : "+Inf"
            let bounded = (labels.isEmpty ? "" : labels + ",") + "le=\"\(bound)\""
            text += line(name + "_bucket", bounded, "\(total)")
        }
        text += line(name + "_sum", labels, number(reading.sum))
        text += line(name + "_count", labels, "\(total)")
    }

    private static func kind(_ series: MetricsRegistry.Series) -> String {
        switch series {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    private static func line(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return "\(value)"
    }

    private static func labels(_ labels: [MetricsRegistry.Label]) -> String {
        labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
