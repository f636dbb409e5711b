/// Base32 without padding (RFC 4648, section 6), in which nkeys are written.
///
/// `NKey` reads seeds and writes public keys. A text that isn't exactly one encoding is `nil`. The alphabet is RFC
/// 4648's, in capital letters, as NATS's tools write it (`NKeyTests`).
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (bits, count) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | Int(byte), count + 8)
            while count >= 5 {
                count -= 5
                text.append(alphabet[bits >> count & 31])
                bits &= 1 << count - 1
            }
        }
        if count > 0 { text.append(alphabet[bits << (5 - count) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes, or `nil` for another character or for bits left over that aren't 0.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in text {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            (bits, count) = (bits << 5 | digit, count + 5)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count))
                bits &= 1 << count - 1
            }
        }
        return bits == 0 && count < 5 ? bytes : nil
    }
}
