/// The range of a string in a JSON text, not yet decoded.
///
/// `JSONScanner` makes one where it has found a string, whose bytes it has checked: UTF-8, escapes, and surrogates if asked.
/// The functions must get the same bytes; they then never fail or trap. Compare by ``equals(_:in:)`` or ``utf8(in:)``, never
/// as `String`, which takes different bytes for equal (`Scripts/check-sources`, decision 1).
///
/// How a string is decoded may change (`JSONScannerTests`, `make test-fuzz`); what equals what may not.
package struct JSONString: Hashable, Sendable {
    /// The bytes between the quotes.
    package let range: Range<Int>

    /// Whether the string contains a backslash.
    package let hasEscapes: Bool

    /// Creates a string that was scanned before.
    package init(range: Range<Int>, hasEscapes: Bool) {
        (self.range, self.hasEscapes) = (range, hasEscapes)
    }

    /// Decodes the string.
    package func text(in bytes: UnsafeRawBufferPointer) -> String {
        hasEscapes
            ? String(decoding: unescaped(bytes), as: UTF8.self)
            : String(decoding: bytes[range], as: UTF8.self)
    }

    /// Decodes the string to UTF-8, for exact comparison: `String` considers a composed and a decomposed é
    /// equal.
    package func utf8(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        hasEscapes ? unescaped(bytes) : [UInt8](bytes[range])
    }

    /// The string as a name: 1 to 64 bytes of visible ASCII; `nil` for another one.
    package func name(in bytes: UnsafeRawBufferPointer) -> String? {
        hasEscapes ? unescaped(bytes).name() : bytes[range].name()
    }

    /// The name, or the beginning of a string that can't be one, with an ellipsis: that is like no name, whatever Unicode
    /// says about its characters.
    package func shown(in bytes: UnsafeRawBufferPointer) -> String {
        name(in: bytes) ?? utf8(in: bytes).excerpt + "…"
    }

    /// Whether the decoded string equals `word`, which must contain no escapes.
    @inlinable
    package func equals(_ word: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard !hasEscapes else { return utf8(in: bytes).is(word) }
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where bytes[range.lowerBound + index] != word.utf8Start[index] {
            return false
        }
        return true
    }

    var compactRange: Range<Int32>? {
        guard range.upperBound <= Int32.max else { return nil }
        return Int32(range.lowerBound)..<Int32(range.upperBound)
    }

    /// Finds the closing quote, checking escapes and UTF-8; checks for unpaired surrogates only if
    /// `refusesHalfPairs` is set.
    static func scan(
        _ bytes: UnsafeRawBufferPointer,
        openingQuote: Int,
        refusesHalfPairs: Bool
    ) throws(JSONFault) -> JSONString {
        let start = openingQuote + 1
        var offset = start
        var hasEscapes = false
        while true {
            offset = PlainBytes.end(in: bytes, from: offset)
            guard offset < bytes.count else { break }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                return JSONString(range: start..<offset, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                offset = try skipEscape(bytes, offset, refusesHalfPairs)
            case 0..<0x20:
                throw JSONFault(reason: .invalidString, offset: offset)
            default:
                guard let length = UTF8Sequence.length(bytes, at: offset) else {
                    throw JSONFault(reason: .invalidUTF8, offset: offset)
                }
                offset += length
            }
        }
        throw JSONFault(reason: .truncated, offset: bytes.count)
    }

    private static func skipEscape(
        _ bytes: UnsafeRawBufferPointer,
        _ backslash: Int,
        _ refusesHalfPairs: Bool
    ) throws(JSONFault) -> Int {
        guard backslash + 1 < bytes.count else { throw JSONFault(reason: .truncated, offset: bytes.count) }
        switch bytes[backslash + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            guard let unit = hexadecimal(bytes, backslash + 2) else {
                throw JSONFault(reason: .invalidString, offset: backslash)
            }
            guard refusesHalfPairs, UTF16.isSurrogate(unit) else { return backslash + 6 }
            guard UTF16.isLeadSurrogate(unit), trailSurrogate(bytes, backslash + 6) != nil else {
                throw JSONFault(reason: .halfPair, offset: backslash)
            }
            return backslash + 12
        default:
            throw JSONFault(reason: .invalidString, offset: backslash)
        }
    }

    /// The trail surrogate whose escape begins at `backslash`, or `nil` if there is none.
    private static func trailSurrogate(_ bytes: UnsafeRawBufferPointer, _ backslash: Int) -> UInt16? {
        guard backslash + 1 < bytes.count, bytes[backslash] == UInt8(ascii: "\\"),
            bytes[backslash + 1] == UInt8(ascii: "u"), let unit = hexadecimal(bytes, backslash + 2),
            UTF16.isTrailSurrogate(unit)
        else { return nil }
        return unit
    }

    private static func hexadecimal(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt16? {
        guard start + 4 <= bytes.count else { return nil }
        var value: UInt16 = 0
        for byte in bytes[start..<start + 4] {
            guard let digit = digit(byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The bytes with escapes decoded; an unpaired surrogate becomes U+FFFD.
    private func unescaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard bytes[offset] == UInt8(ascii: "\\") else {
                result.append(bytes[offset])
                offset += 1
                continue
            }
            offset += Self.resolve(bytes, offset, into: &result)
        }
        return result
    }

    /// Appends the character that the escape at `offset` stands for, and returns the length of the escape.
    private static func resolve(_ bytes: UnsafeRawBufferPointer, _ offset: Int, into result: inout [UInt8])
        -> Int
    {
        switch bytes[offset + 1] {
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"): return resolveUnicode(bytes, offset, into: &result)
        default: result.append(bytes[offset + 1])
        }
        return 2
    }

    private static func resolveUnicode(
        _ bytes: UnsafeRawBufferPointer,
        _ offset: Int,
        into result: inout [UInt8]
    ) -> Int {
        let unit = hexadecimal(bytes, offset + 2) ?? 0xFFFD
        if UTF16.isLeadSurrogate(unit), let low = trailSurrogate(bytes, offset + 6) {
            let scalar = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
            result.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
            return 12
        }
        result.append(contentsOf: String(Unicode.Scalar(UInt32(unit)) ?? "\u{FFFD}").utf8)
        return 6
    }
}
