/// Scans JSON (RFC 8259) that is completely in memory, without decoding values.
///
/// Strict: exactly the grammar, UTF-8 checked, no duplicate key in an object (compared without escapes),
/// nested at most 34 deep. Positions and the offsets of failures are indexes into the bytes.
struct GeoJSONScanner {
    /// A feature, its properties, and 32 levels in each of these.
    static let depthLimit = 34

    /// The range of a string, between its quotes.
    struct Text: Hashable {
        let range: Range<Int>
        let hasEscapes: Bool
    }

    /// The members of an object that is being read.
    struct Members {
        fileprivate var keys = GeoJSONKeys()
        fileprivate var isFirst = true
    }

    private(set) var position: Int
    let end: Int
    private var depth: Int

    /// The position where the last value ended, before the white space after it.
    private(set) var lastEnd = 0

    /// Begins at the first byte of a range that isn't white space.
    init(_ range: Range<Int>, depth: Int = 0, in bytes: Span<UInt8>) {
        (position, end, self.depth) = (range.lowerBound, range.upperBound, depth)
        skipSpace(in: bytes)
    }

    var isAtEnd: Bool { position == end }

    /// The next byte that isn't white space; zero at the end.
    @inline(__always)
    func next(in bytes: Span<UInt8>) -> UInt8 { position < end ? bytes[position] : 0 }

    func fault(_ reason: GeoJSONFailure.Reason = .notJSON) -> GeoJSONFailure {
        GeoJSONFailure(position < end ? reason : .truncated, at: position)
    }

    @inline(__always)
    mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        guard next(in: bytes) == byte else { throw fault() }
        finish(at: position + 1, in: bytes)
    }

    @inline(__always)
    mutating func takeIfNext(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        guard next(in: bytes) == byte else { return false }
        finish(at: position + 1, in: bytes)
        return true
    }

    /// Skips a value and returns its range.
    mutating func value(in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Range<Int> {
        let start = position
        switch next(in: bytes) {
        case UInt8(ascii: "{"):
            var members = try beginObject(in: bytes)
            while try nextKey(&members, in: bytes) != nil { _ = try value(in: bytes) }
        case UInt8(ascii: "["):
            try beginArray(in: bytes)
            var isFirst = true
            while try nextElement(&isFirst, in: bytes) { _ = try value(in: bytes) }
        case UInt8(ascii: "\""): _ = try string(in: bytes)
        case UInt8(ascii: "t"): try literal("true", in: bytes)
        case UInt8(ascii: "f"): try literal("false", in: bytes)
        case UInt8(ascii: "n"): try literal("null", in: bytes)
        default: _ = try number(in: bytes)
        }
        return start..<lastEnd
    }

    /// Reads `null` if it is next; returns whether it was.
    mutating func takeNull(in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Bool {
        guard next(in: bytes) == UInt8(ascii: "n") else { return false }
        try literal("null", in: bytes)
        return true
    }

    /// Reads an object's opening bracket; then read its members until there is no next key.
    mutating func beginObject(in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Members {
        try descend(UInt8(ascii: "{"), in: bytes)
        return Members()
    }

    /// Reads the next member's key, or the object's end, for which it returns `nil`.
    mutating func nextKey(_ members: inout Members, in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Text? {
        if next(in: bytes) == UInt8(ascii: "}") {
            ascend(in: bytes)
            return nil
        }
        if !members.isFirst { try take(UInt8(ascii: ","), in: bytes) }
        members.isFirst = false
        let start = position
        let key = try string(in: bytes)
        guard members.keys.insert(key, in: bytes) else { throw GeoJSONFailure(.duplicateKey, at: start) }
        try take(UInt8(ascii: ":"), in: bytes)
        return key
    }

    /// Reads an array's opening bracket; then read its elements until there is no next one.
    mutating func beginArray(in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        try descend(UInt8(ascii: "["), in: bytes)
    }

    /// Whether another element follows; reads the comma before the element, or the array's end.
    mutating func nextElement(_ isFirst: inout Bool, in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Bool {
        if next(in: bytes) == UInt8(ascii: "]") {
            ascend(in: bytes)
            return false
        }
        if !isFirst { try take(UInt8(ascii: ","), in: bytes) }
        isFirst = false
        return true
    }

    private mutating func descend(_ bracket: UInt8, in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        guard next(in: bytes) == bracket else { throw fault() }
        guard depth < Self.depthLimit else { throw fault(.tooDeep) }
        depth += 1
        finish(at: position + 1, in: bytes)
    }

    private mutating func ascend(in bytes: Span<UInt8>) {
        depth -= 1
        finish(at: position + 1, in: bytes)
    }

    @inline(__always)
    private mutating func finish(at end: Int, in bytes: Span<UInt8>) {
        position = end
        lastEnd = end
        skipSpace(in: bytes)
    }

    @inline(__always)
    private mutating func skipSpace(in bytes: Span<UInt8>) {
        while position < end, XMLCharacters.isSpace(bytes[position]) { position += 1 }
    }
}

// Scalars.
extension GeoJSONScanner {
    private mutating func literal(_ word: StaticString, in bytes: Span<UInt8>) throws(GeoJSONFailure) {
        let count = word.utf8CodeUnitCount
        for index in 0..<count {
            guard position + index < end else { throw GeoJSONFailure(.truncated, at: end) }
            guard bytes[position + index] == word.utf8Start[index] else { throw fault() }
        }
        finish(at: position + count, in: bytes)
    }

    /// Skips a number and returns its range.
    mutating func number(in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Range<Int> {
        let start = position
        var index = position
        if index < end, bytes[index] == UInt8(ascii: "-") { index += 1 }
        if index < end, bytes[index] == UInt8(ascii: "0") {
            index += 1
        } else {
            index = try digits(from: index, in: bytes)
        }
        if index < end, bytes[index] == UInt8(ascii: ".") { index = try digits(from: index + 1, in: bytes) }
        if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            index = try digits(from: index, in: bytes)
        }
        finish(at: index, in: bytes)
        return start..<index
    }

    private func digits(from start: Int, in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Int {
        var index = start
        while index < end, (0x30...0x39).contains(bytes[index]) { index += 1 }
        guard index > start else { throw GeoJSONFailure(index < end ? .notJSON : .truncated, at: index) }
        return index
    }

    /// Reads a string, checking its escapes and UTF-8.
    mutating func string(in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Text {
        guard next(in: bytes) == UInt8(ascii: "\"") else { throw fault() }
        let start = position + 1
        var (index, hasEscapes) = (start, false)
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                finish(at: index + 1, in: bytes)
                return Text(range: start..<index, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                index = try endOfEscape(at: index, in: bytes)
            case 0..<0x20: throw GeoJSONFailure(.notJSON, at: index)
            case 0x20..<0x80: index += 1
            default:
                guard let length = UTF8Text.lengthOfCharacter(at: index, in: bytes), index + length <= end
                else {
                    throw GeoJSONFailure(.notUTF8, at: index)
                }
                index += length
            }
        }
        throw GeoJSONFailure(.truncated, at: end)
    }

    private func endOfEscape(at backslash: Int, in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Int {
        guard backslash + 1 < end else { throw GeoJSONFailure(.truncated, at: end) }
        switch bytes[backslash + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            for index in backslash + 2..<backslash + 6 {
                guard index < end else { throw GeoJSONFailure(.truncated, at: end) }
                guard Self.digit(bytes[index]) != nil else { throw GeoJSONFailure(.notJSON, at: index) }
            }
            return try endOfUnit(at: backslash, in: bytes)
        default: throw GeoJSONFailure(.notJSON, at: backslash + 1)
        }
    }

    /// The position after the character whose first UTF-16 escape is at `backslash`.
    private func endOfUnit(at backslash: Int, in bytes: Span<UInt8>) throws(GeoJSONFailure) -> Int {
        let unit = Self.unit(at: backslash + 2, in: bytes)
        guard UTF16.isSurrogate(unit) else { return backslash + 6 }
        let next = backslash + 6
        let half = GeoJSONFailure(.halfPair, at: backslash)
        for index in next..<next + 6 {
            guard index < end else { throw GeoJSONFailure(.truncated, at: end) }
            let fits =
                switch index - next {
                case 0: bytes[index] == UInt8(ascii: "\\")
                case 1: bytes[index] == UInt8(ascii: "u")
                default: Self.digit(bytes[index]) != nil
                }
            guard fits else { throw half }
        }
        guard UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(Self.unit(at: next + 2, in: bytes)) else {
            throw half
        }
        return next + 6
    }

    fileprivate static func unit(at start: Int, in bytes: Span<UInt8>) -> UInt16 {
        var unit = UInt16(0)
        for index in start..<start + 4 { unit = unit << 4 | (digit(bytes[index]) ?? 0) }
        return unit
    }

    fileprivate static func digit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case 0x30...0x39: UInt16(byte - 0x30)
        case 0x41...0x46: UInt16(byte - 0x41 + 10)
        case 0x61...0x66: UInt16(byte - 0x61 + 10)
        default: nil
        }
    }
}

extension GeoJSONScanner.Text {
    /// Whether the decoded string equals an ASCII word; only a string with escapes is decoded for it.
    func equals(_ word: StaticString, in bytes: Span<UInt8>) -> Bool {
        hasEscapes ? string(in: bytes) == word.description : XMLCharacters.equal(word, range, in: bytes)
    }

    /// Decodes the string.
    func string(in bytes: Span<UInt8>) -> String {
        hasEscapes
            ? String(decoding: utf8(in: bytes), as: UTF8.self) : UTF8Text.string(bytes.extracting(range))
    }

    /// Decodes the string to UTF-8.
    func utf8(in bytes: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            if bytes[position] == UInt8(ascii: "\\") {
                position = resolveEscape(at: position, in: bytes, into: &result)
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    /// - Returns: The position after the escape.
    private func resolveEscape(at backslash: Int, in bytes: Span<UInt8>, into result: inout [UInt8]) -> Int {
        switch bytes[backslash + 1] {
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"): return resolveUnit(at: backslash, in: bytes, into: &result)
        default: result.append(bytes[backslash + 1])
        }
        return backslash + 2
    }

    private func resolveUnit(at backslash: Int, in bytes: Span<UInt8>, into result: inout [UInt8]) -> Int {
        let lead = GeoJSONScanner.unit(at: backslash + 2, in: bytes)
        var (value, next) = (UInt32(lead), backslash + 6)
        if UTF16.isLeadSurrogate(lead), next + 6 <= range.upperBound, bytes[next] == UInt8(ascii: "\\"),
            bytes[next + 1] == UInt8(ascii: "u")
        {
            let trail = GeoJSONScanner.unit(at: next + 2, in: bytes)
            if UTF16.isTrailSurrogate(trail) {
                value = 0x10000 + (value - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
                next += 6
            }
        }
        result.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
        return next
    }
}

/// The keys of one object read so far: the first few compared one by one, without allocating, then a set.
struct GeoJSONKeys {
    private var few: InlineArray<8, Range<Int>> = .init(repeating: 0..<0)
    private var count = 0
    private var many: Set<[UInt8]> = []

    /// Adds a key; returns `false` if it is a duplicate.
    mutating func insert(_ key: GeoJSONScanner.Text, in bytes: Span<UInt8>) -> Bool {
        if many.isEmpty, !key.hasEscapes, count < 8 {
            for index in 0..<count where Self.equal(few[index], key.range, in: bytes) { return false }
            few[count] = key.range
            count += 1
            return true
        }
        if many.isEmpty {
            for index in 0..<count {
                many.insert(GeoJSONScanner.Text(range: few[index], hasEscapes: false).utf8(in: bytes))
            }
        }
        return many.insert(key.utf8(in: bytes)).inserted
    }

    private static func equal(_ left: Range<Int>, _ right: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in 0..<left.count
        where bytes[left.lowerBound + index] != bytes[right.lowerBound + index] { return false }
        return true
    }
}
