/// Well-formed UTF-8 (Unicode 15, table 3-7).
///
/// `JSONString` and `UTF8Text` of the track readers ask it; the table is Unicode's and must stay (`JSONScannerTests`,
/// `CSVTests`).
package enum UTF8Sequence {
    /// The length of the well-formed sequence at `offset`, or `nil` if there is none.
    package static func length(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        let lead = bytes[offset]
        switch lead {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: return continues(bytes, offset, 1, 0x80...0xBF)
        case 0xE0: return continues(bytes, offset, 2, 0xA0...0xBF)
        case 0xED: return continues(bytes, offset, 2, 0x80...0x9F)
        case 0xE1...0xEF: return continues(bytes, offset, 2, 0x80...0xBF)
        case 0xF0: return continues(bytes, offset, 3, 0x90...0xBF)
        case 0xF1...0xF3: return continues(bytes, offset, 3, 0x80...0xBF)
        case 0xF4: return continues(bytes, offset, 3, 0x80...0x8F)
        default: return nil
        }
    }

    /// Returns `count + 1` if `count` continuation bytes follow, the first of them in `second`.
    private static func continues(
        _ bytes: UnsafeRawBufferPointer,
        _ offset: Int,
        _ count: Int,
        _ second: ClosedRange<UInt8>
    ) -> Int? {
        guard offset + count < bytes.count, second.contains(bytes[offset + 1]) else { return nil }
        for index in stride(from: 2, through: count, by: 1)
        where bytes[offset + index] & 0xC0 != 0x80 { return nil }
        return count + 1
    }
}
