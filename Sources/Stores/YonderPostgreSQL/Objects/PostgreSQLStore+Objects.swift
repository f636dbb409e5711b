#if Postgres
package import YonderRules
import YonderLibPQ
import Synchronization
package import YonderGeodesy
package import YonderModel

// Entities and objects: the port `ObjectStore` and the writing half of `ObjectLog`. Reads go to a reader, and are made
// again if an entity's definition changed meanwhile; definitions change in transactions of their own; changes of objects
// wait in a queue, and one task commits those that wait together (`ObjectWriter`). A full queue refuses at once, with
// `storeBusy`. If the answer to a commit is lost, all submissions of it are answered `unavailable`, and may have been
// stored. The order of completions is that of the commits (decision 34, `PostgreSQLObjectTests`). Statements are in the
// tables. The order of completions must stay; how many submissions a commit has, and the 1 000 rows of a deletion's
// step, may be changed.
extension PostgreSQLStore: ObjectStore {
    /// See ``ObjectStore/entities(for:)``.
    package func entities(for caller: ObjectCaller) async throws(SharingError) -> [Entity] {
        var entities: [Entity] = []
        for row in try await read(EntityTable.all) { entities.append(try EntityTable.entry(row).entity) }
        return entities.filter { $0.mayBeRead(by: caller) }
    }

    /// See ``ObjectStore/entity(_:for:)``.
    package func entity(_ name: EntityName, for caller: ObjectCaller) async throws(SharingError) -> Entity {
        try await readable(name, by: caller).entity
    }

    private func readable(_ name: EntityName, by caller: ObjectCaller) async throws(SharingError)
        -> EntityTable.Entry
    {
        guard let row = try await read(EntityTable.byName, [.text(name.description)]).first else {
            throw .unknownEntity
        }
        let entry = try EntityTable.entry(row)
        _ = try EntityRules.readable(entry.entity, by: caller)
        return entry
    }

    /// See ``ObjectStore/createEntity(_:by:at:under:)``.
    package func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        try await once { transaction in
            try await transaction.judge(warrant)
            return try await EntityTable.create(definition, by: caller, at: time, transaction)
        }
    }

    /// See ``ObjectStore/changeEntity(_:by:at:under:)``.
    package func changeEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity {
        try await once { transaction in
            try await transaction.judge(warrant)
            return try await EntityTable.change(definition, by: caller, at: time, transaction)
        }
    }

    /// See ``ObjectStore/deleteEntity(_:by:under:)``.
    ///
    /// The objects are removed in transactions of 1 000, so that other writes needn't wait for all of them.
    package func deleteEntity(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant)
        async throws(SharingError)
    {
        try await once { transaction in
            try await transaction.judge(warrant)
            try await EntityTable.delete(name, by: caller, transaction)
        }
        try await sweepObjects()
    }

    /// Removes the objects of deleted entities, also of those whose deletion another process didn't finish.
    package func sweepObjects() async throws(SharingError) {
        while try await transaction(isRepeatable: true, { try await ObjectTable.sweep($0) }) {}
    }

    /// See ``ObjectStore/object(_:of:for:)``.
    package func object(
        _ id: ObjectID,
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> Object {
        guard let object = try await objects([id], of: entity, for: caller).first else {
            throw .unknownObject
        }
        return object
    }

    /// See ``ObjectStore/objects(_:of:for:)``.
    package func objects(
        _ ids: [ObjectID],
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> [Object] {
        let ids = ids.prefix(ObjectQuery.maximumLimit)
        while true {
            let entry = try await readable(entity, by: caller)
            let rows = try await read(
                ObjectTable.byID,
                [.int(entry.number), .ints(ids.map(\.rawValue))]
            )
            guard rows.allSatisfy({ $0.int(7) == entry.version }) else { continue }
            var found: [ObjectID: Object] = [:]
            for row in rows {
                let object = try ObjectTable.record(row, entity).object(of: entry.entity)
                found[object.id] = object
            }
            return ids.compactMap { found[$0] }
        }
    }

    /// See ``ObjectStore/objects(_:for:)``.
    package func objects(_ query: ObjectQuery, for caller: ObjectCaller) async throws(SharingError)
        -> ObjectPage
    {
        while true {
            let entry = try await readable(query.entity, by: caller)
            try query.criteria.check(in: entry.entity)
            if let page = try await page(query, of: entry) { return page }
        }
    }

    /// Reads a page, some rows at a time.
    ///
    /// - Returns: The page, or `nil` if the entity's definition has changed meanwhile.
    private func page(_ query: ObjectQuery, of entry: EntityTable.Entry) async throws(SharingError)
        -> ObjectPage?
    {
        var builder = ObjectPageBuilder(query)
        var place = query.cursor?.place ?? 0
        // The row behind the last shows whether there is another page. Where rows don't match, a small limit would take as
        // many round trips as there are rows.
        let step = (query.isVisiting ? 500 : min(query.limit, 500)) + 1
        while true {
            let rows = try await read(
                ObjectTable.page,
                [.int(entry.number), .int(place), .int(Int64(step))],
                isLong: query.isVisiting
            )
            for row in rows {
                guard row.int(7) == entry.version else { return nil }
                let record = try ObjectTable.record(row, query.entity)
                place = ObjectTable.place(row)
                let object = try record.object(of: entry.entity)
                guard builder.take(at: place, byteCount: record.fields.count, { object }) else {
                    return builder.page
                }
            }
            guard rows.count == step else { return builder.page }
        }
    }

    /// See ``ObjectStore/forEachPlacedObject(batch:_:)``.
    package func forEachPlacedObject(
        batch: Int,
        _ body: @escaping @Sendable ([ObjectRecord]) -> Void
    ) async throws(SharingError) {
        let isBegun = Mutex(false)
        try await transaction { transaction in
            // A second attempt would pass the first objects once more.
            guard !isBegun.withLock(\.self) else { throw SharingError.storeFailed }
            try await transaction.execute(Self.snapshot)
            var place: Int64 = 0
            while true {
                let rows = try await transaction.query(
                    ObjectTable.placed,
                    [.int(place), .int(Int64(max(1, batch)))]
                )
                guard let last = rows.last else { return }
                place = ObjectTable.place(last)
                isBegun.withLock { $0 = true }
                body(
                    try rows.compactMap { row in
                        try EntityName(row.text(7)).map { try ObjectTable.record(row, $0) }
                    }
                )
            }
        }
    }

    private static let snapshot = Statement(
        name: "one_snapshot",
        sql: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    )
}

// Changes of objects, many in one transaction.
extension PostgreSQLStore {
    /// See ``ObjectStore/change(_:completion:)``.
    package func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        commit(submissions) { completion($0.results) }
    }

    /// See ``ObjectLog/commit(_:completion:)``.
    package func commit(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable (ObjectCommit) -> Void
    ) {
        let request = ObjectRequest(submissions, completion: completion)
        guard mayWrite else { return request.refuse(.storeFailed) }
        switch objectQueue.withLock({ $0.append(request) }) {
        case .wait: break
        case .refuse: request.refuse(.storeBusy)
        // Bridges the caller without a task to the database, and ends with the queue.
        case .schedule: Task { await commitObjects() }
        }
    }

    /// Commits what waits until nothing does.
    private func commitObjects() async {
        var isMore = true
        while isMore {
            let requests = objectQueue.withLock { $0.next() }
            await commit(requests)
            let end = objectQueue.withLock { $0.finish(requests) }
            for continuation in end.idle { continuation.resume() }
            isMore = end.isMore
        }
    }

    private func commit(_ requests: [ObjectRequest]) async {
        do throws(SharingError) {
            let submissions = requests.flatMap(\.submissions)
            let outcome = try await once { try await ObjectWriter.write(submissions, $0) }
            var (results, changes) = (outcome.results[...], outcome.changes[...])
            for request in requests {
                request.completion(
                    ObjectCommit(
                        results: Array(results.prefix(request.count)),
                        changes: changes.prefix(request.count).compactMap(\.self),
                        definitions: outcome.definitions
                    )
                )
                results = results.dropFirst(request.count)
                changes = changes.dropFirst(request.count)
            }
        } catch {
            for request in requests { request.refuse(error) }
        }
    }

    /// Refuses further changes, and waits for those in the queue.
    func closeObjects() async {
        await withCheckedContinuation { continuation in
            if objectQueue.withLock({ $0.close(continuation) }) { continuation.resume() }
        }
    }
}
#endif
