import Synchronization
import TestSupport
import YonderGeodesy
import YonderModel
import YonderRules

/// Objects in memory that several nodes write to: numbers each change in its lane, as PostgreSQL does.
final class LaneStore: ForwardingObjectStore, ObjectLog {
    private struct Row {
        let number: Int64
        let record: ObjectRecord?
    }

    private struct Lane {
        var last: Int64 = 0
        var trimmed: Int64 = 0
        var rows: [ObjectID: Row] = [:]
        var removals: [Int64: ObjectID] = [:]
    }

    private struct State {
        var numbers: [EntityName: (number: Int64, version: Int64)] = [:]
        var next: Int64 = 1
        var lanes: [ObjectLane: Lane] = [:]
    }

    let store = MemoryStore()
    private let state = Mutex(State())

    /// Forgets all deletions.
    func trim() {
        state.withLock { state in
            state.lanes = state.lanes.mapValues { lane in
                var lane = lane
                lane.trimmed = max(lane.trimmed, lane.removals.keys.max() ?? 0)
                lane.removals = [:]
                return lane
            }
        }
    }

    // MARK: Writing

    func commit(_ submissions: [ObjectSubmission], completion: @escaping @Sendable (ObjectCommit) -> Void) {
        // The store completes before it returns, so that the lock keeps numbers and changes in one order.
        let commit = state.withLock { state in
            let answer = Mutex<[Result<ObjectChange, SharingError>]>([])
            store.change(submissions) { results in answer.withLock { $0 = results } }
            let results = answer.withLock(\.self)
            let changes = results.compactMap { result in
                (try? result.get()).flatMap { Self.number($0, &state) }
            }
            return ObjectCommit(results: results, changes: changes)
        }
        completion(commit)
    }

    private static func number(_ change: ObjectChange, _ state: inout State) -> LaneChange? {
        guard let object = change.after ?? change.before, let entity = state.numbers[object.entity] else {
            return nil
        }
        let key = ObjectLane(entity: entity.number, of: object.id)
        var lane = state.lanes[key] ?? Lane()
        let number = lane.last + 1
        guard let numbered = LaneChange(change, in: key, number: number, version: entity.version) else {
            return nil
        }
        lane.last = number
        lane.rows[object.id] = change.after == nil ? nil : Row(number: number, record: numbered.record)
        if change.after == nil { lane.removals[number] = object.id }
        state.lanes[key] = lane
        return numbered
    }

    func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        commit(submissions) { completion($0.results) }
    }

    func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        let entity = try await store.createEntity(definition, by: caller, at: time, under: warrant)
        state.withLock { state in
            for lane in ObjectLane.all(of: state.next) { state.lanes[lane] = Lane() }
            state.numbers[definition.name] = (state.next, 1)
            state.next += 1
        }
        return entity
    }

    func changeEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        let entity = try await store.changeEntity(definition, by: caller, at: time, under: warrant)
        state.withLock { $0.numbers[definition.name]?.version += 1 }
        return entity
    }

    func deleteEntity(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant)
        async throws(SharingError)
    {
        try await store.deleteEntity(name, by: caller, under: warrant)
        state.withLock { state in
            guard let gone = state.numbers.removeValue(forKey: name) else { return }
            for lane in ObjectLane.all(of: gone.number) { state.lanes[lane] = nil }
        }
    }

    // MARK: Reads by nodes

    func definitions() async throws(SharingError) -> [NumberedEntity] {
        let entities = try await store.entities(for: .owner)
        return state.withLock { state in
            entities.compactMap { entity in
                state.numbers[entity.name].map {
                    NumberedEntity(number: $0.number, version: $0.version, entity: entity)
                }
            }
        }
    }

    func lasts() async throws(SharingError) -> [LaneLast] {
        state.withLock { state in
            let versions = Dictionary(
                uniqueKeysWithValues: state.numbers.values.map { ($0.number, $0.version) }
            )
            return state.lanes.map { key, lane in
                LaneLast(lane: key, version: versions[key.entity] ?? 0, last: lane.last)
            }
        }
    }

    func changes(in key: ObjectLane, after number: Int64, count: Int) async throws(SharingError) -> LanePage?
    {
        state.withLock { state in
            guard let lane = state.lanes[key],
                let version = state.numbers.values.first(where: { $0.number == key.entity })?.version
            else { return nil }
            let rows = lane.rows.map { ($1.number, $0, $1.record) }
            let removals = lane.removals.map { ($0, $1, ObjectRecord?.none) }
            let all = (rows + removals).filter { $0.0 > number }.sorted { $0.0 < $1.0 }
            let changes = all.prefix(count).map { number, object, record in
                LaneChange(lane: key, number: number, version: version, object: object, record: record)
            }
            return LanePage(
                last: lane.last,
                trimmed: lane.trimmed,
                version: version,
                changes: changes,
                isComplete: all.count <= count
            )
        }
    }

    func census(of key: ObjectLane) async throws(SharingError) -> LaneCensus? {
        state.withLock { state in
            state.lanes[key].map { LaneCensus(last: $0.last, objects: Set($0.rows.keys)) }
        }
    }
}
