import YonderGeodesy

/// Makes a feature of an object that is completely in memory.
///
/// The grammar of the whole object is checked before its meaning, so that a syntax error is reported before a
/// missing member.
struct GeoJSONParser {
    /// The members of a geometry that determine its kind.
    private struct Shape {
        var start: Int
        var type: GeoJSONScanner.Text?
        var coordinates: Range<Int>?
    }

    private var scanner: GeoJSONScanner
    private var object: Shape
    private var geometry: Shape?
    private var geometryFailure: GeoJSONFailure?
    private var properties: GeoJSONProperties?
    private var propertiesFailure: GeoJSONFailure?
    private var id: GeoJSONFeature.Identifier?
    private var idFailure: GeoJSONFailure?

    /// The position where the object ended.
    private(set) var end = 0

    /// Begins an object at the beginning of a range.
    init(_ range: Range<Int>, in bytes: Span<UInt8>) {
        scanner = GeoJSONScanner(range, in: bytes)
        object = Shape(start: scanner.position)
    }

    /// Scans the object's text.
    ///
    /// - Throws: Only failures of the grammar.
    mutating func scan(in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        guard scanner.next(in: bytes) == UInt8(ascii: "{") else {
            _ = try scanner.value(in: bytes)
            end = scanner.lastEnd
            return
        }
        var members = try scanner.beginObject(in: bytes)
        while let key = try scanner.nextKey(&members, in: bytes) {
            if key.equals("type", in: bytes) {
                object.type = try text(in: bytes)
            } else if key.equals("geometry", in: bytes) {
                try scanGeometry(in: bytes)
            } else if key.equals("properties", in: bytes) {
                try scanProperties(in: bytes)
            } else if key.equals("id", in: bytes) {
                try scanIdentifier(in: bytes)
            } else if key.equals("coordinates", in: bytes) {
                object.coordinates = try scanner.value(in: bytes)
            } else {
                _ = try scanner.value(in: bytes)
            }
        }
        end = scanner.lastEnd
    }

    /// Scans the members before the array of features.
    mutating func scanHead(before features: Int, in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        var members = try scanner.beginObject(in: bytes)
        while let key = try scanner.nextKey(&members, in: bytes), scanner.position < features {
            if key.equals("type", in: bytes) {
                object.type = try text(in: bytes)
            } else {
                _ = try scanner.value(in: bytes)
            }
        }
    }

    /// Scans the members after the array of features, and the end of the object.
    mutating func scanTail(in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        var keys = GeoJSONKeys()
        while scanner.takeIfNext(UInt8(ascii: ","), in: bytes) {
            let start = scanner.position
            let key = try scanner.string(in: bytes)
            guard keys.insert(key, in: bytes), !key.equals("features", in: bytes) else {
                throw GeoJSONFailure(.duplicateKey, at: start)
            }
            try scanner.take(UInt8(ascii: ":"), in: bytes)
            if key.equals("type", in: bytes) {
                object.type = try text(in: bytes)
            } else {
                _ = try scanner.value(in: bytes)
            }
        }
        try scanner.take(UInt8(ascii: "}"), in: bytes)
    }

    /// Whether the type is a word, or `nil` if there is none.
    func isType(_ word: StaticString, in bytes: Span<UInt8>) -> Bool? {
        object.type?.equals(word, in: bytes)
    }

    /// Returns the scanned feature.
    ///
    /// If `allowsGeometry` is set, a bare geometry becomes a feature without properties.
    func feature(in bytes: Span<UInt8>, allowsGeometry: Bool) throws(GeoJSONFailure) -> GeoJSONFeature {
        guard object.type?.equals("Feature", in: bytes) == true else {
            let isGeometry =
                allowsGeometry && object.type.map { Self.isGeometry($0.string(in: bytes)) } == true
            guard isGeometry else {
                throw GeoJSONFailure(allowsGeometry ? .notGeoJSON : .notFeature, at: object.start)
            }
            return GeoJSONFeature(geometry: try Self.geometry(object, in: bytes))
        }
        if let failure = geometryFailure ?? propertiesFailure ?? idFailure { throw failure }
        var place: GeoJSONFeature.Geometry?
        if let geometry { place = try Self.geometry(geometry, in: bytes) }
        return GeoJSONFeature(id: id, geometry: place, properties: properties ?? .none)
    }
}

// Members.
extension GeoJSONParser {
    /// Scans a value; returns its text, or `nil` for a value that isn't a text.
    private mutating func text(in bytes: Span<UInt8>) throws(GeoJSONFailure) -> GeoJSONScanner.Text? {
        if scanner.next(in: bytes) == UInt8(ascii: "\"") { return try scanner.string(in: bytes) }
        _ = try scanner.value(in: bytes)
        return nil
    }

    private mutating func scanGeometry(in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        if try scanner.takeNull(in: bytes) { return }
        var shape = Shape(start: scanner.position)
        guard scanner.next(in: bytes) == UInt8(ascii: "{") else {
            _ = try scanner.value(in: bytes)
            geometryFailure = GeoJSONFailure(.invalidGeometry, at: shape.start)
            return
        }
        var members = try scanner.beginObject(in: bytes)
        while let key = try scanner.nextKey(&members, in: bytes) {
            if key.equals("type", in: bytes) {
                shape.type = try text(in: bytes)
            } else {
                let value = try scanner.value(in: bytes)
                if key.equals("coordinates", in: bytes) { shape.coordinates = value }
            }
        }
        geometry = shape
    }

    private mutating func scanProperties(in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        if try scanner.takeNull(in: bytes) { return }
        if scanner.next(in: bytes) == UInt8(ascii: "{") {
            properties = try scanner.properties(in: bytes)
            return
        }
        let value = try scanner.value(in: bytes)
        propertiesFailure = GeoJSONFailure(.invalidProperties, at: value.lowerBound)
    }

    private mutating func scanIdentifier(in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        let first = scanner.next(in: bytes)
        let value = try scanner.value(in: bytes)
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), 0x30...0x39:
            var json: [UInt8] = []
            json.append(copyOf: bytes.extracting(value))
            id = GeoJSONFeature.Identifier(json: json)
        // It isn't allowed, but common.
        case UInt8(ascii: "n"): break
        default: idFailure = GeoJSONFailure(.invalidIdentifier, at: value.lowerBound)
        }
    }
}

// Geometries. Their grammar was read before.
extension GeoJSONParser {
    private static func isGeometry(_ type: String) -> Bool {
        [
            "Point", "LineString", "MultiLineString", "MultiPoint", "Polygon", "MultiPolygon",
            "GeometryCollection",
        ].contains(type)
    }

    private static func geometry(_ shape: Shape, in bytes: Span<UInt8>) throws(GeoJSONFailure)
        -> GeoJSONFeature.Geometry
    {
        let invalid = GeoJSONFailure(.invalidGeometry, at: shape.start)
        guard let type = shape.type else { throw invalid }
        let isPoint = type.equals("Point", in: bytes)
        let isLine = type.equals("LineString", in: bytes)
        guard isPoint || isLine || type.equals("MultiLineString", in: bytes) else {
            let name = type.string(in: bytes)
            throw isGeometry(name) ? GeoJSONFailure(.unsupportedGeometry(name), at: shape.start) : invalid
        }
        guard let range = shape.coordinates else { throw invalid }
        // Their nesting was checked when the whole object was scanned.
        var scanner = GeoJSONScanner(range, in: bytes)
        if isPoint {
            let point = try position(&scanner, in: bytes)
            return .point(point.coordinate, altitude: point.altitude)
        }
        if isLine { return .line(try line(&scanner, in: bytes)) }
        var lines: [[TrackPoint]] = []
        try begin(&scanner, in: bytes)
        var isFirst = true
        while try scanner.nextElement(&isFirst, in: bytes) { lines.append(try line(&scanner, in: bytes)) }
        return .lines(lines)
    }

    private static func begin(_ scanner: inout GeoJSONScanner, in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        guard scanner.next(in: bytes) == UInt8(ascii: "[") else { throw scanner.fault(.invalidGeometry) }
        try scanner.beginArray(in: bytes)
    }

    private static func line(
        _ scanner: inout GeoJSONScanner,
        in bytes: Span<UInt8>
    ) throws(GeoJSONFailure) -> [TrackPoint] {
        let start = scanner.position
        var points: [TrackPoint] = []
        try begin(&scanner, in: bytes)
        var isFirst = true
        while try scanner.nextElement(&isFirst, in: bytes) {
            points.append(try position(&scanner, in: bytes))
        }
        guard points.count > 1 else { throw GeoJSONFailure(.invalidGeometry, at: start) }
        return points
    }

    /// Reads longitude, latitude and an optional altitude; further numbers are ignored, as the RFC suggests.
    private static func position(
        _ scanner: inout GeoJSONScanner,
        in bytes: Span<UInt8>
    ) throws(GeoJSONFailure) -> TrackPoint {
        let start = scanner.position
        try begin(&scanner, in: bytes)
        var numbers: InlineArray<3, Double> = .init(repeating: 0)
        var (count, isFirst) = (0, true)
        while try scanner.nextElement(&isFirst, in: bytes) {
            let first = scanner.next(in: bytes)
            guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
                throw scanner.fault(.invalidGeometry)
            }
            let digits = try scanner.number(in: bytes)
            guard let number = DecimalNumber(bytes.extracting(digits))?.value else {
                throw GeoJSONFailure(.invalidCoordinate, at: digits.lowerBound)
            }
            if count < 3 { numbers[count] = number }
            count += 1
        }
        guard count >= 2 else { throw GeoJSONFailure(.invalidGeometry, at: start) }
        guard
            (-180...180).contains(numbers[0]),
            let coordinate = Coordinate(latitude: numbers[1], longitude: numbers[0])
        else { throw GeoJSONFailure(.invalidCoordinate, at: start) }
        return TrackPoint(
            coordinate: coordinate,
            altitude: count > 2 ? Distance(meters: numbers[2]) : nil
        )
    }
}
