public import YonderGeodesy
import YonderJSON

/// A geometry with properties, as RFC 7946 defines it.
///
/// `GeoJSONReader` makes it of a file's feature, for the import of objects, and `ObjectFileWriter` for their export; apps
/// make one of a track. Making it checks nothing; a track of a feature is `nil` or has no times where the feature doesn't
/// fit. Other geometries are refused by the reader. The properties `name` and `coordTimes` must stay, because other programs
/// write and read them (`GeoJSONTests`, `GeoJSONWriterTests`); a further geometry is a case here, in the parser and in the
/// writer.
public struct GeoJSONFeature: Hashable, Sendable {
    /// The feature's id, a string or a number.
    public struct Identifier: Hashable, Sendable {
        /// The text or number as it was written.
        public let json: [UInt8]

        /// Creates an identifier that is a text.
        public init(_ text: String) {
            var writer = JSONWriter()
            writer.string(text)
            json = writer.bytes
        }

        /// Creates an identifier that is a number.
        public init(_ number: Int64) {
            json = Array(String(number).utf8)
        }

        /// Creates an identifier from its JSON.
        package init(json: [UInt8]) {
            self.json = json
        }

        /// The string without quotes and escapes, or the number as written.
        public var text: String {
            json.withUnsafeBytes { bytes in
                var scanner = JSONScanner(bytes, refusesHalfPairs: true)
                guard let text = try? scanner.string() else { return String(decoding: bytes, as: UTF8.self) }
                return text.text(in: bytes)
            }
        }
    }

    /// The feature's position or line.
    public enum Geometry: Hashable, Sendable {
        /// A point, and its height above the ellipsoid if known.
        case point(Coordinate, altitude: Distance?)

        /// A line through at least two points.
        case line([TrackPoint])

        /// Lines of at least two points each.
        case lines([[TrackPoint]])
    }

    /// The feature's id, or `nil` if it has none.
    public var id: Identifier?

    /// The feature's geometry, or `nil` if it has none.
    public var geometry: Geometry?

    /// The feature's properties.
    public var properties: GeoJSONProperties

    /// Creates a feature.
    public init(id: Identifier? = nil, geometry: Geometry?, properties: GeoJSONProperties = .none) {
        (self.id, self.geometry, self.properties) = (id, geometry, properties)
    }

    /// Creates the feature of a track: a line, or several lines for several segments.
    ///
    /// The name is written to the property `name`; the times, if every point has one, to `coordTimes`, as in
    /// other programs' GeoJSON of tracks. A segment of fewer than two points isn't a line and is left out.
    public init(_ track: Track) {
        let segments = track.segments.filter { $0.count > 1 }
        var members: [GeoJSONProperties.Member] = []
        if let name = track.name {
            var writer = JSONWriter()
            writer.string(name)
            members.append(GeoJSONProperties.Member(key: "name", json: writer.bytes))
        }
        let times = segments.map { $0.compactMap(\.timestamp) }
        if !segments.isEmpty, times.map(\.count) == segments.map(\.count) {
            let lists = times.map { "[" + $0.map { "\"\($0.iso8601)\"" }.joined(separator: ",") + "]" }
            let json = lists.count == 1 ? lists[0] : "[" + lists.joined(separator: ",") + "]"
            members.append(GeoJSONProperties.Member(key: "coordTimes", json: Array(json.utf8)))
        }
        let geometry = segments.count == 1 ? Geometry.line(segments[0]) : .lines(segments)
        self.init(
            geometry: segments.isEmpty ? nil : geometry,
            properties: GeoJSONProperties(members) ?? .none
        )
    }
}

extension Track {
    /// Creates a track from a feature's line or lines, with the name and times in its properties.
    ///
    /// - Returns: `nil` if the feature isn't a line. Times that don't match the points are left out.
    public init?(_ feature: GeoJSONFeature) {
        switch feature.geometry {
        case .line(let points): self.init(segments: [points])
        case .lines(let lines): self.init(segments: lines)
        default: return nil
        }
        if let json = feature.properties["name"] {
            name = json.withUnsafeBytes { text in
                var scanner = JSONScanner(text, refusesHalfPairs: true)
                return (try? scanner.string())?.text(in: text)
            }
        }
        let times = feature.properties["coordTimes"].map(Self.times) ?? []
        guard times.count == segments.reduce(0, { $0 + $1.count }) else { return }
        var next = 0
        for segment in segments.indices {
            for point in segments[segment].indices {
                segments[segment][point].timestamp = times[next]
                next += 1
            }
        }
    }

    /// The times in an array of texts, or of arrays of texts; empty for any other value.
    private static func times(_ json: [UInt8]) -> [Timestamp?] {
        json.withUnsafeBytes { text in
            var scanner = JSONScanner(text, refusesHalfPairs: true)
            return (try? times(&scanner)) ?? []
        }
    }

    private static func times(_ scanner: inout JSONScanner) throws(JSONFault) -> [Timestamp?] {
        var times: [Timestamp?] = []
        try scanner.array { scanner throws(JSONFault) in
            if scanner.next == UInt8(ascii: "[") {
                times += try Self.times(&scanner)
            } else {
                times.append(Timestamp(iso8601: try scanner.string().text(in: scanner.bytes)))
            }
        }
        return times
    }
}
