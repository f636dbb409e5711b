import YonderGeodesy
import YonderJSON

/// Makes a feature of an object that is completely in memory.
///
/// The grammar of the whole object is checked before its meaning, so that a syntax error is reported before a
/// missing member. Positions and the offsets of failures are indexes into the bytes.
///
/// `GeoJSONReader` makes one for each object of a file, once all of its bytes are there: it calls ``scan()``, then
/// ``feature(allowsGeometry:)``; for a collection ``scanHead(before:)`` and ``scanTail()`` around the features. A failure
/// has its offset, and ends the reading; nothing traps, however the bytes are damaged or nested. What is accepted is RFC
/// 7946, and a little more where common files need it (`GeoJSONTests`).
///
/// Further geometries may be accepted, as a case of `GeoJSONFeature.Geometry`; a file that was read must be read still.
struct GeoJSONParser {
    /// The levels of nesting in addition to the scanner's limit: a feature, and its properties.
    static let additionalDepth = 2

    /// The members of a geometry that determine its kind.
    private struct Shape {
        var start: Int
        var type: JSONString?
        var coordinates: Range<Int>?
    }

    private let text: UnsafeRawBufferPointer
    private let start: Int
    private var object: Shape
    private var geometry: Shape?
    private var geometryFailure: GeoJSONFailure?
    private var properties: GeoJSONProperties?
    private var propertiesFailure: GeoJSONFailure?
    private var id: GeoJSONFeature.Identifier?
    private var idFailure: GeoJSONFailure?

    /// The position where the object ended.
    private(set) var end = 0

    /// Begins an object at the beginning of a range; must not outlive `bytes`.
    private init(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        text = UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound])
        start = range.lowerBound
        object = Shape(start: JSONScanner(text, from: start).offset)
    }

    /// Calls `body` with a parser of the object at the beginning of a range.
    static func parse<Value>(
        _ range: Range<Int>,
        of bytes: Span<UInt8>,
        _ body: (inout GeoJSONParser) throws(GeoJSONFailure) -> Value
    ) throws(GeoJSONFailure) -> Value {
        try bytes.withUnsafeBytes { bytes throws(GeoJSONFailure) in
            var parser = GeoJSONParser(range, of: bytes)
            return try body(&parser)
        }
    }

    /// Scans the object's text.
    ///
    /// - Throws: Only failures of the grammar.
    mutating func scan() throws(GeoJSONFailure) {
        var scanner = scanner(allowing: Self.additionalDepth)
        do throws(JSONFault) {
            if scanner.next == UInt8(ascii: "{") {
                try scanner.object { scanner, key throws(JSONFault) in try scanMember(key, &scanner) }
            } else {
                _ = try scanner.skipValue()
            }
        } catch {
            throw GeoJSONFailure(error, in: text)
        }
        end = scanner.lastEnd
    }

    /// Scans the members before the array of features.
    mutating func scanHead(before features: Int) throws(GeoJSONFailure) {
        do throws(JSONFault) {
            // The object's own bracket isn't counted.
            var scanner = scanner(allowing: Self.additionalDepth - 1)
            try scanner.take(UInt8(ascii: "{"))
            var keys = JSONKeys()
            var key = try scanner.key(notIn: &keys)
            while scanner.offset < features {
                try scanType(key, &scanner)
                try scanner.take(UInt8(ascii: ","))
                key = try scanner.key(notIn: &keys)
            }
        } catch {
            throw GeoJSONFailure(error, in: text)
        }
    }

    /// Scans the members after the array of features, and the end of the object.
    mutating func scanTail() throws(GeoJSONFailure) {
        do throws(JSONFault) {
            var scanner = scanner(allowing: Self.additionalDepth)
            var keys = JSONKeys()
            while scanner.takeIfNext(UInt8(ascii: ",")) {
                let start = scanner.offset
                let key = try scanner.key(notIn: &keys)
                guard !key.equals("features", in: text) else {
                    throw JSONFault(reason: .duplicateKey, offset: start)
                }
                try scanType(key, &scanner)
            }
            try scanner.take(UInt8(ascii: "}"))
        } catch {
            throw GeoJSONFailure(error, in: text)
        }
    }

    /// Whether the type is a word, or `nil` if there is none.
    func isType(_ word: StaticString) -> Bool? {
        object.type?.equals(word, in: text)
    }

    /// Returns the scanned feature.
    ///
    /// If `allowsGeometry` is set, a bare geometry becomes a feature without properties.
    func feature(allowsGeometry: Bool) throws(GeoJSONFailure) -> GeoJSONFeature {
        guard isType("Feature") == true else {
            let isGeometry = allowsGeometry && object.type.map(isGeometry) == true
            guard isGeometry else {
                throw GeoJSONFailure(allowsGeometry ? .notGeoJSON : .notFeature, at: object.start)
            }
            return GeoJSONFeature(geometry: try geometry(object))
        }
        if let failure = geometryFailure ?? propertiesFailure ?? idFailure { throw failure }
        var place: GeoJSONFeature.Geometry?
        if let geometry { place = try self.geometry(geometry) }
        return GeoJSONFeature(id: id, geometry: place, properties: properties ?? .none)
    }

    private func scanner(allowing levels: Int) -> JSONScanner {
        JSONScanner(text, from: start, allowing: levels, refusesHalfPairs: true)
    }
}

// Members.
extension GeoJSONParser {
    private mutating func scanMember(_ key: JSONString, _ scanner: inout JSONScanner) throws(JSONFault) {
        if key.equals("geometry", in: text) {
            try scanGeometry(&scanner)
        } else if key.equals("properties", in: text) {
            try scanProperties(&scanner)
        } else if key.equals("id", in: text) {
            try scanIdentifier(&scanner)
        } else if key.equals("coordinates", in: text) {
            object.coordinates = try scanner.skipValue()
        } else {
            try scanType(key, &scanner)
        }
    }

    /// Scans a member's value, and keeps the type.
    private mutating func scanType(_ key: JSONString, _ scanner: inout JSONScanner) throws(JSONFault) {
        if key.equals("type", in: text) {
            object.type = try Self.string(&scanner)
        } else {
            _ = try scanner.skipValue()
        }
    }

    /// Scans a value; returns its string, or `nil` for a value that isn't a string.
    private static func string(_ scanner: inout JSONScanner) throws(JSONFault) -> JSONString? {
        if scanner.next == UInt8(ascii: "\"") { return try scanner.string() }
        _ = try scanner.skipValue()
        return nil
    }

    private mutating func scanGeometry(_ scanner: inout JSONScanner) throws(JSONFault) {
        var shape = Shape(start: scanner.offset)
        guard scanner.next == UInt8(ascii: "{") else {
            let isNull = scanner.next == UInt8(ascii: "n")
            _ = try scanner.skipValue()
            if !isNull { geometryFailure = GeoJSONFailure(.invalidGeometry, at: shape.start) }
            return
        }
        try scanner.object { scanner, key throws(JSONFault) in
            if key.equals("type", in: scanner.bytes) {
                shape.type = try Self.string(&scanner)
            } else {
                let value = try scanner.skipValue()
                if key.equals("coordinates", in: scanner.bytes) { shape.coordinates = value }
            }
        }
        geometry = shape
    }

    private mutating func scanProperties(_ scanner: inout JSONScanner) throws(JSONFault) {
        let first = scanner.next
        if first == UInt8(ascii: "{") {
            properties = try GeoJSONProperties(&scanner)
            return
        }
        let value = try scanner.skipValue()
        if first == UInt8(ascii: "n") { return }
        propertiesFailure = GeoJSONFailure(.invalidProperties, at: value.lowerBound)
    }

    private mutating func scanIdentifier(_ scanner: inout JSONScanner) throws(JSONFault) {
        let first = scanner.next
        let value = try scanner.skipValue()
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), .some(0x30...0x39):
            id = GeoJSONFeature.Identifier(json: Array(text[value]))
        // It isn't allowed, but common.
        case UInt8(ascii: "n"): break
        default: idFailure = GeoJSONFailure(.invalidIdentifier, at: value.lowerBound)
        }
    }
}

// Geometries. Their grammar was read before.
extension GeoJSONParser {
    private static let geometries: [StaticString] = [
        "Point", "LineString", "MultiLineString", "MultiPoint", "Polygon", "MultiPolygon",
        "GeometryCollection",
    ]

    private func isGeometry(_ type: JSONString) -> Bool {
        Self.geometries.contains { type.equals($0, in: text) }
    }

    private func geometry(_ shape: Shape) throws(GeoJSONFailure) -> GeoJSONFeature.Geometry {
        let invalid = GeoJSONFailure(.invalidGeometry, at: shape.start)
        guard let type = shape.type else { throw invalid }
        let isPoint = type.equals("Point", in: text)
        let isLine = type.equals("LineString", in: text)
        guard isPoint || isLine || type.equals("MultiLineString", in: text) else {
            throw isGeometry(type)
                ? GeoJSONFailure(.unsupportedGeometry(type.text(in: text)), at: shape.start) : invalid
        }
        guard let range = shape.coordinates else { throw invalid }
        var scanner = JSONScanner(text, from: range.lowerBound)
        if isPoint {
            let point = try Self.position(&scanner)
            return .point(point.coordinate, altitude: point.altitude)
        }
        if isLine { return .line(try Self.line(&scanner)) }
        var lines: [[TrackPoint]] = []
        try Self.elements(&scanner) { scanner throws(GeoJSONFailure) in lines.append(try Self.line(&scanner))
        }
        return .lines(lines)
    }

    /// Reads an array; `body` reads each element.
    private static func elements(
        _ scanner: inout JSONScanner,
        _ body: (inout JSONScanner) throws(GeoJSONFailure) -> Void
    ) throws(GeoJSONFailure) {
        guard scanner.takeIfNext(UInt8(ascii: "[")) else {
            throw GeoJSONFailure(.invalidGeometry, at: scanner.offset)
        }
        if scanner.takeIfNext(UInt8(ascii: "]")) { return }
        repeat { try body(&scanner) } while scanner.takeIfNext(UInt8(ascii: ","))
        _ = scanner.takeIfNext(UInt8(ascii: "]"))
    }

    private static func line(_ scanner: inout JSONScanner) throws(GeoJSONFailure) -> [TrackPoint] {
        let start = scanner.offset
        var points: [TrackPoint] = []
        try elements(&scanner) { scanner throws(GeoJSONFailure) in points.append(try position(&scanner)) }
        guard points.count > 1 else { throw GeoJSONFailure(.invalidGeometry, at: start) }
        return points
    }

    /// Reads longitude, latitude and an optional altitude; further numbers are ignored, as the RFC suggests.
    private static func position(_ scanner: inout JSONScanner) throws(GeoJSONFailure) -> TrackPoint {
        let start = scanner.offset
        var numbers: InlineArray<3, Double> = .init(repeating: 0)
        var count = 0
        try elements(&scanner) { scanner throws(GeoJSONFailure) in
            let number = try number(&scanner)
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

    private static func number(_ scanner: inout JSONScanner) throws(GeoJSONFailure) -> Double {
        guard let digits = try? scanner.number() else {
            throw GeoJSONFailure(.invalidGeometry, at: scanner.offset)
        }
        let text = UnsafeRawBufferPointer(rebasing: scanner.bytes[digits])
        let number = text.withMemoryRebound(to: UInt8.self) { DecimalNumber($0.span)?.value }
        guard let number else { throw GeoJSONFailure(.invalidCoordinate, at: digits.lowerBound) }
        return number
    }
}
