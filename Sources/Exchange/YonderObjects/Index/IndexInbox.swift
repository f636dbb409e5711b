import YonderGeodesy
import YonderModel
import YonderRules

/// The events on a map since one event loop last took them, in order.
///
/// Bounded: with many more events than items, the events of each item are merged into one or two.
///
/// `ObjectIndex` has one for each event loop that watches it, and appends each event under its lock; `ObjectFeed` takes
/// them once a round. Nothing fails. The merged events must have the same effect as all of them, in order
/// (`IndexInboxTests`, with random events), and an item that came and went is reported by `vanish`, so that its number
/// becomes free. ``smallest`` may be changed.
struct IndexInbox: Sendable {
    /// The inbox's number, unique within its map.
    let number: Int

    /// Notifies the event loop that events are waiting; called once until the loop takes them.
    let wake: @Sendable () -> Void

    private var events: [IndexEvent] = []
    private var isAwake = false

    /// The number of events left by the last merge; the next merge waits until there are twice as many.
    private var joined = 0

    /// The number of events that are always kept unmerged, however few items there are.
    static let smallest = 8_192

    init(number: Int, wake: @escaping @Sendable () -> Void) {
        self.number = number
        self.wake = wake
    }

    /// Appends an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - items: The number of items on the map.
    ///   - vanish: Called for an item that was added and removed since, and whose events were therefore
    ///     dropped.
    /// - Returns: Whether the event loop must be woken.
    mutating func append(_ event: IndexEvent, items: Int, vanish: (PointIndex.ID) -> Void) -> Bool {
        events.append(event)
        if events.count > max(Self.smallest, 4 * items, 2 * joined) { compact(vanish) }
        defer { isAwake = true }
        return !isAwake
    }

    /// Returns all events and empties the inbox.
    mutating func take() -> [IndexEvent] {
        isAwake = false
        joined = 0
        defer { events = [] }
        return events
    }

    private mutating func compact(_ vanish: (PointIndex.ID) -> Void) {
        var joined: [PointIndex.ID: ItemHistory] = [:]
        var order: [PointIndex.ID] = []
        for event in events {
            if joined[event.id] == nil { order.append(event.id) }
            joined[event.id, default: ItemHistory(before: event)].append(event)
        }
        events.removeAll(keepingCapacity: true)
        for id in order {
            guard let history = joined[id] else { continue }
            if history.isVoid { vanish(id) } else { history.tell(id) { events.append($0) } }
        }
        self.joined = events.count
    }
}

/// The net effect of several events on one item.
private struct ItemHistory {
    private let start: Coordinate.Rounded?
    private var end: Coordinate.Rounded?
    private var isMoved = false
    private var isChanged = false

    /// Begins with the state before an event.
    init(before event: IndexEvent) {
        switch event {
        case .inserted: start = nil
        case .moved(_, let coordinate, _), .changed(_, let coordinate), .removed(_, let coordinate):
            start = coordinate
        }
        end = start
    }

    /// Whether the item exists neither before nor after the events.
    var isVoid: Bool { start == nil && end == nil }

    mutating func append(_ event: IndexEvent) {
        switch event {
        case .inserted(_, let coordinate): end = coordinate
        case .moved(_, _, let coordinate):
            end = coordinate
            isMoved = true
        case .changed: isChanged = true
        case .removed: end = nil
        }
    }

    /// Calls `tell` with the fewest events that have the same effect.
    func tell(_ id: PointIndex.ID, _ tell: (IndexEvent) -> Void) {
        switch (start, end) {
        case (nil, nil): break
        case (nil, let coordinate?): tell(.inserted(id, at: coordinate))
        case (let coordinate?, nil): tell(.removed(id, at: coordinate))
        case (let from?, let to?):
            if isMoved { tell(.moved(id, from: from, to: to)) }
            if isChanged { tell(.changed(id, at: to)) }
        }
    }
}
