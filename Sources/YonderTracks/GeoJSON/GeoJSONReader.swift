// Long: one state machine, whose steps share all of its state.

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
public struct GeoJSONReader: Sendable {
    /// A feature or its failure.
    public typealias Record = FileRecord<GeoJSONFeature, GeoJSONFailure>

    /// The default limit for a feature's length in bytes: 4 MiB.
    public static let defaultFeatureLength = 4 << 20

    private enum Mode {
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
    private enum Next {
        case first, feature, comma, anything
    }

    private let limit: Int
    private var leftover = Leftover()
    private var mode = Mode.between
    private var next = Next.first
    private var extent = GeoJSONExtent()
    private var line = 1

    /// Whether the collection's `type` was read.
    private var hasType = false

    /// Whether the previous value contained no line end.
    private var isFeatureALine = false
    private var hasRead = false
    private var hasFailed = false

    /// The number of bytes read more than once.
    private var bytesReadAgain = 0

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

// A collection.
extension GeoJSONReader {
    private mutating func takeBetweenFeatures(
        _ start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ deliver: (Record) -> Void
    ) -> Int {
        let start = skipSpace(from: start, in: bytes)
        guard start < bytes.count else { return start }
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if next == .comma { fail(.notJSON, at: offset + start, deliver) }
            mode = .feature
            extent.begin()
            return start
        case UInt8(ascii: "]"):
            if next == .feature { fail(.notJSON, at: offset + start, deliver) }
            mode = .tail
            extent.beginInObject()
            return start
        case UInt8(ascii: ","):
            if next == .first || next == .feature { fail(.notJSON, at: offset + start, deliver) }
            next = .feature
            return start + 1
        default:
            if next != .anything { fail(.notFeature, at: offset + start, deliver) }
            next = .anything
            return start + 1
        }
    }

    private mutating func takeFeature(
        _ start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ isLast: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        next = .comma
        if extent.position == 0,
            let end = deliverFeature(at: start, bytes, offset, allowsGeometry: false, deliver)
        {
            mode = .features
            return end
        }
        switch extent.scan(at: start, in: bytes, limit: limit, isLast: isLast) {
        case .incomplete: return nil
        case .closed(let end):
            parse(start..<end, bytes, offset, allowsGeometry: false, deliver)
            mode = .features
            return end
        case .broken(let index), .features(let index):
            fail(start..<min(index + 1, bytes.count), bytes, offset, isTooLong: false, deliver)
        case .tooLong: fail(start..<start + limit, bytes, offset, isTooLong: true, deliver)
        }
        mode = .lost
        if mayReadAgain(extent.position, at: offset + start) { return start + 1 }
        countLines(start..<start + extent.position, in: bytes)
        return start + extent.position
    }

    /// Searches for the beginning of a feature as most programs write it.
    private mutating func findFeature(_ start: Int, _ bytes: Span<UInt8>, _ isLast: Bool) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{") {
                guard isLast || index + 64 <= bytes.count else {
                    countLines(start..<index, in: bytes)
                    return index > start ? index : nil
                }
                if Self.isFeature(index, in: bytes) {
                    countLines(start..<index, in: bytes)
                    mode = .feature
                    extent.begin()
                    return index
                }
            }
            index += 1
        }
        countLines(start..<index, in: bytes)
        if isLast { mode = .ended }
        return index
    }

    /// Whether the 64 bytes from a position begin with `{"type": "Feature"`, with white space anywhere.
    private static func isFeature(_ start: Int, in bytes: Span<UInt8>) -> Bool {
        bytes.extracting(start + 1..<min(bytes.count, start + 64)).withUnsafeBytes { text in
            var scanner = JSONScanner(text, refusesHalfPairs: true)
            guard let key = try? scanner.string(), key.equals("type", in: text) else { return false }
            guard scanner.takeIfNext(UInt8(ascii: ":")), let type = try? scanner.string() else {
                return false
            }
            return type.equals("Feature", in: text)
        }
    }
}

// Features.
extension GeoJSONReader {
    /// Delivers the feature at a position if it is complete and valid, so that its bytes are scanned only
    /// once.
    ///
    /// - Returns: The end of the feature, or `nil` if the end must be found first.
    private mutating func deliverFeature(
        at start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        allowsGeometry: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        let range = start..<min(bytes.count, start + limit)
        guard let (feature, end) = try? Self.feature(in: range, bytes, allowsGeometry: allowsGeometry) else {
            return nil
        }
        take(feature, start..<end, bytes, offset, deliver)
        return end
    }

    /// Returns the feature at the beginning of a range, and its end.
    private static func feature(
        in range: Range<Int>,
        _ bytes: Span<UInt8>,
        allowsGeometry: Bool
    ) throws(GeoJSONFailure) -> (GeoJSONFeature, end: Int) {
        try GeoJSONParser.parse(range, of: bytes) { parser throws(GeoJSONFailure) in
            try parser.scan()
            return (try parser.feature(allowsGeometry: allowsGeometry), parser.end)
        }
    }

    /// Delivers the feature in a range, or its failure.
    private mutating func parse(
        _ range: Range<Int>,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        allowsGeometry: Bool,
        _ deliver: (Record) -> Void
    ) {
        do throws(GeoJSONFailure) {
            let (feature, _) = try Self.feature(in: range, bytes, allowsGeometry: allowsGeometry)
            take(feature, range, bytes, offset, deliver)
        } catch {
            fail(error.reason, at: offset + error.offset, from: offset + range.lowerBound, deliver)
            countLines(range, in: bytes)
        }
    }

    private mutating func take(
        _ feature: GeoJSONFeature,
        _ range: Range<Int>,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ deliver: (Record) -> Void
    ) {
        hasRead = true
        deliver(Record(offset: offset + range.lowerBound, line: line, result: .success(feature)))
        countLines(range, in: bytes)
    }

    /// Delivers the failure of a value with an invalid end.
    private mutating func fail(
        _ range: Range<Int>,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        isTooLong: Bool,
        _ deliver: (Record) -> Void
    ) {
        let start = offset + range.lowerBound
        do throws(GeoJSONFailure) {
            try GeoJSONParser.parse(range, of: bytes) { parser throws(GeoJSONFailure) in try parser.scan() }
            fail(.notJSON, at: start, deliver)
        } catch {
            let isCut = isTooLong && error.reason == .truncated
            fail(isCut ? .tooLong : error.reason, at: offset + error.offset, from: start, deliver)
        }
    }

    private mutating func fail(
        _ reason: GeoJSONFailure.Reason,
        at offset: Int,
        from start: Int? = nil,
        _ deliver: (Record) -> Void
    ) {
        hasFailed = true
        let failure = GeoJSONFailure(reason, at: offset)
        deliver(Record(offset: start ?? offset, line: line, result: .failure(failure)))
    }

    /// Bounds the total to twice the length of the file, and a few features of the greatest length.
    private mutating func mayReadAgain(_ count: Int, at offset: Int) -> Bool {
        guard bytesReadAgain + count <= offset + 4 * limit else { return false }
        bytesReadAgain += count
        return true
    }

    /// Skips white space, and the record separator of RFC 8142.
    private mutating func skipSpace(from start: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < bytes.count, XMLCharacters.isSpace(bytes[index]) || bytes[index] == 0x1E {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
        return index
    }

    private mutating func countLines(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var count = 0
        bytes.extracting(range).withUnsafeBufferPointer { for byte in $0 where byte == 0x0A { count &+= 1 } }
        line += count
    }
}
