/// The reason why a text isn't the expected JSON, and the position.
package struct JSONFault: Error, Hashable, Sendable {
    /// The kinds of fault.
    package enum Reason: String, Sendable {
        case unexpected = "unexpected character"
        case truncated = "unexpected end"
        case trailing = "text after the end"
        case tooDeep = "nested too deep"
        case duplicateKey = "a repeated key"
        case invalidString = "not a string"
        case invalidNumber = "not a number"
        case invalidUTF8 = "not UTF-8"
        case halfPair = "half a surrogate pair"
    }

    package let reason: Reason

    /// The number of bytes before the fault.
    package let offset: Int

    @inlinable
    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// Reads JSON (RFC 8259) from bytes that the caller keeps alive, and decodes only the values that are
/// requested.
///
/// Strict: exactly the grammar, UTF-8 checked, no duplicate key in an object (compared unescaped), nested at
/// most 32 deep. It never traps, and reads each byte a bounded number of times. Must not outlive its bytes.
///
/// Nearly all JSON is read by it: frames (`FrameFields`), bodies of requests (`JSONBody`), stored objects, answers to the
/// client, GeoJSON. A caller makes one for a text, reads values from left to right, and calls ``end()``. The first fault is
/// thrown as ``JSONFault``, whose raw reasons stand in error messages; the scanner isn't used after it.
///
/// What is refused must stay, also the depth of ``depthLimit``: both ends of the wire, and stored texts, rely on the same
/// grammar (decision 1, `JSONScannerTests`, `make test-fuzz`). How bytes are skipped may change with `PlainBytes`.
package struct JSONScanner {
    /// The deepest accepted nesting of arrays and objects.
    package static let depthLimit = 32

    package let bytes: UnsafeRawBufferPointer

    /// The offset of the next byte to read.
    @usableFromInline package internal(set) var offset: Int

    /// The position where the last value ended, before the white space after it.
    @usableFromInline package internal(set) var lastEnd: Int

    private var depth: Int
    private let refusesHalfPairs: Bool

    /// Begins at the byte at `start`; `levels` of nesting don't count against the limit.
    ///
    /// An escape of an unpaired surrogate, as in `"\ud800"`, stands for no character. Scan received text with
    /// `refusesHalfPairs`, because a decoder turns such an escape into U+FFFD. Scan stored text, or text that
    /// a server sends, without: earlier versions stored such escapes.
    package init(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int = 0,
        allowing levels: Int = 0,
        refusesHalfPairs: Bool = false
    ) {
        self.bytes = bytes
        self.refusesHalfPairs = refusesHalfPairs
        (offset, lastEnd, depth) = (start, start, -levels)
        skipWhitespace()
    }

    /// The next byte that isn't white space, or `nil` at the end.
    @inlinable
    package var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    @inlinable
    package func fault(_ reason: JSONFault.Reason) -> JSONFault {
        JSONFault(reason: offset < bytes.count ? reason : .truncated, offset: offset)
    }

    /// Throws unless only white space is left.
    package mutating func end() throws(JSONFault) {
        skipWhitespace()
        guard offset == bytes.count else { throw fault(.trailing) }
    }

    /// Reads `byte` and the white space after it.
    @inlinable
    package mutating func take(_ byte: UInt8) throws(JSONFault) {
        guard next == byte else { throw fault(.unexpected) }
        offset += 1
        skipWhitespace()
    }

    /// Reads `byte` if it is next; returns whether it was.
    @inlinable
    package mutating func takeIfNext(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        skipWhitespace()
        return true
    }

    /// Skips a whole value and returns its range.
    package mutating func skipValue() throws(JSONFault) -> Range<Int> {
        let start = offset
        switch next {
        case UInt8(ascii: "{"): try object { scanner, _ throws(JSONFault) in _ = try scanner.skipValue() }
        case UInt8(ascii: "["): try array { scanner throws(JSONFault) in _ = try scanner.skipValue() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: _ = try number()
        }
        return start..<lastEnd
    }

    /// Reads an object; `body` is called with each key and reads the member's value.
    package mutating func object(
        _ body: (inout JSONScanner, JSONString) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try descend(UInt8(ascii: "{"))
        var keys = JSONKeys()
        if next != UInt8(ascii: "}") {
            repeat {
                let key = try key(notIn: &keys)
                try body(&self, key)
            } while takeIfNext(UInt8(ascii: ","))
        }
        try ascend(UInt8(ascii: "}"))
    }

    /// Reads the next member's key and the colon after it; the key must not be one of `keys`.
    package mutating func key(notIn keys: inout JSONKeys) throws(JSONFault) -> JSONString {
        let start = offset
        let key = try string()
        guard keys.insert(key, of: bytes) else { throw JSONFault(reason: .duplicateKey, offset: start) }
        try take(UInt8(ascii: ":"))
        return key
    }

    /// Reads an array; `body` reads each element.
    package mutating func array(_ body: (inout JSONScanner) throws(JSONFault) -> Void) throws(JSONFault) {
        try descend(UInt8(ascii: "["))
        if next != UInt8(ascii: "]") {
            repeat { try body(&self) } while takeIfNext(UInt8(ascii: ","))
        }
        try ascend(UInt8(ascii: "]"))
    }

    /// Reads `word` (`true`, `false` or `null`).
    package mutating func literal(_ word: StaticString) throws(JSONFault) {
        let length = word.utf8CodeUnitCount
        guard bytes.count - offset >= length else { throw JSONFault(reason: .unexpected, offset: offset) }
        for index in 0..<length where bytes[offset + index] != word.utf8Start[index] {
            throw fault(.unexpected)
        }
        finish(at: offset + length)
    }

    /// Reads `true` or `false`.
    package mutating func boolean() throws(JSONFault) -> Bool {
        if next == UInt8(ascii: "t") {
            try literal("true")
            return true
        }
        try literal("false")
        return false
    }

    /// Skips a number and returns its range.
    package mutating func number() throws(JSONFault) -> Range<Int> {
        let start = offset
        guard let end = JSONNumber.end(in: bytes, from: start) else { throw fault(.unexpected) }
        finish(at: end)
        return start..<end
    }

    /// Reads an integer that fits 64 bits; `5.0` and `5e2` are integers, too.
    package mutating func integer() throws(JSONFault) -> Int64 {
        let start = offset
        let range = try number()
        guard let value = JSONNumber.integer(bytes, range) else {
            throw JSONFault(reason: .invalidNumber, offset: start)
        }
        return value
    }

    /// Reads a number as a double; never infinite.
    package mutating func double() throws(JSONFault) -> Double {
        let start = offset
        let range = try number()
        guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else {
            throw JSONFault(reason: .invalidNumber, offset: start)
        }
        return value
    }

    /// Reads a string, checking its escapes and UTF-8.
    package mutating func string() throws(JSONFault) -> JSONString {
        guard next == UInt8(ascii: "\"") else { throw fault(.unexpected) }
        let string = try JSONString.scan(bytes, openingQuote: offset, refusesHalfPairs: refusesHalfPairs)
        finish(at: string.range.upperBound + 1)
        return string
    }

    @inlinable
    mutating func finish(at end: Int) {
        offset = end
        lastEnd = end
        skipWhitespace()
    }

    private mutating func descend(_ bracket: UInt8) throws(JSONFault) {
        guard depth < Self.depthLimit else { throw fault(.tooDeep) }
        depth += 1
        try take(bracket)
    }

    private mutating func ascend(_ bracket: UInt8) throws(JSONFault) {
        guard next == bracket else { throw fault(.unexpected) }
        depth -= 1
        finish(at: offset + 1)
    }

    @inlinable
    mutating func skipWhitespace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }
}
