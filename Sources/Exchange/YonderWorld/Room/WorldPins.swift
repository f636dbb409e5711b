/// The pins of all members, and what a connection that was away has to be sent of them.
///
/// Every change has the next number. A connection that can't be sent each round keeps two of these numbers, its ``Cursor``, and
/// fetches what it lacks in pieces when it can receive; nothing is queued for it. Each piece first brings the pins that it knows up
/// to now, of several moves the last, then those that it doesn't know yet, in the order in which they joined. So no pin is lost or
/// sent twice, whatever joins, moves or leaves between two pieces.
///
/// Departures are kept while a connection needs them, and at most ``departureLimit`` of them: a connection that is further behind
/// can't be brought up to date.
///
/// - Complexity: Constant time, amortized, for a change; for a piece, a logarithm of the pins and its own length.
struct WorldPins {
    struct Pin {
        /// The position in the member's own spelling; empty before the first.
        var position: [UInt8]

        /// The number of its `joined`.
        let joined: Int

        /// The number of its last change.
        var changed: Int
    }

    /// How much of the world a connection has been sent.
    struct Cursor: Hashable {
        /// Pins that joined up to this number are known.
        var known: Int

        /// Of known pins, changes up to this number were sent.
        var seen: Int

        /// The cursor of a connection that knows everything up to a number.
        init(upTo number: Int) {
            (known, seen) = (number, number)
        }

        /// The cursor of a connection that knows no pin, where `number` is the last change.
        init(newAt number: Int) {
            (known, seen) = (0, number)
        }
    }

    private struct Arrival {
        let joined: Int
        let member: WorldID
    }

    private struct Change {
        let number: Int
        let member: WorldID
        let joined: Int
        let isDeparture: Bool
    }

    /// The most departures that are kept for connections that are behind.
    static let departureLimit = 65_536

    /// The number of the last change.
    private(set) var last = 0

    private var pins: [WorldID: Pin] = [:]

    /// The pins in the order of their `joined`, and some that have left.
    private var arrivals: [Arrival] = []

    /// Moves and departures, and some moves that later ones have superseded.
    private var changes: [Change] = []

    /// How many changes there must be for the next look at all of them, so that a change costs the same however many are kept.
    private var nextPass = 0

    /// The number of the last change that was forgotten although a connection might need it.
    private var forgotten = 0

    var count: Int { pins.count }

    subscript(member: WorldID) -> Pin? { pins[member] }

    /// All pins, in no order.
    var positions: some Sequence<(member: WorldID, position: [UInt8])> {
        pins.lazy.map { (member: $0.key, position: $0.value.position) }
    }

    // MARK: Changes

    /// Applies an event.
    mutating func apply(_ event: WorldEvent) {
        last += 1
        switch event {
        case .joined(let member): join(member, at: [])
        case .moved(let member, let position):
            guard let joined = move(member, to: position) else { return join(member, at: position) }
            changes.append(Change(number: last, member: member, joined: joined, isDeparture: false))
        case .left(let member):
            guard let pin = pins.removeValue(forKey: member) else { return }
            changes.append(Change(number: last, member: member, joined: pin.joined, isDeparture: true))
        }
    }

    private mutating func join(_ member: WorldID, at position: [UInt8]) {
        // A pin that joins again is a new pin: a member that was sent the old one is sent its end first.
        if let pin = pins[member] {
            changes.append(Change(number: last, member: member, joined: pin.joined, isDeparture: true))
        }
        pins[member] = Pin(position: position, joined: last, changed: last)
        arrivals.append(Arrival(joined: last, member: member))
        guard arrivals.count > 2 * pins.count + 1_024 else { return }
        let pins = pins
        arrivals.removeAll { pins[$0.member]?.joined != $0.joined }
    }

    /// Moves a pin.
    ///
    /// - Returns: The number of its `joined`; `nil` if there is no such pin.
    private mutating func move(_ member: WorldID, to position: [UInt8]) -> Int? {
        guard let index = pins.index(forKey: member) else { return nil }
        pins.values[index].position = position
        pins.values[index].changed = last
        return pins.values[index].joined
    }

    /// Forgets the changes that no connection needs.
    ///
    /// - Parameter oldest: The least `seen` of the connections that are behind; `nil` if none is.
    mutating func forget(before oldest: Int?) {
        guard let oldest else {
            nextPass = 0
            return changes.removeAll(keepingCapacity: changes.count <= 4_096)
        }
        let limit = pins.count + Self.departureLimit
        guard changes.count > max(2 * pins.count + 1_024, min(nextPass, limit)) else { return }
        let pins = pins
        changes.removeAll { change in
            change.number <= oldest || !change.isDeparture && pins[change.member]?.changed != change.number
        }
        if changes.count > limit {
            let excess = changes.count - limit + Self.departureLimit / 4
            forgotten = changes[excess - 1].number
            changes.removeFirst(excess)
        }
        nextPass = changes.count + changes.count / 2
    }

    // MARK: Pieces

    /// Reads the next piece for a connection.
    ///
    /// - Parameters:
    ///   - cursor: What the connection has been sent; moved on.
    ///   - own: The connection's own pin, which it isn't sent.
    ///   - isOwn: Whether a departure is one that the connection caused, by its number.
    ///   - limit: How many bytes the piece may have, by ``WorldEvent/size``; the last event may exceed it.
    /// - Returns: The events; `nil` if the connection is too far behind.
    func read(
        _ cursor: inout Cursor,
        without own: WorldID,
        isOwn: (Int) -> Bool,
        limit: Int
    ) -> [WorldEvent]? {
        guard cursor.seen >= forgotten else { return nil }
        var piece = Piece(limit: limit)
        readChanges(&cursor, own, isOwn, &piece)
        if !piece.isFull { readArrivals(&cursor, own, &piece) }
        return piece.events
    }

    /// Whether a connection has been sent everything.
    func isCurrent(_ cursor: Cursor) -> Bool { cursor == Cursor(upTo: last) }

    private func readChanges(
        _ cursor: inout Cursor,
        _ own: WorldID,
        _ isOwn: (Int) -> Bool,
        _ piece: inout Piece
    ) {
        let start = changes.boundary { $0.number > cursor.seen }
        for change in changes[start...] {
            guard !piece.isFull else { return }
            cursor.seen = change.number
            guard change.joined <= cursor.known else { continue }
            if change.isDeparture {
                if !isOwn(change.number) { piece.append(.left(change.member)) }
            } else if change.member != own, let pin = pins[change.member], pin.changed == change.number {
                piece.append(.moved(change.member, at: pin.position))
            }
        }
        if !piece.isFull { cursor.seen = last }
    }

    private func readArrivals(_ cursor: inout Cursor, _ own: WorldID, _ piece: inout Piece) {
        let start = arrivals.boundary { $0.joined > cursor.known }
        for arrival in arrivals[start...] {
            guard !piece.isFull else { return }
            cursor.known = arrival.joined
            guard arrival.member != own, let pin = pins[arrival.member], pin.joined == arrival.joined else {
                continue
            }
            piece.append(.joined(arrival.member))
            if !pin.position.isEmpty { piece.append(.moved(arrival.member, at: pin.position)) }
        }
        cursor.known = last
    }

    private struct Piece {
        let limit: Int
        var size = 0
        var events: [WorldEvent] = []

        var isFull: Bool { size >= limit }

        mutating func append(_ event: WorldEvent) {
            size += event.size
            events.append(event)
        }
    }
}

extension WorldEvent {
    /// The size of the event's packet, in bytes, estimated.
    var size: Int {
        if case .moved(_, let position) = self { 40 + position.count } else { 32 }
    }
}

extension Array {
    /// The first index whose element meets a condition that all later ones meet, too.
    fileprivate func boundary(where isMet: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isMet(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
