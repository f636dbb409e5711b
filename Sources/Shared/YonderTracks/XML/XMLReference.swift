/// A character written as `&amp;` or `&#38;`.
///
/// `XMLScanner` checks references with it, and `XMLContent` reads them again when it copies a text. An unknown name, or a
/// number that is no character of XML, throws `notWellFormed` at its `&`. The five names must stay, and no others be added:
/// further entities need a document type, which is refused (`GPXReaderTests`).
struct XMLReference {
    /// The character.
    let scalar: Unicode.Scalar

    /// The position after the reference.
    let end: Int

    /// Reads the reference whose `&` is at a position.
    init(at start: Int, in bytes: Span<UInt8>) throws(TrackFileFailure) {
        var end = start + 1
        // No valid reference is longer; leading zeros count.
        let limit = min(bytes.count, start + 16)
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard
            end < limit,
            let scalar = Self.scalar(start + 1..<end, in: bytes), XMLCharacters.isAllowed(scalar)
        else { throw TrackFileFailure(.notWellFormed, at: start) }
        self.scalar = scalar
        self.end = end + 1
    }

    private static func scalar(_ name: Range<Int>, in bytes: Span<UInt8>) -> Unicode.Scalar? {
        if XMLCharacters.equal("amp", name, in: bytes) { return "&" }
        if XMLCharacters.equal("lt", name, in: bytes) { return "<" }
        if XMLCharacters.equal("gt", name, in: bytes) { return ">" }
        if XMLCharacters.equal("quot", name, in: bytes) { return "\"" }
        if XMLCharacters.equal("apos", name, in: bytes) { return "'" }
        guard name.count >= 2, bytes[name.lowerBound] == UInt8(ascii: "#") else { return nil }
        let isHexadecimal = bytes[name.lowerBound + 1] == UInt8(ascii: "x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard !digits.isEmpty else { return nil }
        var number = UInt32(0)
        for index in digits {
            guard let digit = digit(bytes[index], isHexadecimal: isHexadecimal) else { return nil }
            number = min(0x11_0000, number * (isHexadecimal ? 16 : 10) + digit)
        }
        return Unicode.Scalar(number)
    }

    private static func digit(_ byte: UInt8, isHexadecimal: Bool) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46 where isHexadecimal: UInt32(byte - 0x41 + 10)
        case 0x61...0x66 where isHexadecimal: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }
}
