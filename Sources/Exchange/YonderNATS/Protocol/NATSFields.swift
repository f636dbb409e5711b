/// The fields of one control line, parted by spaces or tabs.
///
/// `NATSParser` reads each control line by it. A server's bytes, which may be anything: a field that isn't there is
/// `nil`, a number that isn't one too, and the parser throws. What parts fields is NATS's protocol (`NATSParserTests`).
struct NATSFields {
    private let line: [UInt8]
    private var offset = 0

    init(_ line: Span<UInt8>) {
        self.line = [UInt8](unsafeUninitializedCapacity: line.count) { buffer, count in
            for index in 0..<line.count { buffer.initializeElement(at: index, to: line[index]) }
            count = line.count
        }
    }

    /// The next field, or `nil` at the line's end.
    mutating func next() -> ArraySlice<UInt8>? {
        skipBlanks()
        let start = offset
        while offset < line.count, !Self.isBlank(line[offset]) { offset += 1 }
        return start == offset ? nil : line[start..<offset]
    }

    /// The bytes behind the fields that were read.
    mutating func rest() -> [UInt8] {
        skipBlanks()
        return Array(line[offset...])
    }

    /// The line's beginning, for an error message.
    var excerpt: String {
        let text = String(decoding: line.prefix(60), as: UTF8.self)
        return text.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? String($0) : "?" }.joined()
    }

    private mutating func skipBlanks() {
        while offset < line.count, Self.isBlank(line[offset]) { offset += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension ArraySlice<UInt8> {
    /// The field as text; bytes that aren't UTF-8 become U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The field as a decimal number without a sign, or `nil`.
    var number: UInt64? {
        guard !isEmpty else { return nil }
        var number: UInt64 = 0
        for byte in self {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt64(byte - 0x30))
            guard !overflows, !carries else { return nil }
            number = sum
        }
        return number
    }

    /// The field in capital letters.
    var operation: String {
        String(decoding: map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    }
}
