/// JSON's grammar of numbers (RFC 8259, section 6).
package enum JSONNumber {
    /// Where the number that begins at `start` ends, or `nil` if none begins there.
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

    /// The whole number in `range`, or `nil` if it has a fraction or an exponent, or doesn't fit.
    package static func integer(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        var offset = range.lowerBound
        let isNegative = !range.isEmpty && bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        guard offset < range.upperBound else { return nil }
        while offset < range.upperBound {
            let digit = bytes[offset]
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = tenfold.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !overflowed, !overflowedToo else { return nil }
            value = sum
            offset += 1
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    private static func digits(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var offset = start
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
            offset += 1
        }
        return offset > start ? offset : nil
    }
}
