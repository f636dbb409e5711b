/// Random texts of hexadecimal digits.
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
