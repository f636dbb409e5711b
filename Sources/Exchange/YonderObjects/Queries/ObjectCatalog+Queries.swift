package import YonderJSON
package import YonderModel
package import YonderRules

// Answers to queries. The rights of the caller are looked at first. A query that must read fields waits for its turn in the queue of
// `Turnstile`, so that large queries don't take the processors from live regions, and those of callers without an account
// don't take the queue from members; a canceled request leaves it.
extension ObjectCatalog {
    /// Returns the exact number of matching objects in a region, and at most `limit` of them.
    ///
    /// Takes microseconds, however many objects are inside. With criteria or an order, each object inside is
    /// read, one or two microseconds each; two such queries run at a time.
    ///
    /// - Throws: `unknownEntity`; `tooManyRequests` if the queue of queries is full.
    package func region(
        _ query: RegionListing,
        for caller: ObjectCaller,
        turn: TurnTaker = .server
    ) async throws(SharingError) -> ObjectList {
        guard query.isVisiting else {
            return try entry(query.entity, for: caller).index.region(query.region, limit: query.limit)
        }
        return try await visits.pass(turn) { () async throws(SharingError) in
            let (entity, snapshot) = try snapshot(of: query.entity, for: caller)
            return try await ObjectVisit(entity: entity, snapshot: snapshot).region(query)
        }
    }

    /// Appends the list of ``region(_:for:)`` as a JSON array.
    ///
    /// Without criteria and order, stored bytes are copied and nothing is decoded.
    ///
    /// - Returns: The number of matching objects, listed or not.
    /// - Throws: The errors of ``region(_:for:)``.
    package func write(
        _ query: RegionListing,
        for caller: ObjectCaller,
        turn: TurnTaker = .server,
        to writer: inout JSONWriter
    ) async throws(SharingError) -> Int {
        guard query.isVisiting else {
            let index = try entry(query.entity, for: caller).index
            return index.write(query.region, limit: query.limit, to: &writer)
        }
        let answer = try await region(query, for: caller, turn: turn)
        writer.records(answer.objects)
        return answer.total
    }

    /// Returns the objects nearest to a coordinate.
    ///
    /// With criteria, every object nearer than the last match is read.
    ///
    /// - Throws: `unknownEntity`; `tooManyRequests` if the queue of queries is full.
    package func nearest(
        _ query: NearbyQuery,
        for caller: ObjectCaller,
        turn: TurnTaker = .server
    ) async throws(SharingError) -> NearbyAnswer {
        guard query.isVisiting else {
            let index = try entry(query.entity, for: caller).index
            return index.nearest(query.limit, to: query.center, within: query.reach)
        }
        return try await visits.pass(turn) { () async throws(SharingError) in
            let (entity, snapshot) = try snapshot(of: query.entity, for: caller)
            return try await ObjectVisit(entity: entity, snapshot: snapshot).nearest(query)
        }
    }

    /// Returns a page of an entity's objects, oldest first, on the map or not.
    ///
    /// With criteria, up to 10 000 objects are read for a page, some microseconds each; two such pages are read at a time.
    ///
    /// - Throws: `unknownEntity`, `unknownField`, `invalidField`, `unavailable`; `tooManyRequests` if the queue of queries is
    ///   full.
    package func page(
        _ query: ObjectQuery,
        for caller: ObjectCaller,
        turn: TurnTaker = .server
    ) async throws(SharingError) -> ObjectPage {
        guard query.isVisiting else { return try await store.objects(query, for: caller) }
        return try await visits.pass(turn) { () async throws(SharingError) in
            try checkIsWanted()
            return try await store.objects(query, for: caller)
        }
    }

    /// Returns a page of an entity's objects in an order of the caller's, on the map or not.
    ///
    /// Every object of the entity is read, some microseconds each, and an entity with more than
    /// ``sortingLimit`` objects is refused. An object that changes between two pages may be missed or listed
    /// twice.
    ///
    /// - Parameters:
    ///   - query: The criteria and the limit; the query's cursor is ignored.
    ///   - order: The order of the list.
    ///   - last: The last object of the previous page, or `nil` for the first page.
    ///   - caller: The caller.
    ///   - turn: By whom the query waits in the queue.
    /// - Returns: The objects, and whether more follow.
    /// - Throws: `unknownEntity`, `unknownField`, `invalidField`, `unavailable`; `unknownObject` if `last`
    ///   was deleted; `tooMany` if the entity has too many objects; `tooManyRequests` if the queue of queries
    ///   is full.
    package func list(
        _ query: ObjectQuery,
        by order: ObjectOrder,
        after last: ObjectID? = nil,
        for caller: ObjectCaller,
        turn: TurnTaker = .server
    ) async throws(SharingError) -> (objects: [ObjectRecord], hasMore: Bool) {
        guard try await store.entity(query.entity, for: caller).count <= sortingLimit else {
            throw SharingError(
                .tooMany,
                "\(query.entity) has more than \(sortingLimit) objects: leave out sort."
            )
        }
        return try await visits.pass(turn) { () async throws(SharingError) in
            try await SortedListing(store: store, query: query, order: order, caller: caller)
                .page(after: last)
        }
    }
}
