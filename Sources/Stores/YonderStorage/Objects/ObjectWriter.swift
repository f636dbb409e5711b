import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

/// Writes entities and objects by their rules, inside transactions that the caller begins and ends.
///
/// Each transaction is followed by ``end(failed:)``.
///
/// `SQLiteStore` calls ``change(_:in:)`` for each submission of a commit and ``flush(in:)`` at its end,
/// `SQLiteStore+Objects.swift` the functions for entities. A refusal is a result, and the other submissions go on; any
/// other error ends the transaction. That the memory is dropped after a rollback must stay: otherwise counts and
/// definitions would be of writes that never were (`SQLiteObjectTests`).
// Safe because every call comes from the one queue of the database's writer.
final class ObjectWriter: @unchecked Sendable {
    /// Every entity as this transaction sees it; `nil` before the first transaction, and after a rollback.
    private var rows: [EntityName: EntityRow]?

    /// The entities whose count of objects isn't written yet.
    private var counted: Set<EntityName> = []

    /// The warrants that were judged in this transaction, and hold.
    private var judged: Set<Warrant> = []

    /// Call this when a transaction has ended; after a rollback the memory is discarded.
    func end(failed: Bool) {
        judged.removeAll(keepingCapacity: true)
        if failed { rows = nil }
        counted.removeAll(keepingCapacity: true)
    }

    /// Writes the counts of objects, once for the whole transaction.
    func flush(in database: Database) throws {
        for name in counted { try rows?[name]?.update(in: database) }
        counted.removeAll(keepingCapacity: true)
    }

    func create(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant,
        in database: Database
    ) throws -> Entity {
        try judge(warrant, in: database)
        let entities = try load(database).mapValues(\.entity)
        let entity = try EntityRules.create(definition, by: caller, among: entities, at: time)
        rows?[entity.name] = try EntityRow.insert(entity, into: database)
        return entity
    }

    func change(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant,
        in database: Database
    ) throws -> Entity {
        try judge(warrant, in: database)
        let rows = try load(database)
        let entities = rows.mapValues(\.entity)
        let entity = try EntityRules.change(definition, by: caller, among: entities, at: time)
        if var row = rows[entity.name] {
            row.entity = entity
            try row.update(in: database)
            self.rows?[entity.name] = row
        }
        return entity
    }

    func delete(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant, in database: Database)
        throws
    {
        try judge(warrant, in: database)
        let rows = try load(database)
        try EntityRules.checkDeletion(of: name, by: caller, among: rows.mapValues(\.entity))
        try rows[name]?.remove(from: database)
        self.rows?[name] = nil
    }

    func change(_ submission: ObjectSubmission, in database: Database) throws -> Result<
        ObjectChange, SharingError
    > {
        do {
            try judge(submission.warrant, in: database)
            return .success(try accept(submission, in: database))
        } catch let refusal as SharingError {
            return .failure(refusal)
        }
    }

    /// Judges a warrant, once in a transaction: an import has one for all of its rows.
    private func judge(_ warrant: Warrant, in database: Database) throws {
        guard warrant != .server, !judged.contains(warrant) else { return }
        try WarrantTable.judge(warrant, SQLiteTransaction(database))
        judged.insert(warrant)
    }

    private func accept(_ submission: ObjectSubmission, in database: Database) throws -> ObjectChange {
        let row = try load(database)[submission.entity]
        _ = try EntityRules.writable(row?.entity, by: submission.caller)
        guard let row else { throw SharingError.unknownEntity }
        let surroundings = try surroundings(of: submission, row, in: database)
        let decision = try ObjectRules.decide(submission, in: row.entity, surroundings)
        if decision.isChange { try write(decision, row, in: database) }
        return decision.change
    }

    private func surroundings(of submission: ObjectSubmission, _ row: EntityRow, in database: Database) throws
        -> ObjectRules.Surroundings
    {
        let id = submission.object
        var surroundings = ObjectRules.Surroundings(object: try ObjectRow.object(id, of: row, in: database))
        if case .create = submission.action, surroundings.object == nil {
            surroundings.isTaken = try ObjectRow.exists(id, in: database)
        }
        for target in submission.references {
            surroundings.targets[target] = try ObjectRow.entity(of: target, in: database)
        }
        if case .delete = submission.action {
            surroundings.isReferenced = try ObjectRow.isReferenced(id, in: database)
        }
        return surroundings
    }

    private func write(_ decision: ObjectRules.Decision, _ row: EntityRow, in database: Database) throws {
        let (before, after) = (decision.change.before, decision.change.after)
        if let record = decision.change.record, before == nil {
            try ObjectRow.insert(record, entity: row.number, into: database)
            count(1, row.entity.name)
        } else if let record = decision.change.record {
            try ObjectRow.update(record, in: database)
        } else if let before {
            try ObjectRow.remove(before.id, from: database)
            count(-1, row.entity.name)
        }
        let references = after?.references ?? []
        guard let id = (after ?? before)?.id, before?.references ?? [] != references else { return }
        try ObjectRow.refer(from: id, to: references, in: database)
    }

    private func count(_ difference: Int, _ name: EntityName) {
        rows?[name]?.entity.count += difference
        counted.insert(name)
    }

    private func load(_ database: Database) throws -> [EntityName: EntityRow] {
        if let rows { return rows }
        let all = try EntityRow.all(in: database)
        let rows = Dictionary(uniqueKeysWithValues: all.map { ($0.entity.name, $0) })
        self.rows = rows
        return rows
    }
}
