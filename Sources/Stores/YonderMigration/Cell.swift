package import YonderTables

/// One value of a row, in a form that is the same for both databases.
///
/// `FolderEnd` and `DatabaseEnd` read rows into cells and write them; `TableDigest` hashes them. A value of another type
/// than its column's is a `MigrationError` of the end that reads it. Both ends must give the same cell for the same
/// content, truth values included, or every comparison fails (`MigrationTests`). The hash is never stored, and may be
/// changed.
package enum Cell: Hashable, Sendable {
    /// NULL.
    case null
    /// A number, a time in milliseconds, or a truth value as 0 or 1.
    case int(Int64)
    /// A number with a fraction.
    case double(Double)
    /// Bytes, or the UTF-8 of a text.
    case bytes([UInt8])

    /// The number, or `nil` for anything else.
    package var int: Int64? { if case .int(let value) = self { value } else { nil } }

    /// The bytes, or `nil` for anything else.
    package var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }

    /// The number with a fraction, or `nil` for anything else.
    package var double: Double? { if case .double(let value) = self { value } else { nil } }
}

/// A hash of cells in their order: FNV-1a with 64 bits.
///
/// The hash finds changes by a fault of a disk or a program; it doesn't protect against forgery.
package struct RollingHash: Hashable, Sendable {
    /// The hash of all cells so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of no cells.
    package init() {}

    /// Adds a cell.
    ///
    /// The kind of a cell and the length of its bytes are hashed, too, so that other divisions of the same bytes have
    /// other hashes.
    package mutating func add(_ cell: Cell) {
        switch cell {
        case .null: add(byte: 0)
        case .int(let value): add(1, UInt64(bitPattern: value))
        case .double(let value): add(2, value.bitPattern)
        case .bytes(let bytes):
            add(3, UInt64(bytes.count))
            for byte in bytes { add(byte: byte) }
        }
    }

    private mutating func add(_ kind: UInt8, _ number: UInt64) {
        add(byte: kind)
        for shift in stride(from: 0, to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}

extension MigrationTable {
    /// The values of the key in a row of all columns.
    package func key(of row: [Cell]) -> [Cell] { Array(row.prefix(keyCount)) }
}
