public import YonderGeodesy

/// Something on the Earth with properties, as RFC 7946 has it.
public struct GeoJSONFeature: Hashable, Sendable {
    /// What the feature is called by programs.
    public struct Identifier: Hashable, Sendable {
        /// The text or number as it was written.
        public let json: [UInt8]

        /// Creates an identifier that is a text.
        public init(_ text: String) {
            var json: [UInt8] = []
            json.appendJSON(of: text)
            self.json = json
        }

        /// Creates an identifier that is a number.
        public init(_ number: Int64) {
            json = Array(String(number).utf8)
        }

        /// Creates an identifier that was written so.
        package init(json: [UInt8]) {
            self.json = json
        }

        /// The text without quotes and escapes, or the number as it was written.
        public var text: String {
            var scanner = GeoJSONScanner(0..<json.count, in: json.span)
            guard let text = try? scanner.string(in: json.span) else {
                return String(decoding: json, as: UTF8.self)
            }
            return text.string(in: json.span)
        }
    }

    /// Where the feature is.
    public enum Geometry: Hashable, Sendable {
        /// A point, and its height above the ellipsoid if it is known.
        case point(Coordinate, altitude: Distance?)

        /// A line through at least two points.
        case line([TrackPoint])

        /// Lines of at least two points each.
        case lines([[TrackPoint]])
    }

    /// What the feature is called by programs, if it is.
    public var id: Identifier?

    /// Where the feature is, or `nil` if it has no place.
    public var geometry: Geometry?

    /// Whatever else is known of it.
    public var properties: GeoJSONProperties

    /// Creates a feature.
    public init(id: Identifier? = nil, geometry: Geometry?, properties: GeoJSONProperties = .none) {
        (self.id, self.geometry, self.properties) = (id, geometry, properties)
    }

    /// Creates the feature of a track: a line, or lines where it has several segments.
    ///
    /// The name goes into the property `name`, and the times, if every point has one, into `coordTimes`, as other
    /// programs that make GeoJSON of tracks do. Segments of fewer than two points are no lines and are left out.
    public init(_ track: Track) {
        let segments = track.segments.filter { $0.count > 1 }
        var members: [GeoJSONProperties.Member] = []
        if let name = track.name {
            var json: [UInt8] = []
            json.appendJSON(of: name)
            members.append(GeoJSONProperties.Member(key: "name", json: json))
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
    /// Creates the track that a feature's line or lines are, with the name and times in its properties.
    ///
    /// - Returns: `nil` if the feature is no line. Times that don't fit the points are left out.
    public init?(_ feature: GeoJSONFeature) {
        switch feature.geometry {
        case .line(let points): self.init(segments: [points])
        case .lines(let lines): self.init(segments: lines)
        default: return nil
        }
        if let json = feature.properties["name"] {
            var scanner = GeoJSONScanner(0..<json.count, in: json.span)
            name = (try? scanner.string(in: json.span))?.string(in: json.span)
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

    /// The times in an array of texts, or of arrays of them; none if there is something else.
    private static func times(_ json: [UInt8]) -> [Timestamp?] {
        var scanner = GeoJSONScanner(0..<json.count, in: json.span)
        return (try? times(&scanner, in: json.span)) ?? []
    }

    private static func times(
        _ scanner: inout GeoJSONScanner,
        in bytes: Span<UInt8>
    ) throws(GeoJSONFailure) -> [Timestamp?] {
        var times: [Timestamp?] = []
        try scanner.beginArray(in: bytes)
        var isFirst = true
        while try scanner.nextElement(&isFirst, in: bytes) {
            if scanner.next(in: bytes) == UInt8(ascii: "[") {
                times += try Self.times(&scanner, in: bytes)
            } else {
                times.append(Timestamp(iso8601: try scanner.string(in: bytes).string(in: bytes)))
            }
        }
        return times
    }
}
