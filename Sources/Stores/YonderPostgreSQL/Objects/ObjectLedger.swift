#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// Decides submissions one after the other, on what a transaction has read, and gathers what it must write.
///
/// A value without a database: the transaction holds the locks that keep what was read true until its end.
///
/// `ObjectWriter` makes one in each transaction, calls ``decide(_:)`` once for each submission, in order, and then writes
/// ``removals``, ``insertions``, ``updates``, ``referring`` and ``lanes``, each once and in this order. A refused submission
/// is a result like any other: the ledger is as it was, and the next is decided on it. If the database asks for the
/// transaction to be repeated, the writer begins with a new ledger.
///
/// Which submissions are accepted is decided by `EntityRules` and `ObjectRules`, for SQLite, too. Must stay: a lane's
/// numbers have no gaps, an object has the number of its last change, and ``numbered`` has one element for each submission;
/// other nodes find what they missed by these numbers (decision 34, `PostgreSQLObjectTests`).
struct ObjectLedger {
    /// An object as it was read.
    struct Known: Sendable {
        /// The number of its entity.
        let entity: Int64
        /// The name of its entity, or `nil` if the entity was deleted.
        let name: EntityName?
        /// The object, or `nil` if only its entity is needed.
        let object: Object?
    }

    /// The outcome of all decided submissions for one object.
    private struct Change {
        /// Whether the table has a row of this id from before.
        let isStored: Bool
        /// Whether that row is to be removed.
        var isRemoved = false

        /// The object's newest state, or `nil` if it was deleted.
        var record: ObjectRecord?

        /// The lane of its last change.
        var lane: LaneKey
        /// The number of the object's last change in its lane.
        var number: Int64 = 0

        /// The references that the object has in the end.
        var references: Set<ObjectID> = []
        /// The references that the tables have.
        let stored: Set<ObjectID>

        init(of known: Known?, in lane: LaneKey) {
            isStored = known != nil
            stored = known?.object?.references ?? []
            self.lane = lane
        }
    }

    /// An object's row to insert or to update.
    struct Line: Sendable {
        let record: ObjectRecord

        /// The number of the object's entity.
        let entity: Int64

        /// The number of the object's last change in its lane.
        let change: Int64
    }

    /// A removal that other nodes must receive.
    struct Removal: Sendable {
        let id: ObjectID
        let lane: LaneKey
        let change: Int64
    }

    /// The new content of a lane's row.
    struct Lane: Sendable {
        let key: LaneKey

        /// The number of the lane's last change.
        let last: Int64

        /// How many objects the lane has gained; negative if it lost some.
        let added: Int64
    }

    // What was read, brought forward by each accepted submission.
    private var entries: [EntityName: EntityTable.Entry]
    private var known: [ObjectID: Known]
    private var last: [LaneKey: Int64]
    private var added: [LaneKey: Int64] = [:]

    /// The stored references to the objects that are to be deleted.
    private let sources: [ObjectID: Set<ObjectID>]
    private var changes: [ObjectID: Change] = [:]

    /// The new objects that exist in the end, in the order of their creation.
    private var created: [ObjectID] = []

    /// The decided changes with their numbers: one for each submission, `nil` for a submission that changed nothing.
    private(set) var numbered: [LaneChange?] = []

    /// The removed objects that the table had.
    private(set) var removals: [Removal] = []

    /// Starts with what was read.
    ///
    /// - Parameters:
    ///   - entries: The entities whose lanes are locked.
    ///   - lanes: The locked lanes, each with the number of its newest change.
    ///   - known: The submissions' objects and the objects that they refer to, as far as they exist.
    ///   - sources: The objects that refer to those that are to be deleted.
    init(
        entries: [EntityTable.Entry],
        lanes: [LaneKey: Int64],
        known: [ObjectID: Known],
        sources: [ObjectID: Set<ObjectID>]
    ) {
        self.entries = Dictionary(entries.map { ($0.entity.name, $0) }) { first, _ in first }
        (self.known, self.sources, last) = (known, sources, lanes)
    }

    /// Decides the next submission, on what those before have made.
    ///
    /// - Returns: The change, or a refusal with a code of `EntityRules.writable` or `ObjectRules.decide`.
    mutating func decide(_ submission: ObjectSubmission, refused refusal: SharingError? = nil)
        -> Result<ObjectChange, SharingError>
    {
        do throws(SharingError) {
            if let refusal { throw refusal }
            return .success(try accept(submission))
        } catch {
            numbered.append(nil)
            return .failure(error)
        }
    }

    /// The entities under whose definitions the changes were decided.
    var definitions: [NumberedEntity] {
        entries.values.map { NumberedEntity(number: $0.number, version: $0.version, entity: $0.entity) }
    }

    private mutating func accept(_ submission: ObjectSubmission) throws(SharingError) -> ObjectChange {
        let entry = entries[submission.entity]
        _ = try EntityRules.writable(entry?.entity, by: submission.caller)
        guard let entry else { throw .unknownEntity }
        let decision = try ObjectRules.decide(
            submission,
            in: entry.entity,
            surroundings(of: submission, entry)
        )
        if decision.isChange { apply(decision.change, entry) } else { numbered.append(nil) }
        return decision.change
    }

    private func surroundings(of submission: ObjectSubmission, _ entry: EntityTable.Entry)
        -> ObjectRules.Surroundings
    {
        let id = submission.object
        let held = known[id]
        let object = held?.entity == entry.number ? held?.object : nil
        var surroundings = ObjectRules.Surroundings(object: object, isTaken: held != nil && object == nil)
        for target in submission.references { surroundings.targets[target] = known[target]?.name }
        if case .delete = submission.action { surroundings.isReferenced = isReferenced(id) }
        return surroundings
    }

    /// Whether another object refers to one, as far as it is among those that are to be deleted.
    private func isReferenced(_ id: ObjectID) -> Bool {
        let isStored = sources[id]?.contains { $0 != id && changes[$0] == nil } ?? false
        return isStored || changes.contains { $0 != id && $1.references.contains(id) }
    }

    /// Gives a change the next number of its lane, and adds it to what is to be written.
    private mutating func apply(_ change: ObjectChange, _ entry: EntityTable.Entry) {
        guard let object = change.after ?? change.before else { return numbered.append(nil) }
        let id = object.id
        let lane = LaneKey(entity: entry.number, lane: LaneKey.lane(of: id))
        let number = (last[lane] ?? 0) + 1
        last[lane] = number
        numbered.append(
            LaneChange(
                change,
                in: ObjectLane(entity: lane.entity, index: lane.lane),
                number: number,
                version: entry.version
            )
        )
        var line = changes[id] ?? Change(of: known[id], in: lane)
        (line.lane, line.number, line.record) = (lane, number, change.record)
        line.references = change.after?.references ?? []
        if change.before == nil { count(1, lane, object.entity) }
        if change.before == nil { created.append(id) }
        if change.after == nil {
            count(-1, lane, object.entity)
            created.removeAll { $0 == id }
            if line.isStored, !line.isRemoved {
                removals.append(Removal(id: id, lane: lane, change: number))
                line.isRemoved = true
            }
        }
        changes[id] = line
        known[id] = change.after.map { Known(entity: lane.entity, name: $0.entity, object: $0) }
    }

    private mutating func count(_ difference: Int64, _ lane: LaneKey, _ name: EntityName) {
        entries[name]?.entity.count += Int(difference)
        added[lane, default: 0] += difference
    }
}

// What is to be written, in this order: removals, new rows, changed rows, references, lanes.
extension ObjectLedger {
    /// The rows of new objects, in the order of creation.
    var insertions: [Line] { created.compactMap { id in changes[id].flatMap(line) } }

    /// The rows that change.
    var updates: [Line] {
        changes.values.filter { $0.isStored && !$0.isRemoved }.compactMap(line)
    }

    private func line(_ change: Change) -> Line? {
        change.record.map { Line(record: $0, entity: change.lane.entity, change: change.number) }
    }

    /// The objects whose references are written anew.
    var referring: [(source: ObjectID, targets: Set<ObjectID>)] {
        changes.filter { $1.references != $1.stored }.map { ($0, $1.references) }
    }

    /// The lanes that change.
    var lanes: [Lane] {
        let changed = Set(changes.values.map(\.lane)).union(removals.map(\.lane)).union(added.keys)
        return changed.map { Lane(key: $0, last: last[$0] ?? 0, added: added[$0] ?? 0) }
    }
}
#endif
