import Synchronization
import YonderGeodesy
import YonderModel

/// Where the objects of one entity are, and what they are.
///
/// Belongs to nobody: each call has it for itself, for some microseconds.
final class PlaceIndex: Sendable {
    private struct State: ~Copyable {
        var points = PointIndex()
        var roll = PlaceRoll()
    }

    private let state: Mutex<State>

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

    /// Takes in what the store has committed.
    func apply(_ change: ObjectChange) {
        guard let id = (change.after ?? change.before)?.id, change.before != change.after else { return }
        let record = change.after.map(ObjectRecord.init)
        state.withLock { state in
            if let record, let coordinate = record.coordinate {
                Self.put(record, coordinate, in: &state)
            } else if let number = state.roll.remove(id) {
                state.points.remove(number)
            }
        }
    }

    private static func put(_ record: ObjectRecord, _ coordinate: Coordinate.Rounded, in state: inout State) {
        if let number = state.roll.number(of: record.id) {
            state.roll.replace(number, by: record)
            if state.points.coordinate(of: number) != coordinate { state.points.move(number, to: coordinate) }
        } else {
            state.points.insert(state.roll.add(record), at: coordinate)
        }
    }

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

/// All places of an entity as they were at one instant.
struct PlaceSnapshot: Sendable {
    let points: PointSnapshot
    let records: PlaceRecords
}
