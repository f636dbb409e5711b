/// The classes of bytes and characters in XML.
///
/// `XMLScanner`, `XMLContent` and `GPXReader` ask it about bytes; the readers of GeoJSON use ``isSpace(_:)``.
/// ``validate(_:)`` is called once for a file, before anything else, and throws with the offset of the first byte that isn't
/// UTF-8 or is forbidden; so the others need no checks of UTF-8. The classes are XML 1.0's, with all characters beyond ASCII
/// in names, and must stay (`GPXReaderTests`).
///
/// Comparing eight bytes at a time decides speed alone, and may change.
enum XMLCharacters {
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    @inline(__always)
    static func beginsName(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return (0x61...0x7A).contains(letter) || byte >= 0x80 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: ":")
    }

    @inline(__always)
    static func continuesName(_ byte: UInt8) -> Bool {
        beginsName(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    /// Whether a character may occur at all, by XML 1.0's production `Char`.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// Throws unless all bytes are UTF-8 of allowed characters.
    static func validate(_ bytes: Span<UInt8>) throws(TrackFileFailure) {
        var (isASCII, index) = (true, 0)
        while index < bytes.count {
            if index + 8 <= bytes.count,
                isPlain(bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            {
                index += 8
                continue
            }
            for _ in 0..<min(8, bytes.count - index) {
                let byte = bytes[index]
                if byte < 0x20, !isSpace(byte) { throw TrackFileFailure(.notWellFormed, at: index) }
                if byte >= 0x80 { isASCII = false }
                index += 1
            }
        }
        if !isASCII { try validateUTF8(bytes) }
    }

    /// Whether all eight bytes lie in `0x20..<0x80`.
    ///
    /// After *Bit Twiddling Hacks*, "determine if a word has a byte less than n".
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones = UInt64.max / 255
        return (((word &- ones &* 0x20) & ~word) | word) & (ones &* 0x80) == 0
    }

    /// Checks sequences of bytes against table 3-7 of the Unicode standard.
    private static func validateUTF8(_ bytes: Span<UInt8>) throws(TrackFileFailure) {
        var position = 0
        while position < bytes.count {
            if bytes[position] < 0x80 {
                position += 1
                continue
            }
            guard let length = UTF8Text.lengthOfCharacter(at: position, in: bytes) else {
                throw TrackFileFailure(.notUTF8, at: position)
            }
            // U+FFFE and U+FFFF.
            if bytes[position] == 0xEF, bytes[position + 1] == 0xBF, bytes[position + 2] >= 0xBE {
                throw TrackFileFailure(.notWellFormed, at: position)
            }
            position += length
        }
    }

    /// Whether an ASCII text is at a position.
    @inline(__always)
    static func equal(_ text: StaticString, at start: Int, in bytes: Span<UInt8>) -> Bool {
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count else { return false }
        for index in 0..<count where text.utf8Start[index] != bytes[start + index] { return false }
        return true
    }

    /// Whether a range holds exactly an ASCII text.
    @inline(__always)
    static func equal(_ text: StaticString, _ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        text.utf8CodeUnitCount == range.count && equal(text, at: range.lowerBound, in: bytes)
    }
}
