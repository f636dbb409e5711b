/// Random texts of hexadecimal digits.
///
/// Keys of chats without one, and of the older places API, are drawn with it; it can't fail, and must use the system's
/// generator, as keys are secrets.
package enum HexDigits {
    /// Draws `words` × 64 bits from the system's generator.
    package static func random(words: Int) -> String {
        (0..<words).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
