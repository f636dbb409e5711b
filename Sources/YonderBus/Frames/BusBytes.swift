/// A frame that doesn't have the form of ``BusFrame``.
package struct BusFault: Error, Hashable {}

/// Writes the parts of a frame: numbers of 64 bits with the lowest byte first, texts and lists behind their length.
struct BusWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func integer(_ value: Int64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func integer(_ value: UInt64) { integer(Int64(bitPattern: value)) }

    mutating func real(_ value: Double) { integer(value.bitPattern) }

    mutating func count(_ value: Int) {
        withUnsafeBytes(of: UInt32(clamping: value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func blob(_ value: some Collection<UInt8>) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func text(_ value: String) { blob(value.utf8) }

    mutating func optional<Value>(_ value: Value?, _ write: (inout BusWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Element>(
        _ values: some Collection<Element>,
        _ write: (inout BusWriter, Element) -> Void
    ) {
        count(values.count)
        for value in values { write(&self, value) }
    }
}

/// Reads what ``BusWriter`` wrote; refuses everything else.
struct BusReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }

    private mutating func take(_ count: Int) throws(BusFault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw BusFault() }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func byte() throws(BusFault) -> UInt8 {
        let slice = try take(1)
        return slice[slice.startIndex]
    }

    mutating func flag() throws(BusFault) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw BusFault()
        }
    }

    mutating func integer() throws(BusFault) -> Int64 {
        try take(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    mutating func unsigned() throws(BusFault) -> UInt64 { UInt64(bitPattern: try integer()) }

    mutating func real() throws(BusFault) -> Double { Double(bitPattern: try unsigned()) }

    /// A length; never more than there are bytes left.
    mutating func count() throws(BusFault) -> Int {
        let count = Int(try take(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        guard count <= bytes.count - offset else { throw BusFault() }
        return count
    }

    mutating func blob() throws(BusFault) -> [UInt8] { Array(try take(try count())) }

    mutating func text() throws(BusFault) -> String {
        guard let text = String(validating: try take(try count()), as: UTF8.self) else { throw BusFault() }
        return text
    }

    mutating func optional<Value>(_ read: (inout BusReader) throws(BusFault) -> Value) throws(BusFault)
        -> Value?
    {
        try flag() ? try read(&self) : nil
    }

    mutating func list<Element>(_ read: (inout BusReader) throws(BusFault) -> Element) throws(BusFault)
        -> [Element]
    {
        let count = try count()
        var values: [Element] = []
        values.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    /// A value made from a part; refused where it is `nil`.
    func checked<Value>(_ value: Value?) throws(BusFault) -> Value {
        guard let value else { throw BusFault() }
        return value
    }
}
