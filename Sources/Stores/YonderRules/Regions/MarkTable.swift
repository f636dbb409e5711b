import YonderGeodesy
import YonderModel

/// The marks of a region's items by item number: a hash table with open addressing, for a few hundred
/// entries.
///
/// A look-up takes a third of a dictionary's time, and looking up is most of the cost of a move.
///
/// ``LiveRegion`` has one for each viewer, on one event loop. Nothing fails but the caller's mistakes: an
/// ``insert(_:_:)`` of an item that has a mark, or a position that is out of date, corrupts the table. At most half of
/// the slots may be used, or a search may not end: this must stay, as must that the number of slots is a power of two; how
/// many there are at first (16) may be changed (`MarkTableTests`,
/// with a dictionary beside it).
struct MarkTable {
    /// The state of one item in a region.
    struct Mark: OptionSet, Hashable {
        let rawValue: UInt8

        /// The viewer has the item.
        static let known = Mark(rawValue: 1)

        /// The item belongs on the viewer's list.
        static let chosen = Mark(rawValue: 2)

        /// The item has moved since it was last sent.
        static let moved = Mark(rawValue: 4)

        /// A value of the item other than its position has changed since it was last sent.
        static let changed = Mark(rawValue: 8)

        /// The item is in the queue of changes.
        static let listed = Mark(rawValue: 16)
    }

    /// The slot of an item's mark, valid until the next insertion or removal.
    struct Position {
        fileprivate let index: Int
    }

    // The item's number in the low 32 bits, its mark above, and bit 63 set; 0 if the slot is empty. At most
    // half of the slots are used.
    private var slots = [UInt64](repeating: 0, count: 16)

    /// The number of items with a mark.
    private(set) var count = 0

    private static let used = UInt64(1) << 63

    /// The slot of an item's mark, or `nil` if the item has none.
    @inline(__always)
    func position(of id: PointIndex.ID) -> Position? {
        let index = search(id)
        return slots[index] == 0 ? nil : Position(index: index)
    }

    subscript(position: Position) -> Mark {
        @inline(__always) get { Self.mark(slots[position.index]) }
        @inline(__always) set { slots[position.index] = Self.slot(Self.id(slots[position.index]), newValue) }
    }

    /// Inserts the mark of an item that has none.
    mutating func insert(_ id: PointIndex.ID, _ mark: Mark) {
        if 2 * (count + 1) > slots.count { grow() }
        slots[search(id)] = Self.slot(id, mark)
        count += 1
    }

    /// Removes a mark, and moves later entries of the same probe sequence up so that searches still find
    /// them.
    mutating func remove(at position: Position) {
        var hole = position.index
        var index = hole
        count -= 1
        while true {
            index = (index + 1) & (slots.count - 1)
            let slot = slots[index]
            if slot == 0 { break }
            let distance = (index - home(Self.id(slot))) & (slots.count - 1)
            guard distance >= (index - hole) & (slots.count - 1) else { continue }
            slots[hole] = slot
            hole = index
        }
        slots[hole] = 0
    }

    /// All entries, in no particular order.
    var all: [(id: PointIndex.ID, mark: Mark)] {
        slots.filter { $0 != 0 }.map { (Self.id($0), Self.mark($0)) }
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: 2 * old.count)
        for slot in old where slot != 0 { slots[search(Self.id(slot))] = slot }
    }

    /// The slot that holds an item's number, or the empty slot where it would be inserted.
    @inline(__always)
    private func search(_ id: PointIndex.ID) -> Int {
        var index = home(id)
        while slots[index] != 0, Self.id(slots[index]) != id { index = (index &+ 1) & (slots.count &- 1) }
        return index
    }

    @inline(__always)
    private func home(_ id: PointIndex.ID) -> Int {
        // Fibonacci hashing: consecutive numbers get distant slots (Knuth, volume 3, 6.4).
        let mixed = UInt64(id) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 32) & (slots.count &- 1)
    }

    @inline(__always)
    private static func slot(_ id: PointIndex.ID, _ mark: Mark) -> UInt64 {
        used | UInt64(mark.rawValue) &<< 32 | UInt64(id)
    }

    @inline(__always)
    private static func id(_ slot: UInt64) -> PointIndex.ID { UInt32(truncatingIfNeeded: slot) }

    @inline(__always)
    private static func mark(_ slot: UInt64) -> Mark {
        Mark(rawValue: UInt8(truncatingIfNeeded: slot &>> 32))
    }
}
