package import YonderModel
package import YonderRules

/// The lanes of all entities on one node: decides which changes are applied to the map, and which reads are due.
///
/// A change is applied only under the definition with which it was committed, because this decodes its fields. If the
/// node knows another version, the definitions are read first, and then the change is read from the store.
///
/// `ObjectCatalog` holds it behind a mutex: `ObjectCatalog+Nodes.swift` passes committed changes of this node and
/// others, applies what is returned to the indexes, makes the reads that ``takeWishes(at:)`` returns, and passes their
/// answers back. Any change may come twice, late or never: a gap is read from the store after ``hold``, a failed read is
/// wished for again.
///
/// It is a plain value without clock or store, and nothing throws. Changes of one lane must be applied in the order of
/// their numbers, each once (decision 34, `LaneTableTests`, `ObjectNodesTests`). ``hold`` may be changed.
package struct LaneTable: Sendable {
    /// How long to wait for missing numbers before these are read.
    static let hold = Duration.milliseconds(100)

    /// The entities by their numbers.
    package private(set) var entities: [Int64: NumberedEntity] = [:]

    /// Whether an entity is unknown, changed or gone, so that the definitions must be read.
    package private(set) var wantsDefinitions = false

    /// The lane gates of all entities that the node knows.
    private var gates: [ObjectLane: LaneGate] = [:]

    /// The lanes whose gates miss changes or want a read.
    private var unsettled: Set<ObjectLane> = []

    /// Creates a table of entities whose objects were read after the last numbers of their lanes.
    package init(_ definitions: [NumberedEntity] = [], lasts: [LaneLast] = []) {
        _ = learn(definitions)
        for last in lasts where gates[last.lane] != nil { gates[last.lane] = LaneGate(head: last.last) }
        unsettled = []
    }

    /// The number up to which every change of a lane has arrived; `nil` if its entity isn't known.
    package func head(of lane: ObjectLane) -> Int64? { gates[lane]?.head }

    /// Whether no lane misses a change, and no definition must be read.
    package var isLevel: Bool { unsettled.isEmpty && !wantsDefinitions }

    // MARK: Definitions

    /// The entities that an update of the definitions has changed.
    package struct Difference: Sendable {
        /// New entities.
        package var added: [NumberedEntity] = []

        /// Entities with a newer version of their definition.
        package var changed: [NumberedEntity] = []

        /// Deleted entities.
        package var removed: [NumberedEntity] = []
    }

    /// Receives definitions; an older version than the known one is ignored.
    package mutating func learn(_ definitions: [NumberedEntity]) -> Difference {
        var difference = Difference()
        for definition in definitions {
            let known = entities[definition.number]
            guard known.map({ $0.version < definition.version }) ?? true else { continue }
            entities[definition.number] = definition
            guard known == nil else {
                difference.changed.append(definition)
                continue
            }
            difference.added.append(definition)
            for lane in ObjectLane.all(of: definition.number) {
                gates[lane] = LaneGate(head: 0)
            }
        }
        return difference
    }

    /// Called before the store is asked for the definitions of all entities.
    ///
    /// - Returns: The numbers of the entities that are known now.
    package mutating func beginDefinitions() -> Set<Int64> {
        wantsDefinitions = false
        return Set(entities.keys)
    }

    /// Receives the definitions of all entities.
    ///
    /// - Parameters:
    ///   - definitions: The definitions.
    ///   - past: The result of ``beginDefinitions()``.
    /// - Returns: The difference.
    package mutating func replace(_ definitions: [NumberedEntity], past: Set<Int64>) -> Difference {
        var difference = learn(definitions)
        for gone in past.subtracting(definitions.map(\.number)) {
            guard let entity = entities.removeValue(forKey: gone) else { continue }
            difference.removed.append(entity)
            for lane in ObjectLane.all(of: gone) {
                gates[lane] = nil
                unsettled.remove(lane)
            }
        }
        return difference
    }

    /// Called when a definition may have changed.
    package mutating func doubtDefinitions() {
        wantsDefinitions = true
    }

    // MARK: Changes

    /// Receives committed changes, of this node or another.
    ///
    /// - Returns: The changes that must be applied, in order.
    package mutating func receive(_ changes: [LaneChange], at now: ContinuousClock.Instant) -> [LaneChange] {
        changes.filter { change in
            guard var gate = gates[change.lane], let entity = entities[change.lane.entity] else {
                wantsDefinitions = true
                return false
            }
            let isNews: Bool
            if change.version == entity.version {
                isNews = gate.receive(change.number, of: change.object, at: now, hold: Self.hold)
            } else {
                if change.version > entity.version { wantsDefinitions = true }
                gate.lack(change.number)
                isNews = false
            }
            keep(gate, of: change.lane)
            return isNews
        }
    }

    private mutating func keep(_ gate: LaneGate, of lane: ObjectLane) {
        gates[lane] = gate
        if gate.isLevel { unsettled.remove(lane) } else { unsettled.insert(lane) }
    }

    // MARK: Reads

    /// The numbers up to which every change of each lane has arrived.
    package var heads: [ObjectLane: Int64] { gates.mapValues(\.head) }

    /// Receives the last numbers of all lanes.
    ///
    /// - Parameters:
    ///   - lasts: The numbers as the store has them.
    ///   - past: The ``heads`` before the query.
    ///   - isUrgent: Whether frames are known to be lost.
    package mutating func sweep(_ lasts: [LaneLast], past: [ObjectLane: Int64], isUrgent: Bool) {
        for last in lasts {
            guard var gate = gates[last.lane], entities[last.lane.entity]?.version ?? 0 >= last.version else {
                wantsDefinitions = true
                continue
            }
            // A lane that was added during the query is compared in the next sweep.
            guard let head = past[last.lane] else { continue }
            gate.sweep(last: last.last, past: head, isUrgent: isUrgent)
            keep(gate, of: last.lane)
        }
        let stored = Set(lasts.map(\.lane.entity))
        if !Set(past.keys.map(\.entity)).isSubset(of: stored) { wantsDefinitions = true }
    }

    /// The reads that are due at `now`; each counts as under way until its answer is passed to one of the methods below.
    package mutating func takeWishes(at now: ContinuousClock.Instant) -> [(
        lane: ObjectLane, wish: LaneGate.Wish
    )] {
        unsettled.compactMap { lane in gates[lane]?.wish(at: now).map { (lane, $0) } }
    }

    /// Receives the page for a wish.
    ///
    /// - Returns: The changes that must be applied, in order.
    package mutating func receive(
        _ page: LanePage,
        of lane: ObjectLane,
        after number: Int64,
        at now: ContinuousClock.Instant
    ) -> [LaneChange] {
        guard var gate = gates[lane], let entity = entities[lane.entity] else { return [] }
        var news: [LaneChange] = []
        if page.version == entity.version {
            news = gate.receive(page, after: number, at: now, hold: Self.hold)
        } else {
            if page.version > entity.version { wantsDefinitions = true }
            gate.readFailed(at: now, hold: Self.hold)
        }
        keep(gate, of: lane)
        return news
    }

    /// Receives the ids of all objects of a lane.
    ///
    /// - Parameters:
    ///   - census: The ids.
    ///   - lane: The lane.
    ///   - objects: The objects of the lane that the node shows.
    /// - Returns: The objects among these that were deleted.
    package mutating func receive(_ census: LaneCensus, of lane: ObjectLane, showing objects: [ObjectID])
        -> [ObjectID]
    {
        guard var gate = gates[lane] else { return [] }
        let gone = gate.receive(census, showing: objects)
        keep(gate, of: lane)
        return gone
    }

    /// Called when a read has failed; `isGone` if its entity wasn't found.
    package mutating func readFailed(of lane: ObjectLane, at now: ContinuousClock.Instant, isGone: Bool) {
        if isGone { wantsDefinitions = true }
        guard var gate = gates[lane] else { return }
        gate.readFailed(at: now, hold: Self.hold)
        keep(gate, of: lane)
    }
}
