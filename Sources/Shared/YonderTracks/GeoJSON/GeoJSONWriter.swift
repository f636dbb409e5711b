import YonderGeodesy

/// Writes features in RFC 7946's form: as a collection, or one feature a line.
///
/// ``GeoJSONReader`` reads the file back unchanged. Numbers have as many digits as are needed to restore
/// them.
///
/// `ObjectFileWriter` writes an export with it: features one by one, and takes the bytes after each piece so that memory
/// stays small. It can't fail. That `GeoJSONReader` gives the same features must stay (`GeoJSONWriterTests`); white space
/// between features may change, except that `lines` has one line for each.
public struct GeoJSONWriter: Sendable {
    /// The arrangement of features in a file.
    public enum Form: Hashable, Sendable {
        /// One feature collection.
        case collection

        /// A feature a line; a line end in the properties' white space becomes a space.
        case lines
    }

    private let form: Form
    private var bytes: [UInt8] = []
    private var isFirst = true

    /// Creates a writer, and writes the text before the features.
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

    /// Writes the text after the features.
    ///
    /// Nothing may be written afterward.
    public mutating func finish() {
        if form == .collection { append("\n]}\n") }
    }

    /// Returns the bytes written since the last call, and releases them.
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
        // A JSON string contains no line ends, so these are all white space.
        for byte in json { bytes.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte) }
    }
}
