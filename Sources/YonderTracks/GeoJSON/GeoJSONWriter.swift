import YonderGeodesy

/// Writes features as RFC 7946 has it: as a collection, or each in a line of its own.
///
/// What is written, ``GeoJSONReader`` reads back. Numbers have as many digits as give them again.
public struct GeoJSONWriter: Sendable {
    /// How features stand in a file.
    public enum Form: Hashable, Sendable {
        /// One feature collection.
        case collection

        /// A feature a line; a line end in the properties' white space becomes a space.
        case lines
    }

    private let form: Form
    private var bytes: [UInt8] = []
    private var isFirst = true

    /// Creates a writer, and writes what stands before the features.
    public init(_ form: Form = .collection) {
        self.form = form
        if form == .collection { append(#"{"type":"FeatureCollection","features":["#) }
    }

    /// Writes a feature.
    public mutating func write(_ feature: GeoJSONFeature) {
        if form == .collection { append(isFirst ? "\n" : ",\n") }
        isFirst = false
        append(#"{"type":"Feature""#)
        if let id = feature.id {
            append(#","id":"#)
            append(json: id.json)
        }
        append(#","geometry":"#)
        write(feature.geometry)
        append(#","properties":"#)
        append(json: feature.properties.json)
        append(form == .lines ? "}\n" : "}")
    }

    /// Writes what stands behind the features.
    ///
    /// Nothing may be written after it.
    public mutating func finish() {
        if form == .collection { append("\n]}\n") }
    }

    /// Takes out what was written since the last time, so that no more than that is kept.
    public mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    private mutating func write(_ geometry: GeoJSONFeature.Geometry?) {
        switch geometry {
        case nil: append("null")
        case .point(let coordinate, let altitude):
            append(#"{"type":"Point","coordinates":"#)
            write(coordinate, altitude)
            append("}")
        case .line(let points):
            append(#"{"type":"LineString","coordinates":"#)
            write(points)
            append("}")
        case .lines(let lines):
            append(#"{"type":"MultiLineString","coordinates":["#)
            for (index, line) in lines.enumerated() {
                if index > 0 { append(",") }
                write(line)
            }
            append("]}")
        }
    }

    private mutating func write(_ points: [TrackPoint]) {
        append("[")
        for (index, point) in points.enumerated() {
            if index > 0 { append(",") }
            write(point.coordinate, point.altitude)
        }
        append("]")
    }

    private mutating func write(_ coordinate: Coordinate, _ altitude: Distance?) {
        append("[\(coordinate.longitude),\(coordinate.latitude)")
        if let altitude { append(",\(altitude.meters)") }
        append("]")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(json: [UInt8]) {
        guard form == .lines else { return bytes.append(contentsOf: json) }
        // A string has no line ends in it.
        for byte in json { bytes.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte) }
    }
}
