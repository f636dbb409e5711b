/// Base64 for URLs, headers and cookies (RFC 4648, section 5), without padding.
///
/// Secrets, password hashes, keys of limits and tags of tiles are written in it. Texts come from strangers: what isn't
/// exactly one encoding is `nil`, so that a secret has one text. The alphabet must stay, because stored hashes and
/// handed out links have it (`SecretTests`).
package enum Base64URL {
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(letter(UInt8(buffer >> UInt32(bits) & 63)))
            }
        }
        if bits > 0 { text.append(letter(UInt8(buffer << UInt32(6 - bits) & 63))) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; `nil` for a character outside the alphabet, an impossible length, or nonzero bits left
    /// over.
    package static func bytes(_ letters: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for letter in letters {
            guard let value = value(letter) else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(buffer >> UInt32(bits) & 255))
        }
        guard bits < 6, buffer & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }

    private static func letter(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func value(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
