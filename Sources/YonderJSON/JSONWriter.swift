/// Writes JSON as bytes in the form of the wire: no white space, and only the necessary escapes.
package struct JSONWriter {
    @usableFromInline package internal(set) var bytes: [UInt8] = []

    package init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Removes all bytes, keeping the capacity.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends text that is already JSON.
    @inlinable
    package mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes that are already JSON.
    package mutating func raw(_ json: [UInt8]) {
        bytes.append(contentsOf: json)
    }

    /// Appends text that is already JSON.
    package mutating func raw(_ json: String.UTF8View) {
        bytes.append(contentsOf: json)
    }

    /// Appends bytes that are already JSON, from any other collection.
    ///
    /// The methods above take less time, as other targets call this one without specializing it.
    @inlinable
    package mutating func raw(_ json: some Collection<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Reserves space for about this many more bytes.
    package mutating func reserve(_ count: Int) {
        // Growing to the exact size at each call would copy all bytes every time.
        bytes.reserveCapacity(max(bytes.count + count, 2 * bytes.count))
    }

    /// Appends an integer.
    package mutating func integer(_ value: Int64) {
        var digits: InlineArray<20, UInt8> = .init(repeating: 0)
        var position = 20
        var rest = value.magnitude
        while rest >= 100 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            position -= 2
            digits[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair / 10)
            digits[position + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair % 10)
            rest = quotient
        }
        repeat {
            position -= 1
            digits[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        withUnsafeBytes(of: digits) {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[position...]))
        }
    }

    /// Appends a number, which must be finite, with as few digits as identify it.
    package mutating func double(_ value: Double) {
        raw(value.description.utf8)
    }

    /// Appends a string in quotes.
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { escaped(UnsafeRawBufferPointer($0)) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escaped(_ text: UnsafeRawBufferPointer) {
        var start = 0
        while true {
            let end = PlainBytes.unescapedEnd(in: text, from: start)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { return }
            escape(text[end])
            start = end + 1
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x0A: raw("\\n")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        default:
            let digits: StaticString = "0123456789abcdef"
            raw("\\u00")
            bytes.append(digits.utf8Start[Int(byte >> 4)])
            bytes.append(digits.utf8Start[Int(byte & 15)])
        }
    }
}
