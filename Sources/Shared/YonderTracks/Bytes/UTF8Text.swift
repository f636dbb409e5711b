import YonderJSON

/// Well-formed UTF-8 and the bytes of ASCII texts.
///
/// The readers of CSV and XML call it for each row or file. It can't fail: a fault is a position, which the reader puts into
/// its failure. What counts as UTF-8 is the Unicode standard's table, in `UTF8Sequence`, and must stay; comparing eight bytes
/// at a time decides speed alone (`CSVTests`, `GPXReaderTests`).
enum UTF8Text {
    /// The length of the character at a position, or `nil` if there is none, by table 3-7 of the Unicode
    /// standard.
    static func lengthOfCharacter(at start: Int, in bytes: Span<UInt8>) -> Int? {
        bytes[start] < 0x80 ? 1 : bytes.withUnsafeBytes { UTF8Sequence.length($0, at: start) }
    }

    /// The position of the first byte that isn't UTF-8, or that is zero unless zero is allowed.
    ///
    /// `nil` if there is none.
    static func firstFault(in bytes: Span<UInt8>, allowsZero: Bool = false) -> Int? {
        var position = 0
        while position < bytes.count {
            if position + 8 <= bytes.count, isPlain(word(at: position, in: bytes)) {
                position += 8
                continue
            }
            guard bytes[position] != 0 || allowsZero, let length = lengthOfCharacter(at: position, in: bytes)
            else {
                return position
            }
            position += length
        }
        return nil
    }

    /// The eight bytes from a position; the first is the lowest.
    @inline(__always)
    static func word(at position: Int, in bytes: Span<UInt8>) -> UInt64 {
        UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// The highest bit of the first byte in a word that equals `byte`, and possibly of later ones; 0 if no
    /// byte does.
    ///
    /// After *Bit Twiddling Hacks*, "determine if a word has a zero byte".
    @inline(__always)
    static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let ones = UInt64.max / 255
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & (ones &* 0x80)
    }

    /// Whether all eight bytes lie in `0x01..<0x80`.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        word & (UInt64.max / 255 &* 0x80) == 0 && matches(word, 0) == 0
    }

    /// Decodes UTF-8; invalid bytes become U+FFFD.
    static func string(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    /// Appends a copy of bytes.
    mutating func append(copyOf bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
