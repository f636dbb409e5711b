/// The keys of one object read so far, to detect duplicates.
///
/// The first few are compared one by one, without allocating; a set takes over for larger objects, so that
/// checking a hostile object takes time proportional to its length.
///
/// `JSONScanner` and `GeoJSONParser` have one for each object that they read; a repeated key becomes their `duplicateKey`.
/// The eight may change (`JSONScannerTests`).
package struct JSONKeys {
    private var few: InlineArray<8, Range<Int32>> = .init(repeating: 0..<0)
    private var count = 0
    private var many: Set<[UInt8]> = []

    /// No keys yet.
    package init() {}

    /// Adds a key; returns `false` if it is a duplicate.
    package mutating func insert(_ key: JSONString, of bytes: UnsafeRawBufferPointer) -> Bool {
        if many.isEmpty, !key.hasEscapes, count < 8, let range = key.compactRange {
            for index in 0..<count where Self.equal(bytes, few[index], range) { return false }
            few[count] = range
            count += 1
            return true
        }
        if many.isEmpty {
            for index in 0..<count { many.insert(Self.utf8(bytes, few[index])) }
        }
        return many.insert(key.utf8(in: bytes)).inserted
    }

    private static func equal(_ bytes: UnsafeRawBufferPointer, _ left: Range<Int32>, _ right: Range<Int32>)
        -> Bool
    {
        guard left.count == right.count else { return false }
        for index in 0..<left.count
        where bytes[Int(left.lowerBound) + index] != bytes[Int(right.lowerBound) + index] { return false }
        return true
    }

    private static func utf8(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int32>) -> [UInt8] {
        [UInt8](bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}
