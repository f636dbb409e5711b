import YonderGeodesy
import YonderModel

/// Looks at objects one by one, for what their places alone can't say.
struct PlaceVisit: Sendable {
    let entity: Entity
    let snapshot: PlaceSnapshot

    /// After how many objects others get a turn.
    private static let stride = 4_096

    /// What is in a region.
    @concurrent func region(_ query: PlaceQuery) async throws(SharingError) -> PlaceAnswer {
        var numbers: [PointIndex.ID] = []
        snapshot.points.index.visit(query.region) { numbers.append($0.id) }
        var total = 0
        var foremost = Foremost(query.limit, by: query.order)
        try await visit(numbers) { _, object in
            guard query.criteria.matches(object) else { return }
            total += 1
            foremost.take(object)
        }
        var answer = PlaceAnswer(total: total)
        for object in foremost.objects {
            guard answer.append(ObjectRecord(object)) else { break }
        }
        return answer
    }

    /// What is nearest, out of four times as many candidates each time there weren't enough.
    @concurrent func nearest(_ query: NearbyQuery) async throws(SharingError) -> NearbyAnswer {
        var wanted = max(64, 2 * query.limit)
        while true {
            let index = snapshot.points
            let candidates = index.index.nearest(wanted, to: query.center, within: query.reach)
            let matches = try await matches(query, among: candidates)
            if matches.count == query.limit || candidates.count < wanted { return answer(matches) }
            wanted *= 4
        }
    }

    private func matches(_ query: NearbyQuery, among candidates: [PointIndex.Neighbor])
        async throws(SharingError) -> [(Object, Distance)]
    {
        var matches: [(Object, Distance)] = []
        try await visit(candidates.map(\.id)) { place, object in
            guard matches.count < query.limit, query.criteria.matches(object) else { return }
            matches.append((object, candidates[place].distance))
        }
        return matches
    }

    private func answer(_ matches: [(Object, Distance)]) -> NearbyAnswer {
        var answer = NearbyAnswer()
        for (object, distance) in matches {
            guard answer.append(ObjectRecord(object), distance) else { break }
        }
        return answer
    }

    /// Calls `body` with each object and its place in the list.
    private func visit(_ numbers: [PointIndex.ID], _ body: (Int, Object) -> Void) async throws(SharingError) {
        for (place, number) in numbers.enumerated() {
            if place % Self.stride == Self.stride - 1 {
                await Task.yield()
                try checkIsWanted()
            }
            guard let record = snapshot.records[number] else { continue }
            body(place, try record.object(of: entity))
        }
    }
}

/// Reads all that matches, page by page, and keeps what comes first.
struct SortedListing: Sendable {
    let store: any ObjectStore
    let query: ObjectQuery
    let order: ObjectOrder
    let caller: ObjectCaller

    /// The objects behind `last`, and whether more follow.
    @concurrent func page(after last: ObjectID?) async throws(SharingError) -> (
        objects: [ObjectRecord], hasMore: Bool
    ) {
        var start: Object?
        if let last { start = try await store.object(last, of: query.entity, for: caller) }
        var foremost = Foremost(query.limit + 1, by: order)
        var cursor: ObjectCursor?
        repeat {
            let page = try await store.objects(next(cursor), for: caller)
            for object in page.objects where start.map({ order.isBefore($0, object) }) ?? true {
                foremost.take(object)
            }
            cursor = page.next
            try checkIsWanted()
        } while cursor != nil
        return cut(foremost.objects)
    }

    private func next(_ cursor: ObjectCursor?) -> ObjectQuery {
        ObjectQuery(query.entity, where: query.criteria, after: cursor, limit: ObjectQuery.maximumLimit)
    }

    private func cut(_ objects: [Object]) -> (objects: [ObjectRecord], hasMore: Bool) {
        var answer = PlaceAnswer(total: objects.count)
        for object in objects.prefix(query.limit) {
            guard answer.append(ObjectRecord(object)) else { break }
        }
        return (answer.objects, answer.objects.count < objects.count)
    }
}

/// Ends what nobody waits for any more.
private func checkIsWanted() throws(SharingError) {
    guard !Task.isCancelled else { throw SharingError(.unavailable, "The query was ended.") }
}

/// The objects that come first, of any number.
struct Foremost: Sendable {
    private let limit: Int
    private let order: ObjectOrder?
    private var kept: [Object] = []
    private var worst: Object?

    /// Keeps at most `limit` by an order; without one, those taken first.
    init(_ limit: Int, by order: ObjectOrder?) {
        self.limit = limit
        self.order = order
    }

    /// What comes first of all that was taken.
    var objects: [Object] {
        guard let order else { return kept }
        return Array(kept.sorted(by: order.isBefore).prefix(limit))
    }

    mutating func take(_ object: Object) {
        guard let order else {
            if kept.count < limit { kept.append(object) }
            return
        }
        guard limit > 0, worst.map({ order.isBefore(object, $0) }) ?? true else { return }
        kept.append(object)
        guard kept.count >= 2 * limit else { return }
        kept = objects
        worst = kept.last
    }
}
