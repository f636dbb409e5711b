package import YonderGeodesy
package import YonderModel

/// The index number of each object, and the object of each number.
///
/// Numbers begin at 0 and are reused, so that they stay dense. A removed object's number isn't reused while a
/// viewer may still show the object.
///
/// `ObjectIndex` holds it behind its mutex, and calls it for each change of the map; event loops call
/// ``acknowledge(_:)`` through `ObjectIndex+Inboxes.swift` when no viewer of theirs shows a removed object. Nothing
/// fails. A number that was reused too early would show one object under the name of another, so the count of
/// acknowledgments must stay (decisions 9 and 10). The page size may be changed.
package struct ObjectRoll: Sendable {
    /// A removed object.
    private struct Departure {
        let id: ObjectID
        var awaited: Int
    }

    /// The objects by number.
    package private(set) var records = RecordPages()

    private var numbers: [ObjectID: PointIndex.ID] = [:]
    private var altitudes: [PointIndex.ID: Distance] = [:]
    private var departures: [PointIndex.ID: Departure] = [:]
    private var free: [PointIndex.ID] = []
    private var next: PointIndex.ID = 0

    init() {}

    /// Reserves memory for about this many objects.
    init(capacity: Int) {
        numbers.reserveCapacity(capacity)
    }

    /// The number of all index numbers: in use, awaiting acknowledgment, and free.
    var capacity: Int { Int(next) }

    /// The number of an object, or `nil` if it has none.
    func number(of id: ObjectID) -> PointIndex.ID? { numbers[id] }

    /// The object with a number, or a removed object that still holds the number; `nil` if there is neither.
    package func id(of number: PointIndex.ID) -> ObjectID? {
        records[number]?.id ?? departures[number]?.id
    }

    /// Assigns a number to a new object.
    mutating func add(_ record: ObjectRecord) -> PointIndex.ID {
        let number = free.popLast() ?? next
        if number == next { next += 1 }
        numbers[record.id] = number
        records[number] = record
        return number
    }

    /// Stores a newer version of the object with a number.
    mutating func replace(_ number: PointIndex.ID, by record: ObjectRecord) {
        records[number] = record
    }

    /// Releases an object's number.
    ///
    /// - Parameters:
    ///   - id: The object.
    ///   - awaited: How many calls of ``acknowledge(_:)`` must come before the number is reused.
    /// - Returns: The number, or `nil` if the object had none.
    mutating func remove(_ id: ObjectID, awaiting awaited: Int) -> PointIndex.ID? {
        guard let number = numbers.removeValue(forKey: id) else { return nil }
        records[number] = nil
        altitudes[number] = nil
        if awaited > 0 {
            departures[number] = Departure(id: id, awaited: awaited)
        } else {
            free.append(number)
        }
        return number
    }

    /// Call this when one more event loop no longer refers to the removed object with this number.
    mutating func acknowledge(_ number: PointIndex.ID) {
        guard let departure = departures[number] else { return }
        departures[number]?.awaited -= 1
        if departure.awaited == 1 {
            departures[number] = nil
            free.append(number)
        }
    }

    /// Stores an object's altitude, which is kept only for objects written since start.
    mutating func note(_ altitude: Distance?, of number: PointIndex.ID) {
        if altitude != nil || !altitudes.isEmpty { altitudes[number] = altitude }
    }

    /// An object's altitude; `nil` if it has none, or was last written before the start.
    package func altitude(of number: PointIndex.ID) -> Distance? { altitudes[number] }
}

/// Objects by number, in pages: a copy shares all pages, and the first change to a page copies that page
/// alone.
package struct RecordPages: Sendable {
    private static let pageSize = 256

    private var pages: [[ObjectRecord?]] = []

    /// The object with a number, or `nil` if there is none.
    package internal(set) subscript(number: PointIndex.ID) -> ObjectRecord? {
        get {
            let (page, slot) = Int(number).quotientAndRemainder(dividingBy: Self.pageSize)
            return page < pages.count ? pages[page][slot] : nil
        }
        set {
            let (page, slot) = Int(number).quotientAndRemainder(dividingBy: Self.pageSize)
            while page >= pages.count { pages.append(Array(repeating: nil, count: Self.pageSize)) }
            pages[page][slot] = newValue
        }
    }

    /// The size of the objects' fields together, in bytes.
    ///
    /// Reading the sizes also loads the records into the processor's cache, many at once, where reading them
    /// one by one would wait for each.
    func byteCount(of numbers: some Sequence<PointIndex.ID>) -> Int {
        var count = 0
        for number in numbers {
            let (page, slot) = Int(number).quotientAndRemainder(dividingBy: Self.pageSize)
            count &+= pages[page][slot]?.fields.count ?? 0
        }
        return count
    }
}
