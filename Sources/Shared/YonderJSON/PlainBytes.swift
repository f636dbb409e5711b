/// Finds the end of a run of bytes that need no attention in a JSON string, eight bytes at a time.
///
/// `JSONString` scans and `JSONWriter` escapes with it: most of a frame's bytes pass here. It can't fail and reads no byte
/// beyond the end. Which bytes stop it must stay, as the callers handle these alone; how eight bytes are compared decides
/// speed (`PlainBytesTests`).
enum PlainBytes {
    /// The offset of the first byte at or after `offset` that is a quote, a backslash, a control character, or
    /// not ASCII; the count of `bytes` if there is none.
    @inline(__always)
    static func end(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
        end(in: bytes, from: offset, alsoStoppingAt: highBits)
    }

    /// The offset of the first byte at or after `offset` that a JSON string must escape: a quote, a backslash
    /// or a control character; the count of `bytes` if there is none.
    @inline(__always)
    static func unescapedEnd(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
        end(in: bytes, from: offset, alsoStoppingAt: 0)
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101

    @inline(__always)
    private static func end(
        in bytes: UnsafeRawBufferPointer,
        from offset: Int,
        alsoStoppingAt bits: UInt64
    ) -> Int {
        var offset = offset
        while offset + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let marks = marks(word, bits)
            if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count, marks(UInt64(bytes[offset]) | padding, bits) == 0 { offset += 1 }
        return offset
    }

    /// Seven spaces behind one byte.
    private static let padding: UInt64 = 0x2020_2020_2020_2000

    /// Sets the highest bit of each byte that ends a run.
    ///
    /// Only the lowest bit that is set is reliable: the subtractions borrow from the bytes above it.
    @inline(__always)
    private static func marks(_ word: UInt64, _ bits: UInt64) -> UInt64 {
        let quotes = word ^ (lowBits &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (lowBits &* UInt64(UInt8(ascii: "\\")))
        let controls = (word &- lowBits &* 0x20) & ~word
        let found = ((quotes &- lowBits) & ~quotes) | ((backslashes &- lowBits) & ~backslashes) | controls
        return (found & highBits) | (word & bits)
    }
}
