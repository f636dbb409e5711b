/// A decimal number, parsed from ASCII without creating a string if that gives the exact result.
///
/// The readers of CSV, GPX and GeoJSON, and `FieldValue+Text.swift`, parse numbers with it. Text that isn't a number gives
/// `nil`, which they report as their own failure. The result must stay the nearest `Double`, as that of `Double(_:)`;
/// `SixDecimalsTests` compares them. The table and the bounds of the quick way may change with it.
package struct DecimalNumber: Hashable, Sendable {
    /// The nearest `Double`, always finite.
    package let value: Double

    /// Reads a number: optional sign, digits with an optional point, and an optional exponent.
    ///
    /// - Returns: `nil` if the text has another form, or the number is too large for a `Double`.
    package init?(_ bytes: Span<UInt8>) {
        var digits = Digits()
        guard let exponent = digits.read(bytes) else { return nil }
        if let exact = digits.exactValue(exponent: exponent) {
            value = exact
            return
        }
        let text = String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        guard let nearest = Double(text), nearest.isFinite else { return nil }
        value = nearest
    }
}

/// The digits of a number as one integer.
private struct Digits {
    private var significand: UInt64 = 0
    private var isNegative = false
    private var isExact = true
    private var count = 0
    private var decimals = 0

    /// Reads the whole text and returns the power of ten, or `nil` if the text isn't a number.
    mutating func read(_ bytes: Span<UInt8>) -> Int? {
        var position = 0
        if bytes.count > 0, bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+") {
            isNegative = bytes[0] == UInt8(ascii: "-")
            position = 1
        }
        readDigits(of: bytes, at: &position)
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            let whole = count
            readDigits(of: bytes, at: &position)
            decimals = count - whole
        }
        guard count > 0 else { return nil }
        guard position < bytes.count else { return -decimals }
        return Self.exponent(of: bytes, at: position).map { $0 - decimals }
    }

    private mutating func readDigits(of bytes: Span<UInt8>, at position: inout Int) {
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
            let digit = UInt64(bytes[position] - 0x30)
            position += 1
            count += 1
            if significand < 1 << 53 {
                significand = significand * 10 + digit
            } else {
                isExact = false
            }
        }
    }

    /// Reads the exponent that begins with `e`; a very large one is cut off at a million.
    private static func exponent(of bytes: Span<UInt8>, at start: Int) -> Int? {
        guard bytes[start] | 0x20 == UInt8(ascii: "e") else { return nil }
        var position = start + 1
        guard position < bytes.count else { return nil }
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative || bytes[position] == UInt8(ascii: "+") { position += 1 }
        guard position < bytes.count else { return nil }
        var exponent = 0
        while position < bytes.count {
            guard (0x30...0x39).contains(bytes[position]) else { return nil }
            exponent = min(1_000_000, exponent * 10 + Int(bytes[position] - 0x30))
            position += 1
        }
        return isNegative ? -exponent : exponent
    }

    /// The value if one division or multiplication of exact numbers gives it, correctly rounded.
    ///
    /// After W. D. Clinger, *How to Read Floating Point Numbers Accurately* (1990): integers below 2⁵³ and
    /// powers of ten up to 10²² are exact.
    func exactValue(exponent: Int) -> Double? {
        guard isExact, significand < 1 << 53, (-22...22).contains(exponent) else { return nil }
        let magnitude = Double(significand)
        let power = Self.powersOfTen[Int(exponent.magnitude)]
        let value = exponent < 0 ? magnitude / power : magnitude * power
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18,
        1e19, 1e20, 1e21, 1e22,
    ]
}
