/// Base64 encoding (RFC 4648, section 4).
///
/// `EnginePayload` writes binary packets of polls with it, and `Base64URL` of the server makes secrets of it. Text that isn't
/// Base64 gives `nil`, and the caller refuses it; nothing traps. Missing padding is accepted. The alphabet must stay
/// (`EnginePayloadTests`).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes, padded to a multiple of four characters.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = UInt32(0)
            for (index, byte) in group.enumerated() { bits |= UInt32(byte) << (16 - 8 * UInt32(index)) }
            for index in 0..<4 {
                let digit = alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)]
                text.append(index <= group.count ? digit : padding)
            }
        }
        return text
    }

    /// Decodes text; padding may be missing.
    ///
    /// `nil` for any other character.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits = UInt32(0)
        var count = 0
        var pads = 0
        for character in text {
            if character == padding {
                pads += 1
                continue
            }
            guard pads == 0, let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            count += 1
            if count % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 0, 4, 2][count % 4])) }
        }
        guard count % 4 != 1, pads == 0 || (count + pads) % 4 == 0, pads <= 2 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
