import YonderGeodesy

/// Marks of things by their numbers: a hash table with open addressing, for the few hundred of one region.
///
/// A third of the time of a dictionary's look-up, and that look-up is most of what a move costs.
struct MarkTable {
    /// What is known of a thing.
    struct Mark: OptionSet, Hashable {
        let rawValue: UInt8

        /// The client has it.
        static let known = Mark(rawValue: 1)

        /// It belongs on the client's list.
        static let chosen = Mark(rawValue: 2)

        /// It is elsewhere than the client was told.
        static let moved = Mark(rawValue: 4)

        /// It looks different than the client was told.
        static let changed = Mark(rawValue: 8)

        /// It is among those that something may have to be told of.
        static let listed = Mark(rawValue: 16)
    }

    /// Where a thing's mark is, until the next insertion or removal.
    struct Position {
        fileprivate let index: Int
    }

    // The number, above it the mark, above that 1; 0 where there is nothing. At most half of it is used.
    private var slots = [UInt64](repeating: 0, count: 16)

    /// How many things have a mark.
    private(set) var count = 0

    private static let used = UInt64(1) << 63

    /// Where a thing's mark is, or `nil` if it has none.
    @inline(__always)
    func position(of id: PointIndex.ID) -> Position? {
        let index = search(id)
        return slots[index] == 0 ? nil : Position(index: index)
    }

    subscript(position: Position) -> Mark {
        @inline(__always) get { Self.mark(slots[position.index]) }
        @inline(__always) set { slots[position.index] = Self.slot(Self.id(slots[position.index]), newValue) }
    }

    /// Gives a mark to a thing that has none.
    mutating func insert(_ id: PointIndex.ID, _ mark: Mark) {
        if 2 * (count + 1) > slots.count { grow() }
        slots[search(id)] = Self.slot(id, mark)
        count += 1
    }

    /// Takes a mark away; what follows it closes up, so that no search ends too early.
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

    /// Everything in it, in no order.
    var all: [(id: PointIndex.ID, mark: Mark)] {
        slots.filter { $0 != 0 }.map { (Self.id($0), Self.mark($0)) }
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: 2 * old.count)
        for slot in old where slot != 0 { slots[search(Self.id(slot))] = slot }
    }

    /// The slot that has a number, or the empty one where it would go.
    @inline(__always)
    private func search(_ id: PointIndex.ID) -> Int {
        var index = home(id)
        while slots[index] != 0, Self.id(slots[index]) != id { index = (index &+ 1) & (slots.count &- 1) }
        return index
    }

    @inline(__always)
    private func home(_ id: PointIndex.ID) -> Int {
        // Fibonacci hashing: numbers that follow each other lie apart (Knuth, volume 3, 6.4).
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
