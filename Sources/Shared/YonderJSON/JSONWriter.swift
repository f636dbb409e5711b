/// Writes JSON as bytes in the form of the wire: no white space, and only the necessary escapes.
///
/// All JSON that server and client send is written by it: callers append braces, names and values themselves, in the order of
/// the wire. It checks nothing: what is appended as `raw` must be JSON, and a number must be finite. No call fails. Escapes
/// and the form of numbers may change only to another form of the same value; compared bytes, as those of an object's stored
/// fields, depend on them (`JSONWriterTests`, `DocumentedFrameTests`).
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
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            let pairs = Self.pairs.utf8Start
            var start = digits.count
            var rest = value.magnitude
            while rest >= 10 {
                let quotient = rest / 100
                let pair = Int(truncatingIfNeeded: rest &- quotient &* 100) &* 2
                start &-= 2
                digits[start] = pairs[pair]
                digits[start &+ 1] = pairs[pair &+ 1]
                rest = quotient
            }
            if rest > 0 || start == digits.count {
                start &-= 1
                digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
            }
            if value < 0 {
                start &-= 1
                digits[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// The numbers from 00 to 99: two digits a division, which takes longest.
    private static let pairs: StaticString = """
        0001020304050607080910111213141516171819\
        2021222324252627282930313233343536373839\
        4041424344454647484950515253545556575859\
        6061626364656667686970717273747576777879\
        8081828384858687888990919293949596979899
        """

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
