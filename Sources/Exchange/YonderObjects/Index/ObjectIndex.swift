import Synchronization
import YonderGeodesy
import YonderJSON
import YonderModel
import YonderRules

/// The positions and fields of one entity's objects.
///
/// Shared by all threads: each call holds the lock for some microseconds. Each event loop that watches the
/// index has an inbox here, which receives a change under the same lock as the index itself.
///
/// `ObjectCatalog` makes one for each entity at the start (`IndexLoading`), applies every committed change, in their order,
/// and answers queries by snapshots; `LiveRegions` adds and removes inboxes. Nothing throws. A change that was read from the
/// store, and that the index already has, changes nothing. The batch sizes may be changed; that index and inboxes change
/// under one lock must stay, or a region misses a change between its first frame and its first update (decisions 9 and 10,
/// `ObjectFeedTests`).
package final class ObjectIndex: Sendable {
    struct State: ~Copyable {
        var points = PointIndex()
        var roll = ObjectRoll()
        var inboxes: [IndexInbox] = []
        var nextInbox = 0
    }

    let state: Mutex<State>

    init() {
        state = Mutex(State())
    }

    /// Creates the index from the objects read from a store at start.
    init(_ roll: ObjectRoll, _ points: [PointIndex.Entry]) {
        var index = PointIndex()
        index.load(points)
        state = Mutex(State(points: index, roll: roll))
    }

    /// The number of objects on the map.
    var count: Int { state.withLock { $0.points.count } }

    /// The most numbers that were ever in use at once.
    var capacity: Int { state.withLock { $0.roll.capacity } }

    /// The number of event loops that watch the index.
    var inboxCount: Int { state.withLock { $0.inboxes.count } }

    /// Applies committed changes, a batch at a time, releasing the lock in between.
    func apply(_ changes: [ObjectChange]) {
        apply(changes.compactMap { ObjectEdit($0) })
    }

    /// Applies changes by their newest states, a batch at a time.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - isReread: Whether the changes were read from the store, so that the index may have some of them already.
    func apply(_ changes: [LaneChange], isReread: Bool) {
        apply(changes.map { ObjectEdit($0, isReread: isReread) })
    }

    private func apply(_ edits: [ObjectEdit]) {
        for start in stride(from: 0, to: edits.count, by: Self.turn) {
            let turn = edits[start..<min(start + Self.turn, edits.count)]
            let wakes = state.withLock { state in turn.flatMap { state.apply($0) } }
            for wake in wakes { wake() }
        }
    }

    /// The number of changes applied under one lock: some 100 µs of work.
    private static let turn = 128

    /// Returns the objects in a region, in the index's order.
    ///
    /// - Complexity: Proportional to the objects listed, not to those inside.
    func region(_ region: Region, limit: Int) -> ObjectList {
        state.withLock { state in
            let selection = state.points.region(region, limit: limit)
            var answer = ObjectList(total: selection.total)
            for number in selection.ids {
                guard let record = state.roll.records[number], answer.append(record) else { break }
            }
            return answer
        }
    }

    /// Appends the list of ``region(_:limit:)`` as a JSON array, copying the stored bytes.
    ///
    /// - Returns: The number of objects inside, listed or not.
    func write(_ region: Region, limit: Int, to writer: inout JSONWriter) -> Int {
        state.withLock { state in
            let selection = state.points.region(region, limit: limit)
            let records = state.roll.records
            let bytes = records.byteCount(of: selection.ids)
            writer.reserve(min(bytes, ObjectList.byteLimit) + selection.ids.count * 160 + 64)
            writer.records(selection.ids.lazy.compactMap { records[$0] })
            return selection.total
        }
    }

    /// Returns the objects nearest to a coordinate.
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

    /// The ids of all objects on the map.
    var ids: [ObjectID] {
        let (records, capacity) = state.withLock { ($0.roll.records, $0.roll.capacity) }
        return (0..<capacity).compactMap { records[PointIndex.ID($0)]?.id }
    }

    /// A snapshot of all objects on the map, to be read without holding the lock.
    func snapshot() -> IndexSnapshot {
        state.withLock { IndexSnapshot(points: $0.points.snapshot(), records: $0.roll.records) }
    }
}

extension ObjectIndex.State {
    fileprivate typealias Wakes = [@Sendable () -> Void]

    /// Applies one change, and returns the event loops to wake.
    fileprivate mutating func apply(_ edit: ObjectEdit) -> Wakes {
        guard let record = edit.record, let coordinate = record.coordinate else { return remove(edit.id) }
        guard let number = roll.number(of: record.id), edit.isReread || edit.movedFrom != nil,
            let old = roll.records[number]
        else { return put(record, coordinate, edit.altitude, isMovedAlone: edit.isMovedAlone) }
        if edit.isReread, old == record { return [] }
        // If the shown version isn't the one before the move, more than the position may differ.
        let isMovedAlone = old.updated == edit.movedFrom
        return put(record, coordinate, edit.altitude, isMovedAlone: isMovedAlone)
    }

    /// Adds, moves or replaces an object on the map, and returns the event loops to wake.
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
        let changed = IndexEvent.changed(number, at: coordinate)
        return tell(old == coordinate ? [changed] : [.moved(number, from: old, to: coordinate), changed])
    }

    /// Removes an object from the map, and returns the event loops to wake.
    private mutating func remove(_ id: ObjectID) -> Wakes {
        guard let number = roll.number(of: id), let coordinate = points.coordinate(of: number) else {
            return []
        }
        points.remove(number)
        _ = roll.remove(id, awaiting: inboxes.count)
        return tell([.removed(number, at: coordinate)])
    }

    private mutating func tell(_ events: [IndexEvent]) -> Wakes {
        var wakes: Wakes = []
        for event in events {
            for index in inboxes.indices {
                let isNew = inboxes[index].append(event, items: points.count) { roll.acknowledge($0) }
                if isNew { wakes.append(inboxes[index].wake) }
            }
        }
        return wakes
    }
}

/// A change of an object in the form that the index needs, computed before the lock is taken.
private struct ObjectEdit {
    let id: ObjectID
    let record: ObjectRecord?
    let altitude: Distance?
    let isMovedAlone: Bool

    /// For a move alone, the time of change of the version before it; `nil` if more changed, and for changes of a server
    /// that is alone.
    var movedFrom: Timestamp?

    /// Whether the index may have this version already.
    var isReread = false

    /// Creates the edit of a change that other nodes may have made.
    init(_ change: LaneChange, isReread: Bool) {
        id = change.object
        record = change.record
        altitude = change.altitude
        isMovedAlone = false
        movedFrom = change.movedFrom
        self.isReread = isReread
    }

    /// Computes the edit; `nil` if the object is the same as before.
    init?(_ change: ObjectChange) {
        guard let id = (change.after ?? change.before)?.id, change.before != change.after else { return nil }
        self.id = id
        record = change.record
        altitude = change.after?.location?.altitude
        isMovedAlone = change.isMovedAlone
    }
}

/// All objects of an entity on the map at one instant.
struct IndexSnapshot: Sendable {
    let points: PointSnapshot
    let records: RecordPages
}
