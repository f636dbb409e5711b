import YonderGeodesy
import YonderModel
import YonderWire

/// The number that the index has for an object, and the object that has a number.
///
/// Numbers begin at 0 and are used again, so that they stay dense: but not while somebody may have heard of the object
/// that had one, and not yet that it is gone.
struct PlaceRoll: Sendable {
    /// An object that is gone.
    private struct Departure {
        let id: ObjectID
        var awaited: Int
    }

    private(set) var records = PlaceRecords()
    private var numbers: [ObjectID: PointIndex.ID] = [:]
    private var altitudes: [PointIndex.ID: Distance] = [:]
    private var departures: [PointIndex.ID: Departure] = [:]
    private var free: [PointIndex.ID] = []
    private var next: PointIndex.ID = 0

    init() {}

    /// Makes room for about so many.
    init(capacity: Int) {
        numbers.reserveCapacity(capacity)
    }

    /// How many numbers there are: those that objects have, those that wait, and those that are free.
    var capacity: Int { Int(next) }

    /// The number of an object, or `nil` if it has none.
    func number(of id: ObjectID) -> PointIndex.ID? { numbers[id] }

    /// The object that has a number, or had it last; `nil` if that is forgotten.
    func id(of number: PointIndex.ID) -> ObjectID? {
        records[number]?.id ?? departures[number]?.id
    }

    /// Gives a number to an object that has none.
    mutating func add(_ record: ObjectRecord) -> PointIndex.ID {
        let number = free.popLast() ?? next
        if number == next { next += 1 }
        numbers[record.id] = number
        records[number] = record
        return number
    }

    /// Takes a newer version of the object that has a number.
    mutating func replace(_ number: PointIndex.ID, by record: ObjectRecord) {
        records[number] = record
    }

    /// Takes its number from an object.
    ///
    /// - Parameters:
    ///   - id: Which object.
    ///   - awaited: How many have to ``acknowledge(_:)`` that it is gone before another gets the number.
    /// - Returns: The number, or `nil` if it had none.
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

    /// Takes in that one more knows that the object of this number is gone.
    mutating func acknowledge(_ number: PointIndex.ID) {
        guard let departure = departures[number] else { return }
        departures[number]?.awaited -= 1
        if departure.awaited == 1 {
            departures[number] = nil
            free.append(number)
        }
    }

    /// Notes how high an object is, as far as that changed since the start.
    mutating func note(_ altitude: Distance?, of number: PointIndex.ID) {
        if altitude != nil || !altitudes.isEmpty { altitudes[number] = altitude }
    }

    /// Where an object went whose place changed since the start, and nothing else.
    func move(of number: PointIndex.ID) -> ObjectMove? {
        guard let record = records[number], let coordinate = record.coordinate else { return nil }
        return ObjectMove(
            id: record.id,
            coordinate: coordinate,
            altitude: altitudes[number],
            updated: record.updated
        )
    }
}

/// Objects by number, in pages: a copy shares them all, and the first change to one copies that page alone.
struct PlaceRecords: Sendable {
    private static let pageSize = 256

    private var pages: [[ObjectRecord?]] = []

    /// The object of a number, or `nil` if no object has it.
    subscript(number: PointIndex.ID) -> ObjectRecord? {
        get {
            let (page, place) = Int(number).quotientAndRemainder(dividingBy: Self.pageSize)
            return page < pages.count ? pages[page][place] : nil
        }
        set {
            let (page, place) = Int(number).quotientAndRemainder(dividingBy: Self.pageSize)
            while page >= pages.count { pages.append(Array(repeating: nil, count: Self.pageSize)) }
            pages[page][place] = newValue
        }
    }

    /// How many bytes of fields some objects have together.
    ///
    /// This also brings them near, many at a time, where a reader who takes each would wait for one after another.
    func byteCount(of numbers: some Sequence<PointIndex.ID>) -> Int {
        var count = 0
        for number in numbers {
            let (page, place) = Int(number).quotientAndRemainder(dividingBy: Self.pageSize)
            count &+= pages[page][place]?.fields.count ?? 0
        }
        return count
    }
}
