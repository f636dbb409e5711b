import YonderGeodesy
import YonderModel

/// The number that the index has for an object, and the object that has a number.
///
/// Numbers begin at 0 and are used again, so that they stay dense.
struct PlaceRoll: Sendable {
    private(set) var records = PlaceRecords()
    private var numbers: [ObjectID: PointIndex.ID] = [:]
    private var free: [PointIndex.ID] = []

    init() {}

    /// Makes room for about so many.
    init(capacity: Int) {
        numbers.reserveCapacity(capacity)
    }

    /// The number of an object, or `nil` if it has none.
    func number(of id: ObjectID) -> PointIndex.ID? { numbers[id] }

    /// Gives a number to an object that has none.
    mutating func add(_ record: ObjectRecord) -> PointIndex.ID {
        let number = free.popLast() ?? PointIndex.ID(numbers.count)
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
    /// - Returns: The number, or `nil` if it had none.
    mutating func remove(_ id: ObjectID) -> PointIndex.ID? {
        guard let number = numbers.removeValue(forKey: id) else { return nil }
        records[number] = nil
        free.append(number)
        return number
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
}
