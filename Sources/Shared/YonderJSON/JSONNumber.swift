/// JSON's grammar of numbers (RFC 8259, section 6).
///
/// `JSONScanner` finds the end of each number with it, and `WorldPosition`, queries and positions read numbers of their own.
/// Nothing throws or traps: what isn't a number is `nil`, and the caller names the field. That `5.0` is an integer must stay,
/// because some senders have floating-point numbers alone (`JSONScannerTests`). The 64 bytes of an integer with an exponent may
/// change.
package enum JSONNumber {
    /// The position after the number that begins at `start`, or `nil` if none begins there.
    package static func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        guard offset < bytes.count else { return nil }
        if bytes[offset] == UInt8(ascii: "0") {
            offset += 1
        } else {
            guard let digits = digits(bytes, offset) else { return nil }
            offset = digits
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            guard let digits = digits(bytes, offset + 1) else { return nil }
            offset = digits
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-")
            {
                offset += 1
            }
            guard let digits = digits(bytes, offset) else { return nil }
            offset = digits
        }
        return offset
    }

    /// The integer in `range`, or `nil` if the number there isn't an integer or doesn't fit 64 bits.
    ///
    /// As in JSON Schema, `5.0` and `5e2` are integers: a sender may have no other type than floating point.
    package static func integer(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        var offset = range.lowerBound
        let isNegative = !range.isEmpty && bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        guard offset < range.upperBound else { return nil }
        while offset < range.upperBound {
            let digit = bytes[offset]
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
                return scaledInteger(bytes, range)
            }
            let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = tenfold.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !overflowed, !overflowedToo else { return nil }
            value = sum
            offset += 1
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// The integer in `range` if it is written with a fraction or an exponent.
    private static func scaledInteger(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        guard end(in: bytes, from: range.lowerBound) == range.upperBound, range.count <= 64 else {
            return nil
        }
        let exponentMark = bytes[range].firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? range.upperBound
        let mantissa = bytes[range.lowerBound..<exponentMark]
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? exponentMark
        var digits = mantissa.filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
        var scale = point - exponentMark + (point < exponentMark ? 1 : 0)
        if exponentMark < range.upperBound {
            let text = String(decoding: bytes[(exponentMark + 1)..<range.upperBound], as: UTF8.self)
            guard let exponent = Int32(text) else { return nil }
            scale += Int(exponent)
        }
        while scale < 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            scale += 1
        }
        guard digits.contains(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
        guard (0...19).contains(scale) else { return nil }
        digits += Array(repeating: UInt8(ascii: "0"), count: scale)
        let sign = bytes[range.lowerBound] == UInt8(ascii: "-") ? "-" : ""
        return Int64(sign + String(decoding: digits, as: UTF8.self))
    }

    private static func digits(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var offset = start
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
            offset += 1
        }
        return offset > start ? offset : nil
    }
}
