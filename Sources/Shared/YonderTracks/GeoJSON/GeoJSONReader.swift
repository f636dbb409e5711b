import YonderJSON

/// Reads a GeoJSON file (RFC 7946): bytes in pieces of any size go in, features come out, each with its
/// position or its failure.
///
/// The file is a feature collection, a feature, a geometry, or a sequence of these, mostly one feature a line
/// (RFC 8142 and newline-delimited GeoJSON). A byte order mark is skipped. Properties are kept byte for byte;
/// of `crs`, `bbox` and unknown members only the grammar is checked. The result doesn't depend on where the
/// bytes are cut, and memory holds at most one feature.
///
/// After an invalid feature, reading continues at its end. If its brackets don't match, reading continues at
/// the next `{"type": "Feature"` in a collection, or else in the next line; but not in bytes already scanned
/// if that would read bytes more than twice on average.
///
/// The server makes one for each imported file (`GeoJSONRows`), and calls ``read(_:_:)`` for each piece of the request's
/// body, then ``finish(_:)`` once. Nothing throws: a feature's failure is a record like a feature, and an import reports it
/// with its line. Reading one feature is in `GeoJSONReader+Features.swift` and `GeoJSONParser`.
///
/// That cuts change nothing, that no bytes trap, and that bytes are read twice at most must stay (`GeoJSONTests`,
/// `make test-fuzz`), because a file of hundreds of megabytes comes from a stranger. The default limit of a feature may
/// change; the server passes its own.
public struct GeoJSONReader: Sendable {
    /// A feature or its failure.
    public typealias Record = FileRecord<GeoJSONFeature, GeoJSONFailure>

    /// The default limit for a feature's length in bytes: 4 MiB.
    public static let defaultFeatureLength = 4 << 20

    enum Mode {
        /// Between values at the outermost level.
        case between

        /// In a value at the outermost level.
        case object

        /// Between the features of a collection.
        case features
        case feature

        /// After the features of a collection.
        case tail

        /// After an error, searching for the next feature or line.
        case lost, skippingLine
        case ended
    }

    /// The elements that may come next between the features of a collection.
    enum Next {
        case first, feature, comma, anything
    }

    let limit: Int
    private var leftover = Leftover()
    var mode = Mode.between
    var next = Next.first
    var extent = GeoJSONExtent()
    var line = 1

    /// Whether the collection's `type` was read.
    private var hasType = false

    /// Whether the previous value contained no line end.
    private var isFeatureALine = false
    var hasRead = false
    var hasFailed = false

    /// The number of bytes read more than once.
    var bytesReadAgain = 0

    /// Creates a reader at the beginning of a file.
    ///
    /// - Parameter featureLength: The most bytes of a feature, or of the text before or after the features; 1
    ///   GiB at most.
    public init(featureLength: Int = GeoJSONReader.defaultFeatureLength) {
        limit = min(max(1, featureLength), 1 << 30)
    }

    /// Reads the next bytes, and delivers the features that they complete.
    public mutating func read(_ bytes: Span<UInt8>, _ deliver: (Record) -> Void) {
        var leftover = Leftover()
        swap(&leftover, &self.leftover)
        leftover.read(bytes) { step(in: $0, at: $1, offset: $2, isLast: false, deliver) }
        swap(&leftover, &self.leftover)
    }

    /// Reads the next bytes, and returns the features that they complete.
    public mutating func read(_ bytes: [UInt8]) -> [Record] {
        var records: [Record] = []
        read(bytes.span) { records.append($0) }
        return records
    }

    /// Ends the file: delivers the failure of its end, if there is one.
    ///
    /// No bytes may be read afterward.
    public mutating func finish(_ deliver: (Record) -> Void) {
        var leftover = Leftover()
        swap(&leftover, &self.leftover)
        leftover.finish { step(in: $0, at: $1, offset: $2, isLast: true, deliver) }
        if mode == .features || mode == .tail { fail(.truncated, at: leftover.offset, deliver) }
        if !hasRead, !hasFailed { fail(.notGeoJSON, at: leftover.offset, deliver) }
        mode = .ended
    }

    /// Ends the file, and returns the last records; see ``finish(_:)``.
    public mutating func finish() -> [Record] {
        var records: [Record] = []
        finish { records.append($0) }
        return records
    }

    private mutating func step(
        in bytes: Span<UInt8>,
        at start: Int,
        offset: Int,
        isLast: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        switch mode {
        case .between: takeBetween(start, bytes, offset, isLast, deliver)
        case .object: takeObject(start, bytes, offset, isLast, deliver)
        case .features: takeBetweenFeatures(start, bytes, offset, deliver)
        case .feature: takeFeature(start, bytes, offset, isLast, deliver)
        case .tail: takeTail(start, bytes, offset, isLast, deliver)
        case .lost: findFeature(start, bytes, isLast)
        case .skippingLine: skipLine(start, bytes)
        case .ended: bytes.count
        }
    }
}

// The outermost level.
extension GeoJSONReader {
    private mutating func takeBetween(
        _ start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ isLast: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        let start = skipSpace(from: start, in: bytes)
        guard start < bytes.count else { return start }
        if bytes[start] == UInt8(ascii: "{") {
            mode = .object
            extent.begin()
            return start
        }
        if offset + start == 0, bytes[0] == 0xEF {
            guard bytes.count >= 3 || isLast else { return nil }
            if bytes.count >= 3, bytes[1] == 0xBB, bytes[2] == 0xBF { return 3 }
        }
        if hasRead || !hasFailed { fail(.notGeoJSON, at: offset + start, deliver) }
        mode = hasRead ? .skippingLine : .ended
        return start
    }

    private mutating func takeObject(
        _ start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ isLast: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        if isFeatureALine, extent.position == 0,
            let end = deliverFeature(at: start, bytes, offset, allowsGeometry: true, deliver)
        {
            mode = .between
            return end
        }
        switch extent.scan(at: start, in: bytes, limit: limit, isLast: isLast, watches: true) {
        case .incomplete: return nil
        case .closed(let end):
            let before = line
            parse(start..<end, bytes, offset, allowsGeometry: true, deliver)
            isFeatureALine = line == before
            mode = .between
            return end
        case .features(let bracket): return beginFeatures(start, bracket, bytes, offset, deliver)
        case .broken(let index):
            fail(start..<min(index + 1, bytes.count), bytes, offset, isTooLong: false, deliver)
            return resumeInNextLine(after: start, bytes, offset)
        case .tooLong:
            fail(start..<start + limit, bytes, offset, isTooLong: true, deliver)
            return resumeInNextLine(after: start, bytes, offset)
        }
    }

    /// Checks the text before the features.
    private mutating func beginFeatures(
        _ start: Int,
        _ bracket: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ deliver: (Record) -> Void
    ) -> Int {
        do throws(GeoJSONFailure) {
            let isCollection = try GeoJSONParser.parse(start..<bracket + 1, of: bytes) {
                parser throws(GeoJSONFailure) in
                try parser.scanHead(before: bracket)
                return parser.isType("FeatureCollection")
            }
            if isCollection == false { fail(.notGeoJSON, at: offset + start, deliver) }
            hasType = isCollection != nil
        } catch {
            fail(error.reason, at: offset + error.offset, deliver)
            hasType = true
        }
        countLines(start..<bracket, in: bytes)
        (mode, next, hasRead) = (.features, .first, true)
        return bracket + 1
    }

    /// Reads the text after the features, from the end of their array to the end of the collection.
    private mutating func takeTail(
        _ start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ isLast: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        switch extent.scan(at: start, in: bytes, limit: limit, isLast: isLast) {
        case .incomplete: return nil
        case .closed(let end):
            checkTail(start + 1..<end, bytes, offset, deliver)
            countLines(start..<end, in: bytes)
            (mode, isFeatureALine) = (.between, false)
            return end
        case .features, .broken, .tooLong:
            let isTruncated = start + extent.position == bytes.count && isLast
            fail(isTruncated ? .truncated : .notJSON, at: offset + start + extent.position, deliver)
            mode = .ended
            return bytes.count
        }
    }

    private mutating func checkTail(
        _ range: Range<Int>,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ deliver: (Record) -> Void
    ) {
        do throws(GeoJSONFailure) {
            let isCollection = try GeoJSONParser.parse(range, of: bytes) { parser throws(GeoJSONFailure) in
                try parser.scanTail()
                return parser.isType("FeatureCollection") == true
            }
            if !hasType, !isCollection {
                fail(.notGeoJSON, at: offset + range.lowerBound, deliver)
            }
        } catch {
            fail(error.reason, at: offset + error.offset, deliver)
        }
    }

    private mutating func resumeInNextLine(after start: Int, _ bytes: Span<UInt8>, _ offset: Int) -> Int {
        let scanned = start + extent.position
        var end = start
        while end < scanned, bytes[end] != 0x0A { end += 1 }
        mode = .skippingLine
        guard end < scanned, mayReadAgain(scanned - end, at: offset + start) else {
            countLines(start..<scanned, in: bytes)
            return scanned
        }
        return end
    }

    private mutating func skipLine(_ start: Int, _ bytes: Span<UInt8>) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
        guard end < bytes.count else { return end }
        mode = .between
        return end
    }
}
