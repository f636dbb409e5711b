/// Finds the end of an object or array by its brackets and quotes alone, in bytes that may break off
/// anywhere.
///
/// `GeoJSONReader` has one, and scans with it each piece before `GeoJSONParser` reads the whole value; so no value is parsed
/// before its end is there. A value found `closed` may still be invalid. `broken` and `tooLong` become the feature's failure,
/// and the reader searches for the next one. Nothing traps. At most 64 levels are followed; the parser refuses deeper ones
/// than 34 itself (`GeoJSONTests`, `make test-fuzz`).
///
/// That it finds the end of every valid value must stay. What else it takes for broken may change: it decides how early an
/// error is found.
struct GeoJSONExtent: Sendable {
    enum Outcome {
        /// The value continues beyond the bytes.
        case incomplete

        /// The value ends before a position.
        case closed(end: Int)

        /// The bracket of the outermost object's `features` is at a position.
        case features(at: Int)

        /// The byte at a position is invalid there, or the bytes end.
        case broken(at: Int)
        case tooLong
    }

    /// The number of bytes of the value that were scanned.
    private(set) var position = 0

    /// The number of open brackets, and a bit for each that is an object's.
    private var depth = 0
    private var objects = UInt64(0)
    private var isInString = false
    private var isEscaped = false

    /// Begins at the first byte of a value.
    mutating func begin() {
        self = GeoJSONExtent()
    }

    /// Begins inside an object, after a byte that isn't examined.
    mutating func beginInObject() {
        self = GeoJSONExtent()
        (position, depth, objects) = (1, 1, 1)
    }

    /// Continues with the value that begins at a position.
    ///
    /// If `watches` is set, it stops at the outermost object's `features`.
    mutating func scan(
        at start: Int,
        in bytes: Span<UInt8>,
        limit: Int,
        isLast: Bool,
        watches: Bool = false
    ) -> Outcome {
        let end = min(bytes.count, start + limit)
        var index = start + position
        defer { position = index - start }
        while index < end {
            let byte = bytes[index]
            if isInString {
                guard take(inString: byte) else { return .broken(at: index) }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    guard mayOpen(at: index, from: start, in: bytes) else { return .broken(at: index) }
                    if watches, depth == 1, Self.isFeatures(index, from: start, in: bytes) {
                        return .features(at: index)
                    }
                    objects = objects << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
                    depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard (objects & 1 == 1) == (byte == UInt8(ascii: "}")) else { return .broken(at: index) }
                    objects >>= 1
                    depth -= 1
                    if depth == 0 {
                        index += 1
                        return .closed(end: index)
                    }
                default: break
                }
            }
            index += 1
        }
        if index - start >= limit { return .tooLong }
        return isLast ? .broken(at: index) : .incomplete
    }

    /// - Returns: Whether the byte is allowed in a string.
    private mutating func take(inString byte: UInt8) -> Bool {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        } else {
            isEscaped = byte == UInt8(ascii: "\\")
        }
        return byte >= 0x20
    }

    /// Whether a value may begin at a position.
    ///
    /// After a missing bracket the next value is mostly invalid there, so the error is found early.
    private func mayOpen(at index: Int, from start: Int, in bytes: Span<UInt8>) -> Bool {
        guard depth > 0 else { return true }
        guard depth < 64 else { return false }
        let before = bytes[Self.lastByte(before: index, from: start, in: bytes)]
        if objects & 1 == 1 { return before == UInt8(ascii: ":") }
        return before == UInt8(ascii: "[") || before == UInt8(ascii: ",")
    }

    /// Whether `"features":` precedes a position.
    private static func isFeatures(_ index: Int, from start: Int, in bytes: Span<UInt8>) -> Bool {
        guard bytes[index] == UInt8(ascii: "[") else { return false }
        let colon = lastByte(before: index, from: start, in: bytes)
        let quote = lastByte(before: colon, from: start, in: bytes)
        return quote - 9 > start && XMLCharacters.equal("\"features\"", at: quote - 9, in: bytes)
    }

    /// The position of the last byte before a position that isn't white space.
    private static func lastByte(before index: Int, from start: Int, in bytes: Span<UInt8>) -> Int {
        var last = max(start, index - 1)
        while last > start, XMLCharacters.isSpace(bytes[last]) { last -= 1 }
        return last
    }
}
