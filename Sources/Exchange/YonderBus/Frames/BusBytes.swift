/// A frame that doesn't have the form of ``BusFrame``.
package struct BusFault: Error, Hashable {}

/// Writes the parts of a frame: numbers of 64 bits with the lowest byte first, texts and lists behind their length.
///
/// Nodes of two versions run side by side, so a changed form of the bytes needs another `BusFrame.version`. A reader
/// throws ``BusFault`` for bytes of another form, never traps, and never makes a list longer than its bytes.
package struct BusWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func byte(_ value: UInt8) { bytes.append(value) }

    package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func integer(_ value: Int64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func integer(_ value: UInt64) { integer(Int64(bitPattern: value)) }

    package mutating func real(_ value: Double) { integer(value.bitPattern) }

    package mutating func count(_ value: Int) {
        withUnsafeBytes(of: UInt32(clamping: value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func blob(_ value: some Collection<UInt8>) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    package mutating func text(_ value: String) { blob(value.utf8) }

    package mutating func optional<Value>(_ value: Value?, _ write: (inout BusWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    package mutating func list<Element>(
        _ values: some Collection<Element>,
        _ write: (inout BusWriter, Element) -> Void
    ) {
        count(values.count)
        for value in values { write(&self, value) }
    }
}

/// Reads what ``BusWriter`` wrote; refuses everything else.
///
/// An integer has no way out of it but with a range, ``integer(in:)`` and the functions beside it, one for each meaning: a
/// peer's numbers are judged where they are read, as a client's are, so that no calculation behind it overflows.
package struct BusReader {
    private let bytes: [UInt8]
    private var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { offset == bytes.count }

    /// The error for bytes that can't be decoded.
    package var fault: BusFault { BusFault() }

    private mutating func take(_ count: Int) throws(BusFault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw BusFault() }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    package mutating func byte() throws(BusFault) -> UInt8 {
        let slice = try take(1)
        return slice[slice.startIndex]
    }

    package mutating func flag() throws(BusFault) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw BusFault()
        }
    }

    /// 64 bits that say which node, frame or request: compared, never calculated with.
    package mutating func mark() throws(BusFault) -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func real() throws(BusFault) -> Double { Double(bitPattern: try mark()) }

    /// A length; never more than there are bytes left.
    package mutating func count() throws(BusFault) -> Int {
        let count = Int(try take(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        guard count <= bytes.count - offset else { throw BusFault() }
        return count
    }

    package mutating func blob() throws(BusFault) -> [UInt8] { Array(try take(try count())) }

    package mutating func text() throws(BusFault) -> String {
        guard let text = String(validating: try take(try count()), as: UTF8.self) else { throw BusFault() }
        return text
    }

    package mutating func optional<Value>(_ read: (inout BusReader) throws(BusFault) -> Value)
        throws(BusFault)
        -> Value?
    {
        try flag() ? try read(&self) : nil
    }

    package mutating func list<Element>(_ read: (inout BusReader) throws(BusFault) -> Element)
        throws(BusFault)
        -> [Element]
    {
        let count = try count()
        var values: [Element] = []
        values.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    // MARK: Numbers, by their meaning

    /// The numbers of messages, changes, entities and versions, and what is counted in a chat: what JSON has exactly.
    package static let numbers: ClosedRange<Int64> = 0...9_007_199_254_740_991

    /// A number within `range`.
    package mutating func integer(in range: ClosedRange<Int64>) throws(BusFault) -> Int64 {
        let value = Int64(bitPattern: try mark())
        guard range.contains(value) else { throw BusFault() }
        return value
    }

    /// The number of a message, a change, an entity or a version, or how many messages a chat has; 0 for none.
    package mutating func number() throws(BusFault) -> Int64 { try integer(in: Self.numbers) }

    /// How many there are of something, or the place in a list: in `0...limit`.
    package mutating func count(upTo limit: Int) throws(BusFault) -> Int {
        Int(try integer(in: 0...Int64(limit)))
    }

    /// A use of a rate limit; less than 0 where more was returned than used.
    package mutating func use() throws(BusFault) -> Int {
        Int(try integer(in: -Self.numbers.upperBound...Self.numbers.upperBound))
    }

    /// A value made from a part; refused where it is `nil`.
    package func checked<Value>(_ value: Value?) throws(BusFault) -> Value {
        guard let value else { throw BusFault() }
        return value
    }
}
