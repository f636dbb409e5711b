import YonderGeodesy
import YonderModel
import YonderRules

/// Answers a query by reading objects one by one, where their positions alone don't suffice.
///
/// `ObjectCatalog+Queries.swift` makes one for each query with criteria or an order, over a snapshot, so that no lock is
/// held while it reads. It runs off the event loops, yields regularly, and throws when its task is canceled. Which objects
/// match is decided by ``ObjectCriteria``, and the order by `ObjectOrder`. The sizes of a turn may be changed.
///
/// That no lock is held while it reads must stay: changes would wait (`ObjectCatalogTests`; decision 10).
struct ObjectVisit: Sendable {
    let entity: Entity
    let snapshot: IndexSnapshot

    /// The number of records that are prefetched at a time.
    private static let block = 256

    /// The number of bytes after which the query yields its thread: some 2 000 objects of usual size.
    private static let turn = 524_288

    /// Returns the matching objects in a region.
    @concurrent func region(_ query: RegionListing) async throws(SharingError) -> ObjectList {
        try checkIsWanted()
        var numbers: [PointIndex.ID] = []
        snapshot.points.index.visit(query.region) { numbers.append($0.id) }
        let fields = entity.fields(named: query.criteria.fields.union(query.order?.fields ?? []))
        var total = 0
        var foremost = Foremost<PointIndex.ID>(query.limit, by: query.order)
        try await visit(numbers, fields) { index, object in
            guard query.criteria.matches(object) else { return }
            total += 1
            foremost.take(object, numbers[index])
        }
        var answer = ObjectList(total: total)
        for (_, number) in foremost.first {
            guard let record = snapshot.records[number], answer.append(record) else { break }
        }
        return answer
    }

    /// Returns the nearest matching objects.
    ///
    /// If too few candidates match, searches again with four times as many.
    @concurrent func nearest(_ query: NearbyQuery) async throws(SharingError) -> NearbyAnswer {
        var wanted = max(64, 2 * query.limit)
        while true {
            try checkIsWanted()
            let index = snapshot.points
            let candidates = index.index.nearest(wanted, to: query.center, within: query.reach)
            let matches = try await matches(query, among: candidates)
            if matches.count == query.limit || candidates.count < wanted { return answer(matches) }
            wanted *= 4
        }
    }

    private func matches(_ query: NearbyQuery, among candidates: [PointIndex.Neighbor])
        async throws(SharingError) -> [PointIndex.Neighbor]
    {
        let fields = entity.fields(named: query.criteria.fields)
        var matches: [PointIndex.Neighbor] = []
        try await visit(candidates.map(\.id), fields) { index, object in
            guard matches.count < query.limit, query.criteria.matches(object) else { return }
            matches.append(candidates[index])
        }
        return matches
    }

    private func answer(_ matches: [PointIndex.Neighbor]) -> NearbyAnswer {
        var answer = NearbyAnswer()
        for match in matches {
            guard let record = snapshot.records[match.id], answer.append(record, match.distance) else {
                break
            }
        }
        return answer
    }

    /// Calls `body` with each object's index in the list, and the object with these fields alone.
    private func visit(
        _ numbers: [PointIndex.ID],
        _ fields: [Field],
        _ body: (Int, Object) -> Void
    ) async throws(SharingError) {
        var looked = 0
        for start in stride(from: 0, to: numbers.count, by: Self.block) {
            let block = start..<min(start + Self.block, numbers.count)
            looked += snapshot.records.byteCount(of: numbers[block]) + block.count * 128
            if looked >= Self.turn {
                looked = 0
                await Task.yield()
                try checkIsWanted()
            }
            for index in block {
                guard let record = snapshot.records[numbers[index]] else { continue }
                body(index, try record.glance(at: fields))
            }
        }
    }
}

/// Reads all matching objects page by page, and keeps the first in the caller's order.
struct SortedListing: Sendable {
    let store: any ObjectStore
    let query: ObjectQuery
    let order: ObjectOrder
    let caller: ObjectCaller

    /// The objects after `last`, and whether more follow.
    @concurrent func page(after last: ObjectID?) async throws(SharingError) -> (
        objects: [ObjectRecord], hasMore: Bool
    ) {
        try checkIsWanted()
        var start: Object?
        if let last { start = try await store.object(last, of: query.entity, for: caller) }
        var foremost = Foremost<Void>(query.limit + 1, by: order)
        var cursor: ObjectCursor?
        repeat {
            let page = try await store.objects(next(cursor), for: caller)
            for object in page.objects where start.map({ order.isBefore($0, object) }) ?? true {
                foremost.take(object, ())
            }
            cursor = page.next
            try checkIsWanted()
        } while cursor != nil
        return cut(foremost.first.map(\.object))
    }

    private func next(_ cursor: ObjectCursor?) -> ObjectQuery {
        ObjectQuery(query.entity, where: query.criteria, after: cursor, limit: ObjectQuery.maximumLimit)
    }

    private func cut(_ objects: [Object]) -> (objects: [ObjectRecord], hasMore: Bool) {
        var answer = ObjectList(total: objects.count)
        for object in objects.prefix(query.limit) {
            guard answer.append(ObjectRecord(object)) else { break }
        }
        return (answer.objects, answer.objects.count < objects.count)
    }
}

/// Throws if the query's task was canceled.
func checkIsWanted() throws(SharingError) {
    guard !Task.isCancelled else {
        throw SharingError(.unavailable, "The client ended the query before its answer.")
    }
}

/// The first objects in an order, out of any number, each with a payload.
struct Foremost<Payload> {
    private let limit: Int
    private let order: ObjectOrder?
    private var kept: [(object: Object, payload: Payload)] = []
    private var worst: Object?

    /// Keeps at most `limit` objects by an order; without one, the first `limit` received.
    init(_ limit: Int, by order: ObjectOrder?) {
        self.limit = limit
        self.order = order
    }

    /// The first of all objects received, sorted.
    var first: [(object: Object, payload: Payload)] {
        guard let order else { return kept }
        return Array(kept.sorted { order.isBefore($0.object, $1.object) }.prefix(limit))
    }

    mutating func take(_ object: Object, _ payload: Payload) {
        guard let order else {
            if kept.count < limit { kept.append((object, payload)) }
            return
        }
        guard limit > 0, worst.map({ order.isBefore(object, $0) }) ?? true else { return }
        kept.append((object, payload))
        guard kept.count >= 2 * limit else { return }
        kept = first
        worst = kept.last?.object
    }
}
