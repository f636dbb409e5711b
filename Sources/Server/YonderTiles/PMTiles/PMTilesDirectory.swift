/// A directory of tiles: runs of tile numbers, each with its place in the archive, in the order of the numbers.
///
/// `PMTilesArchive` reads one for the root and keeps some leaves, on any thread. The bytes are an operator's file, which
/// may be damaged: nothing traps, and an error has the offset. The form is PMTiles version 3 and must stay; no memory is
/// taken for more entries than the bytes can hold (`PMTilesArchiveTests`).
struct PMTilesDirectory: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        /// The number of the run's first tile.
        var number: UInt64

        /// How many tiles in a row have the same content; 0 where the entry leads to another directory.
        var run: UInt64

        /// From the start of the tiles, or of the leaf directories.
        var offset: UInt64

        /// In bytes, at least 1.
        var length: UInt64

        var isLeaf: Bool { run == 0 }
    }

    let entries: [Entry]

    /// Reads an inflated directory: a count, then all numbers (as differences), all runs, all lengths, all offsets
    /// (plus one; 0 is "right behind the one before"), each a varint.
    init(_ bytes: [UInt8]) throws(PMTilesError) {
        var reader = VarintReader(bytes: bytes)
        let count = try reader.next()
        // Four numbers an entry, a byte each at least: no more is made room for than what is there can fill.
        guard count > 0, count <= UInt64(bytes.count / 4) else { throw .badDirectory(offset: 0) }
        var entries = [Entry](repeating: Entry(number: 0, run: 0, offset: 0, length: 0), count: Int(count))
        try Self.readNumbers(&entries, from: &reader)
        for index in entries.indices { entries[index].run = try reader.next() }
        for index in entries.indices {
            entries[index].length = try reader.next()
            guard entries[index].length > 0 else { throw reader.error }
        }
        try Self.readOffsets(&entries, from: &reader)
        self.entries = entries
    }

    private static func readNumbers(
        _ entries: inout [Entry],
        from reader: inout VarintReader
    ) throws(PMTilesError) {
        var number: UInt64 = 0
        for index in entries.indices {
            let step = try reader.next()
            let (next, overflows) = number.addingReportingOverflow(step)
            guard !overflows, step > 0 || index == 0 else { throw reader.error }
            number = next
            entries[index].number = number
        }
    }

    private static func readOffsets(
        _ entries: inout [Entry],
        from reader: inout VarintReader
    ) throws(PMTilesError) {
        var end: UInt64 = 0
        for index in entries.indices {
            let written = try reader.next()
            guard written > 0 || index > 0 else { throw reader.error }
            let offset = written == 0 ? end : written - 1
            let (next, overflows) = offset.addingReportingOverflow(entries[index].length)
            guard !overflows else { throw reader.error }
            entries[index].offset = offset
            end = next
        }
    }

    /// The entry that covers a tile's number or leads to the directory that may, or `nil` if there is no such tile.
    func entry(for number: UInt64) -> Entry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.isLeaf || number - entry.number < entry.run ? entry : nil
    }
}

/// Reads numbers of seven bits a byte, the lowest first; the high bit says that more follow.
private struct VarintReader {
    let bytes: [UInt8]
    var offset = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var error: PMTilesError { .badDirectory(offset: offset) }

    mutating func next() throws(PMTilesError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard offset < bytes.count else { throw error }
            let byte = bytes[offset]
            offset += 1
            // The tenth byte holds the 64th bit alone.
            guard shift < 63 || byte <= 1 else { throw error }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw error
    }
}
