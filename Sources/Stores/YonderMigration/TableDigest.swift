/// The number of a table's rows and a hash of all their cells, in parts: for messages one part for each chat.
///
/// `Migration` makes one of the source while it copies, one of the target afterward, and compares. It is a plain value,
/// and nothing fails. The rows must come in the same order from both ends, which the keys of `MigrationTable` give.
/// Parts name the chat that differs; the hash is never stored (`MigrationTests`).
package struct TableDigest: Hashable, Sendable {
    /// The digest of the rows of one chat, or of all rows of a table.
    package struct Part: Hashable, Sendable {
        /// The chat, or 0 for a table of one part.
        package let id: Int64
        /// The number of rows.
        package fileprivate(set) var count = 0
        /// The hash of the rows, in the order of their keys.
        package fileprivate(set) var hash = RollingHash()

        /// Creates the digest of no rows.
        package init(id: Int64) {
            self.id = id
        }
    }

    /// The parts, in the order in which their rows were added.
    package private(set) var parts: [Part] = []

    private let isDivided: Bool

    /// Creates the digest of no rows.
    ///
    /// - Parameter isDivided: Whether each value of the first cell has a part of its own.
    package init(isDivided: Bool) {
        self.isDivided = isDivided
    }

    /// The number of rows.
    package var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Adds a row; rows must come in the order of their keys.
    package mutating func add(_ row: [Cell]) {
        let id = isDivided ? row.first?.int ?? 0 : 0
        if parts.last?.id != id { parts.append(Part(id: id)) }
        let last = parts.count - 1
        parts[last].count += 1
        for cell in row { parts[last].hash.add(cell) }
    }

    /// The parts in which two digests differ, by their ids.
    package func differences(from other: TableDigest) -> [Int64] {
        guard self != other else { return [] }
        let (ours, theirs) = (byID, other.byID)
        return Set(ours.keys).union(theirs.keys).filter { ours[$0] != theirs[$0] }.sorted()
    }

    private var byID: [Int64: Part] { Dictionary(parts.map { ($0.id, $0) }) { one, _ in one } }
}
