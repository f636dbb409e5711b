package import YonderGeodesy
package import YonderModel

/// Positions in the order of their numbers, in columns of 52 bytes a position.
///
/// A position that may no longer be read keeps its place without a coordinate, so that it can be filled again. The columns are
/// rings: index 0 is the oldest position, wherever that lies in them.
///
/// `PositionStretch` has one, for the map of all positions, and adds at both ends; a full one gives up its oldest position
/// for a newer one, and doesn't take an older one. A plain value: an index outside `0..<count` is a mistake of the caller's,
/// and traps. The columns may be changed here alone; 52 bytes a position is what lets a phone hold 200 000.
///
/// `PositionStretchTests` hold it.
package struct PositionColumns: Sendable {
    package let capacity: Int
    package private(set) var count = 0
    package private(set) var people: [UserID] = []

    /// How many positions of each of ``people`` can be read.
    package private(set) var readable: [Int] = []

    private var start = 0
    private var places: [UserID: Int] = [:]
    private var numbers: [Int64] = []
    private var latitudes: [Double] = []
    private var longitudes: [Double] = []
    private var times: [Int64] = []
    private var arrivals: [Int64] = []
    private var expiries: [Int64] = []
    private var senders: [UInt32] = []

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var isFull: Bool { count == capacity }

    /// The lowest number held, or `Int64.max` without any.
    package var first: Int64 { count == 0 ? .max : number(at: 0) }

    /// The highest number held, or 0 without any.
    package var last: Int64 { count == 0 ? 0 : number(at: count - 1) }

    package func number(at index: Int) -> Int64 { numbers[slot(index)] }

    package func time(at index: Int) -> Timestamp { Timestamp(milliseconds: times[slot(index)]) }

    package func arrival(at index: Int) -> Timestamp { Timestamp(milliseconds: arrivals[slot(index)]) }

    /// The position at an index, or `nil` if it may no longer be read.
    package subscript(index: Int) -> HeldPosition? {
        let slot = slot(index)
        return Coordinate(latitude: latitudes[slot], longitude: longitudes[slot]).map {
            HeldPosition(
                number: numbers[slot],
                sender: people[Int(senders[slot])],
                coordinate: $0,
                time: Timestamp(milliseconds: times[slot])
            )
        }
    }

    /// The index of a number, or `nil` if it has no place.
    package func index(of number: Int64) -> Int? {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                self.number(at: middle) < number
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        let index = range.lowerBound
        return index < count && self.number(at: index) == number ? index : nil
    }

    /// Adds the newest position.
    ///
    /// - Returns: Whether the oldest one was removed for it.
    package mutating func append(_ position: Arrived) -> Bool {
        reserve()
        let isFull = isFull
        if isFull { dropOldest(1) }
        count += 1
        write(position, to: slot(count - 1))
        return isFull
    }

    /// Adds the oldest position, if there is room.
    package mutating func prepend(_ position: Arrived) -> Bool {
        guard !isFull else { return false }
        reserve()
        start = (start + capacity - 1) % capacity
        count += 1
        write(position, to: start)
        return true
    }

    /// Writes a position again whose number has a place.
    package mutating func fill(_ position: Arrived) {
        guard let index = index(of: position.held.number) else { return }
        _ = empty(at: index)
        write(position, to: slot(index))
    }

    /// Erases a position.
    ///
    /// - Returns: Whether it could be read.
    package mutating func empty(_ number: Int64) -> Bool {
        index(of: number).map { empty(at: $0) } ?? false
    }

    /// Erases all positions of a person.
    ///
    /// - Returns: Whether there were any that could be read.
    package mutating func emptyAll(of person: UserID) -> Bool {
        guard let place = places[person], readable[place] > 0 else { return false }
        for index in 0..<count where senders[slot(index)] == place { _ = empty(at: index) }
        return true
    }

    /// Erases what has expired.
    ///
    /// - Returns: Whether there was any, and when the next one expires.
    package mutating func expire(at now: Timestamp) -> (isChanged: Bool, next: Int64) {
        var (isChanged, next) = (false, Int64.max)
        for index in 0..<count {
            let expiry = expiries[slot(index)]
            if expiry <= now.milliseconds {
                if empty(at: index) { isChanged = true }
            } else {
                next = min(next, expiry)
            }
        }
        return (isChanged, next)
    }

    package mutating func dropOldest(_ dropped: Int) {
        for index in 0..<dropped { _ = empty(at: index) }
        start = (start + dropped) % capacity
        count -= dropped
    }

    private func slot(_ index: Int) -> Int {
        let slot = start + index
        return slot < capacity ? slot : slot - capacity
    }

    private mutating func reserve() {
        guard numbers.isEmpty else { return }
        numbers = Array(repeating: 0, count: capacity)
        latitudes = Array(repeating: .nan, count: capacity)
        longitudes = latitudes
        (times, arrivals, expiries) = (numbers, numbers, numbers)
        senders = Array(repeating: 0, count: capacity)
    }

    private mutating func write(_ position: Arrived, to slot: Int) {
        let held = position.held
        let place = place(of: held.sender)
        readable[place] += 1
        numbers[slot] = held.number
        latitudes[slot] = held.coordinate.latitude
        longitudes[slot] = held.coordinate.longitude
        times[slot] = held.time.milliseconds
        arrivals[slot] = position.arrival.milliseconds
        expiries[slot] = position.expires?.milliseconds ?? .max
        senders[slot] = UInt32(place)
    }

    private mutating func empty(at index: Int) -> Bool {
        let slot = slot(index)
        guard !latitudes[slot].isNaN else { return false }
        readable[Int(senders[slot])] -= 1
        (latitudes[slot], longitudes[slot]) = (.nan, .nan)
        return true
    }

    private mutating func place(of person: UserID) -> Int {
        if let place = places[person] { return place }
        places[person] = people.count
        people.append(person)
        readable.append(0)
        return people.count - 1
    }
}

/// A position as a message brings it.
package struct Arrived: Sendable {
    package let held: HeldPosition

    /// When the server stored it.
    package let arrival: Timestamp
    package let expires: Timestamp?

    /// - Returns: `nil` for a message that isn't stored, or has no position.
    package init?(_ message: Message) {
        guard let number = message.number, !message.isRecalled, let position = message.position else {
            return nil
        }
        held = HeldPosition(
            number: number,
            sender: message.sender,
            coordinate: position.coordinate,
            time: position.timestamp
        )
        (arrival, expires) = (message.time, message.expires)
    }
}
