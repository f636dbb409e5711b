#if Postgres
import YonderLibPQ
import YonderModel
import YonderRules

/// Reads what submissions depend on, has them decided, and writes the outcome, in a transaction of the caller's.
///
/// `PostgreSQLStore+Objects.swift` calls ``write(_:_:)`` for each commit of queued submissions. A refusal is one
/// submission's; a failed statement fails the transaction, which begins again where PostgreSQL asks for it, and decides
/// anew. What is decided is in `ObjectRules` and ``ObjectLedger``.
///
/// Locks are taken in this order: accounts of callers, lanes, then the objects to be removed, then the targets of references, each by id. It
/// must stay, or transactions wait for each other. ``margin`` must be more than all processes can write at once, as an
/// entity's limit is exact (decision 34, `PostgreSQLObjectTests`).
enum ObjectWriter {
    /// How near to its limit of objects an entity's lanes are all locked, so that the count is exact: more than all
    /// processes write at once.
    private static let margin = 100_000

    /// The outcome of submissions; `changes` has one element for each, `nil` for a submission that changed nothing.
    struct Outcome: Sendable {
        let results: [Result<ObjectChange, SharingError>]
        let changes: [LaneChange?]
        let definitions: [NumberedEntity]
    }

    static func write(_ submissions: [ObjectSubmission], _ transaction: Transaction) async throws -> Outcome {
        let refusals = try await transaction.refusals(of: Set(submissions.map(\.warrant)))
        var ledger = try await read(submissions, transaction)
        let results = submissions.map { ledger.decide($0, refused: refusals[$0.warrant]) }
        try await ObjectTable.remove(ledger.removals, transaction)
        try await ObjectTable.insert(ledger.insertions, transaction)
        try await ObjectTable.update(ledger.updates, transaction)
        try await ObjectTable.refer(ledger.referring, transaction)
        try await ObjectTable.write(ledger.lanes, transaction)
        return Outcome(results: results, changes: ledger.numbered, definitions: ledger.definitions)
    }

    private static func read(_ submissions: [ObjectSubmission], _ transaction: Transaction) async throws
        -> ObjectLedger
    {
        var (lanes, entries) = try await lock(submissions, transaction)
        let creations = submissions.count
        let full = entries.filter { $0.entity.count + creations > Entity.objectLimit - margin }
        if !full.isEmpty {
            // Transactions that do so may wait in a circle; the database ends one of them, which begins again.
            let all = full.flatMap { entry in LaneKey.all.map { (entry.entity.name, $0) } }
            lanes.merge(try await LaneKey.lock(all, transaction)) { first, _ in first }
            entries = try await self.entries(of: lanes, transaction)
        }
        let removed = submissions.compactMap { submission in
            if case .delete(let id, _) = submission.action { Int64?.some(id.rawValue) } else { nil }
        }
        let sources = try await sources(of: removed, transaction)
        let known = try await known(submissions, among: entries, transaction)
        return ObjectLedger(entries: entries, lanes: lanes, known: known, sources: sources)
    }

    private static func lock(_ submissions: [ObjectSubmission], _ transaction: Transaction) async throws -> (
        [LaneKey: Int64], [EntityTable.Entry]
    ) {
        var wanted: [EntityName: Set<Int64>] = [:]
        for submission in submissions {
            wanted[submission.entity, default: []].insert(LaneKey.lane(of: submission.object))
        }
        let pairs = wanted.flatMap { name, lanes in lanes.map { (name, $0) } }
        let lanes = try await LaneKey.lock(pairs, transaction)
        return (lanes, try await entries(of: lanes, transaction))
    }

    /// The entities of locked lanes, whose definitions can't change any more.
    private static func entries(of lanes: [LaneKey: Int64], _ transaction: Transaction) async throws
        -> [EntityTable.Entry]
    {
        let numbers = Set(lanes.keys.map(\.entity))
        guard !numbers.isEmpty else { return [] }
        return try await transaction.query(EntityTable.byNumber, [.ints(Array(numbers))])
            .map(EntityTable.entry)
    }

    private static func sources(of removed: [Int64], _ transaction: Transaction) async throws -> [ObjectID:
        Set<ObjectID>]
    {
        guard !removed.isEmpty else { return [:] }
        try await transaction.query(ObjectTable.lockRemovals, [.ints(removed)])
        var sources: [ObjectID: Set<ObjectID>] = [:]
        for row in try await transaction.query(ObjectTable.sources, [.ints(removed)]) {
            guard let target = ObjectID(row.int(0)), let source = ObjectID(row.int(1)) else { continue }
            sources[target, default: []].insert(source)
        }
        return sources
    }

    private static func known(
        _ submissions: [ObjectSubmission],
        among entries: [EntityTable.Entry],
        _ transaction: Transaction
    ) async throws -> [ObjectID: ObjectLedger.Known] {
        let targets = submissions.reduce(into: Set<ObjectID>()) { $0.formUnion($1.references) }
        if !targets.isEmpty {
            try await transaction.query(ObjectTable.lockTargets, [.ints(targets.map(\.rawValue))])
        }
        let ids = targets.union(submissions.map(\.object)).map(\.rawValue)
        let entities = Dictionary(entries.map { ($0.number, $0.entity) }) { first, _ in first }
        var known: [ObjectID: ObjectLedger.Known] = [:]
        for row in try await transaction.query(ObjectTable.known, [.ints(ids)]) {
            let number = row.int(7)
            guard let id = ObjectID(row.int(1)) else { continue }
            let object = try entities[number].map { entity throws(SharingError) in
                try ObjectTable.record(row, entity.name).object(of: entity)
            }
            let name = row.optionalText(8).flatMap { EntityName($0) }
            known[id] = ObjectLedger.Known(entity: number, name: name, object: object)
        }
        return known
    }
}
#endif
