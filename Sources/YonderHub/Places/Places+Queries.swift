package import YonderModel

extension Places {
    /// The exact number of objects in a region that match, and at most `limit` of them.
    ///
    /// Microseconds, whatever is inside. With criteria or an order, each object inside is looked at: one or
    /// two microseconds each, for two such queries at a time.
    ///
    /// - Throws: `unknownEntity`; `tooManyRequests` if too many queries wait for their turn.
    package func region(_ query: PlaceQuery, for caller: ObjectCaller) async throws(SharingError)
        -> PlaceAnswer
    {
        guard query.isVisiting else {
            return try entry(query.entity, for: caller).index.region(query.region, limit: query.limit)
        }
        return try await visits.pass { () async throws(SharingError) in
            let (entity, snapshot) = try snapshot(of: query.entity, for: caller)
            return try await PlaceVisit(entity: entity, snapshot: snapshot).region(query)
        }
    }

    /// Appends what ``region(_:for:)`` would list as a JSON array.
    ///
    /// Where nothing has to be looked at, bytes are copied from what is kept and nothing else happens.
    ///
    /// - Returns: How many there are, listed or not.
    /// - Throws: What ``region(_:for:)`` throws.
    package func write(_ query: PlaceQuery, for caller: ObjectCaller, to writer: inout JSONWriter)
        async throws(SharingError) -> Int
    {
        guard query.isVisiting else {
            let index = try entry(query.entity, for: caller).index
            return index.write(query.region, limit: query.limit, to: &writer)
        }
        let answer = try await region(query, for: caller)
        writer.places(answer.objects)
        return answer.total
    }

    /// The objects nearest to a coordinate.
    ///
    /// With criteria, those that are nearer than the last that matches are looked at.
    ///
    /// - Throws: `unknownEntity`; `tooManyRequests` if too many queries wait for their turn.
    package func nearest(_ query: NearbyQuery, for caller: ObjectCaller) async throws(SharingError)
        -> NearbyAnswer
    {
        guard query.isVisiting else {
            let index = try entry(query.entity, for: caller).index
            return index.nearest(query.limit, to: query.center, within: query.reach)
        }
        return try await visits.pass { () async throws(SharingError) in
            let (entity, snapshot) = try snapshot(of: query.entity, for: caller)
            return try await PlaceVisit(entity: entity, snapshot: snapshot).nearest(query)
        }
    }

    /// A page of an entity's objects in an order of the caller's, on the map or not.
    ///
    /// Everything that the entity has is read for it, so it costs some microseconds an object, and more than
    /// ``sortingLimit`` objects aren't sorted. An object that changes between two pages may be missed or come twice.
    ///
    /// - Parameters:
    ///   - query: Which objects, and how many; its cursor is of no use.
    ///   - order: Which come first.
    ///   - last: The last object of the page before, or `nil` for the first page.
    ///   - caller: Who asks.
    /// - Returns: The objects, and whether more follow.
    /// - Throws: `unknownEntity`, `unknownField`, `invalidField`, `unavailable`; `unknownObject` if `last` is gone;
    ///   `tooMany` if the entity has too many objects; `tooManyRequests` if too many queries wait for their turn.
    package func list(
        _ query: ObjectQuery,
        by order: ObjectOrder,
        after last: ObjectID? = nil,
        for caller: ObjectCaller
    ) async throws(SharingError) -> (objects: [ObjectRecord], hasMore: Bool) {
        guard try await store.entity(query.entity, for: caller).count <= sortingLimit else {
            throw SharingError(
                .tooMany,
                "More than \(sortingLimit) objects aren't sorted; ask without an order."
            )
        }
        return try await visits.pass { () async throws(SharingError) in
            try await SortedListing(store: store, query: query, order: order, caller: caller)
                .page(after: last)
        }
    }
}
