package import YonderModel
package import YonderRules

/// A range of an entity's objects by offset, on the map or not: for clients without cursors.
///
/// `FacadeEndpoints` alone asks for one, for the lists of the older places API, whose clients have offsets; newer
/// clients have cursors. The offsets and limits that are accepted are promised in `Documentation/places-facade.md`, and
/// ``sortingLimit`` bounds the memory of one sort (`ListingTests`).
///
/// Offsets, limits and the order of creation must stay; the sizes of the pages that are read may be changed.
package struct ObjectListing: Hashable, Sendable {
    /// The entity.
    package let entity: EntityName

    /// The criteria that an object must match.
    package let criteria: ObjectCriteria

    /// The order of the list, or `nil` for the order of creation.
    package let order: ObjectOrder?

    /// The number of objects to skip, in `0...100_000`.
    package let offset: Int

    /// The most objects to list, in `0...1_000`.
    package let limit: Int

    /// The accepted offsets.
    package static let offsets = 0...100_000

    /// The accepted limits.
    package static let limits = 0...1_000

    /// Creates a listing; `offset` and `limit` are clamped to their ranges.
    package init(
        _ entity: EntityName,
        where criteria: ObjectCriteria = .all,
        by order: ObjectOrder? = nil,
        offset: Int = 0,
        limit: Int
    ) {
        self.entity = entity
        self.criteria = criteria
        self.order = order
        self.offset = min(max(Self.offsets.lowerBound, offset), Self.offsets.upperBound)
        self.limit = min(max(Self.limits.lowerBound, limit), Self.limits.upperBound)
    }
}

extension ObjectCatalog {
    /// Returns a range of an entity's objects, and the number of all that match.
    ///
    /// Without criteria, order and offset, the cost is that of the objects listed; with an offset alone, also
    /// of those skipped. Otherwise every object of the entity is read, some microseconds each, and an entity
    /// with more than ``sortingLimit`` objects is refused. An object that changes meanwhile may be missed.
    ///
    /// - Throws: `unknownEntity`, `unknownField`, `invalidField`, `unavailable`; `tooMany` if the entity has
    ///   too many objects; `tooManyRequests` if the queue of queries is full.
    package func list(
        _ listing: ObjectListing,
        for caller: ObjectCaller,
        turn: TurnTaker = .server
    ) async throws(SharingError) -> ObjectList {
        let walk = ListingWalk(store: store, listing: listing, caller: caller)
        guard listing.criteria != .all || listing.order != nil || listing.offset > 0 else {
            return try await walk.inOrderOfAge()
        }
        if listing.criteria != .all || listing.order != nil {
            try await checkSize(of: listing.entity, for: caller)
        }
        return try await visits.pass(turn) { () async throws(SharingError) in
            guard let order = listing.order else { return try await walk.inOrderOfAge() }
            return try await walk.sorted(by: order)
        }
    }

    private func checkSize(of entity: EntityName, for caller: ObjectCaller) async throws(SharingError) {
        guard try await store.entity(entity, for: caller).count <= sortingLimit else {
            throw SharingError(
                .tooMany,
                "\(entity) has more than \(sortingLimit) objects: leave out conditions, order and offset."
            )
        }
    }
}

/// Reads an entity page by page.
private struct ListingWalk: Sendable {
    let store: any ObjectStore
    let listing: ObjectListing
    let caller: ObjectCaller

    @concurrent func inOrderOfAge() async throws(SharingError) -> ObjectList {
        var listed: [Object] = []
        var seen = 0
        var cursor: ObjectCursor?
        repeat {
            let isAll = listing.criteria == .all
            let limit = isAll ? listing.offset + listing.limit - seen : ObjectQuery.maximumLimit
            let page = try await page(after: cursor, limit: limit)
            let skipped = max(0, listing.offset - seen)
            listed += page.objects.dropFirst(skipped).prefix(listing.limit - listed.count)
            seen += page.objects.count
            cursor = page.next
            guard cursor != nil, isAll, listed.count == listing.limit else { continue }
            // The store knows the total, so the rest needn't be read.
            seen = max(seen, try await store.entity(listing.entity, for: caller).count)
            cursor = nil
        } while cursor != nil
        return Self.answer(listed, total: seen)
    }

    /// Sorts copies that have only the fields of the order, then reads the listed objects again, whole.
    @concurrent func sorted(by order: ObjectOrder) async throws(SharingError) -> ObjectList {
        var foremost = Foremost<Void>(listing.offset + listing.limit, by: order)
        var seen = 0
        var cursor: ObjectCursor?
        repeat {
            let page = try await page(after: cursor, limit: ObjectQuery.maximumLimit)
            for object in page.objects { foremost.take(Self.slim(object, for: order), ()) }
            seen += page.objects.count
            cursor = page.next
        } while cursor != nil
        let ids = foremost.first.dropFirst(listing.offset).map(\.object.id)
        let objects = try await store.objects(Array(ids), of: listing.entity, for: caller)
        return Self.answer(objects, total: seen)
    }

    private func page(after cursor: ObjectCursor?, limit: Int) async throws(SharingError) -> ObjectPage {
        try checkIsWanted()
        let query = ObjectQuery(listing.entity, where: listing.criteria, after: cursor, limit: limit)
        return try await store.objects(query, for: caller)
    }

    private static func slim(_ object: Object, for order: ObjectOrder) -> Object {
        var slim = object
        slim.fields = object.fields.filter { name, _ in order.keys.contains { $0.key == .field(name) } }
        return slim
    }

    private static func answer(_ objects: [Object], total: Int) -> ObjectList {
        var answer = ObjectList(total: total)
        for object in objects {
            guard answer.append(ObjectRecord(object)) else { break }
        }
        return answer
    }
}
