import YonderGeodesy
import YonderModel

/// What happened on a map since one event loop last looked, in order.
///
/// Bounded: when there is much more of it than there are places, each place's events become one or two.
struct PlaceInbox: Sendable {
    /// Which of the map's inboxes it is.
    let number: Int

    /// Tells the loop that something is here; called once until it has looked.
    let wake: @Sendable () -> Void

    private var events: [PlaceEvent] = []
    private var isAwake = false

    /// How many events joining the last time left: as many again come before it is worth the work once more.
    private var joined = 0

    /// How many events are kept as they are, however few places there are.
    static let smallest = 8_192

    init(number: Int, wake: @escaping @Sendable () -> Void) {
        self.number = number
        self.wake = wake
    }

    /// Takes in an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - places: How many places there are.
    ///   - vanish: Called for a place that came and went, and of which nothing will be heard here.
    /// - Returns: Whether the loop has to be told.
    mutating func append(_ event: PlaceEvent, places: Int, vanish: (PointIndex.ID) -> Void) -> Bool {
        events.append(event)
        if events.count > max(Self.smallest, 4 * places, 2 * joined) { compact(vanish) }
        defer { isAwake = true }
        return !isAwake
    }

    /// Hands out what is here.
    mutating func take() -> [PlaceEvent] {
        isAwake = false
        joined = 0
        defer { events = [] }
        return events
    }

    private mutating func compact(_ vanish: (PointIndex.ID) -> Void) {
        var joined: [PointIndex.ID: PlaceHistory] = [:]
        var order: [PointIndex.ID] = []
        for event in events {
            if joined[event.id] == nil { order.append(event.id) }
            joined[event.id, default: PlaceHistory(before: event)].append(event)
        }
        events.removeAll(keepingCapacity: true)
        for id in order {
            guard let history = joined[id] else { continue }
            if history.isVoid { vanish(id) } else { history.tell(id) { events.append($0) } }
        }
        self.joined = events.count
    }
}

/// What became of one place in a while.
private struct PlaceHistory {
    private let start: Coordinate.Rounded?
    private var end: Coordinate.Rounded?
    private var isMoved = false
    private var isChanged = false

    /// Begins before an event.
    init(before event: PlaceEvent) {
        switch event {
        case .inserted: start = nil
        case .moved(_, let place, _), .changed(_, let place), .removed(_, let place): start = place
        }
        end = start
    }

    /// Whether it is as if nothing had been.
    var isVoid: Bool { start == nil && end == nil }

    mutating func append(_ event: PlaceEvent) {
        switch event {
        case .inserted(_, let place): end = place
        case .moved(_, _, let place):
            end = place
            isMoved = true
        case .changed: isChanged = true
        case .removed: end = nil
        }
    }

    /// Says the same in as few events as can be.
    func tell(_ id: PointIndex.ID, _ tell: (PlaceEvent) -> Void) {
        switch (start, end) {
        case (nil, nil): break
        case (nil, let place?): tell(.inserted(id, at: place))
        case (let place?, nil): tell(.removed(id, at: place))
        case (let from?, let to?):
            if isMoved { tell(.moved(id, from: from, to: to)) }
            if isChanged { tell(.changed(id, at: to)) }
        }
    }
}
