import Synchronization
import YonderGeodesy
import YonderModel

/// Where the objects of one entity are, and what they are.
///
/// Belongs to nobody: each call has it for itself, for some microseconds. Who watches it has an inbox here, into which
/// each change goes in the same moment as into the index: see ``PlaceFeed``.
final class PlaceIndex: Sendable {
    struct State: ~Copyable {
        var points = PointIndex()
        var roll = PlaceRoll()
        var inboxes: [PlaceInbox] = []
        var nextInbox = 0
    }

    let state: Mutex<State>

    init() {
        state = Mutex(State())
    }

    /// Takes in what was read from a store at the start.
    init(_ roll: PlaceRoll, _ points: [PointIndex.Entry]) {
        var index = PointIndex()
        index.load(points)
        state = Mutex(State(points: index, roll: roll))
    }

    /// How many places there are.
    var count: Int { state.withLock { $0.points.count } }

    /// How many numbers were ever needed at once.
    var capacity: Int { state.withLock { $0.roll.capacity } }

    /// How many event loops watch it.
    var inboxCount: Int { state.withLock { $0.inboxes.count } }

    /// Takes in what the store has committed, some of it at a time, so that others get a turn.
    func apply(_ changes: [ObjectChange]) {
        let edits = changes.compactMap { PlaceEdit($0) }
        for start in stride(from: 0, to: edits.count, by: Self.turn) {
            let turn = edits[start..<min(start + Self.turn, edits.count)]
            let wakes = state.withLock { state in turn.flatMap { state.apply($0) } }
            for wake in wakes { wake() }
        }
    }

    /// How many changes are taken in before others get a turn: some 100 µs of work.
    private static let turn = 128

    /// What is in a region, in the index's own order: costs what is listed, not what is inside.
    func region(_ region: Region, limit: Int) -> PlaceAnswer {
        state.withLock { state in
            let selection = state.points.region(region, limit: limit)
            var answer = PlaceAnswer(total: selection.total)
            for number in selection.ids {
                guard let record = state.roll.records[number], answer.append(record) else { break }
            }
            return answer
        }
    }

    /// Writes what ``region(_:limit:)`` would list as a JSON array, straight from what is kept.
    ///
    /// - Returns: How many there are, listed or not.
    func write(_ region: Region, limit: Int, to writer: inout JSONWriter) -> Int {
        state.withLock { state in
            let selection = state.points.region(region, limit: limit)
            let records = state.roll.records
            let bytes = records.byteCount(of: selection.ids)
            writer.reserve(min(bytes, PlaceAnswer.byteLimit) + selection.ids.count * 160 + 64)
            writer.places(selection.ids.lazy.compactMap { records[$0] })
            return selection.total
        }
    }

    /// The nearest to a coordinate.
    func nearest(_ limit: Int, to center: Coordinate, within reach: Distance?) -> NearbyAnswer {
        state.withLock { state in
            var answer = NearbyAnswer()
            for neighbor in state.points.nearest(limit, to: center, within: reach) {
                guard let record = state.roll.records[neighbor.id], answer.append(record, neighbor.distance)
                else { break }
            }
            return answer
        }
    }

    /// All places at this instant, to look at without hurry.
    func snapshot() -> PlaceSnapshot {
        state.withLock { PlaceSnapshot(points: $0.points.snapshot(), records: $0.roll.records) }
    }
}

extension PlaceIndex.State {
    fileprivate typealias Wakes = [@Sendable () -> Void]

    /// Takes in what became of an object, and tells who watches.
    fileprivate mutating func apply(_ edit: PlaceEdit) -> Wakes {
        guard let record = edit.record, let coordinate = record.coordinate else { return remove(edit.id) }
        return put(record, coordinate, edit.altitude, isMovedAlone: edit.isMovedAlone)
    }

    /// Puts an object on the map, or elsewhere, or another in its place, and tells who watches.
    private mutating func put(
        _ record: ObjectRecord,
        _ coordinate: Coordinate.Rounded,
        _ altitude: Distance?,
        isMovedAlone: Bool
    ) -> Wakes {
        guard let number = roll.number(of: record.id), let old = points.coordinate(of: number) else {
            let number = roll.add(record)
            roll.note(altitude, of: number)
            points.insert(number, at: coordinate)
            return tell([.inserted(number, at: coordinate)])
        }
        roll.replace(number, by: record)
        roll.note(altitude, of: number)
        if old != coordinate { points.move(number, to: coordinate) }
        if isMovedAlone { return tell([.moved(number, from: old, to: coordinate)]) }
        let changed = PlaceEvent.changed(number, at: coordinate)
        return tell(old == coordinate ? [changed] : [.moved(number, from: old, to: coordinate), changed])
    }

    /// Takes an object off the map, and tells who watches.
    private mutating func remove(_ id: ObjectID) -> Wakes {
        guard let number = roll.number(of: id), let place = points.coordinate(of: number) else { return [] }
        points.remove(number)
        _ = roll.remove(id, awaiting: inboxes.count)
        return tell([.removed(number, at: place)])
    }

    private mutating func tell(_ events: [PlaceEvent]) -> Wakes {
        var wakes: Wakes = []
        for event in events {
            for index in inboxes.indices {
                let isNew = inboxes[index].append(event, places: points.count) { roll.acknowledge($0) }
                if isNew { wakes.append(inboxes[index].wake) }
            }
        }
        return wakes
    }
}

/// What became of an object, worked out before anybody has to wait for it.
private struct PlaceEdit {
    let id: ObjectID
    let record: ObjectRecord?
    let altitude: Distance?
    let isMovedAlone: Bool

    /// Works it out; `nil` if nothing did.
    init?(_ change: ObjectChange) {
        guard let id = (change.after ?? change.before)?.id, change.before != change.after else { return nil }
        self.id = id
        record = change.record
        altitude = change.after?.location?.altitude
        isMovedAlone = change.isMovedAlone
    }
}

extension ObjectChange {
    /// Whether the object is elsewhere, or higher, and otherwise as it was.
    fileprivate var isMovedAlone: Bool {
        guard let before, let after, let old = before.location, let new = after.location,
            old.coordinate != nil, new.coordinate != nil,
            old.address == new.address, old != new
        else { return false }
        return before.fields.count == after.fields.count
            && before.fields.allSatisfy { name, value in
                if case .location = value { true } else { after.fields[name] == value }
            }
    }
}

/// All places of an entity as they were at one instant.
struct PlaceSnapshot: Sendable {
    let points: PointSnapshot
    let records: PlaceRecords
}
