package import YonderGeodesy
import YonderJSON
package import YonderModel
package import YonderRules

// The queries of objects by place, and their answers. Endpoints of both APIs make one for each request;
// `ObjectCatalog+Queries.swift` answers it, from the index alone or by `ObjectVisit`. A value that is out of range is
// brought into it, so making one never fails; which criteria are valid is checked before. The limits are promised in
// `Documentation/objects.md` (`ObjectCatalogTests`).

/// A query for the objects of an entity in a region, and for their number.
package struct RegionListing: Hashable, Sendable {
    /// The entity.
    package let entity: EntityName

    /// The region.
    package let region: Region

    /// The criteria that an object must match.
    package let criteria: ObjectCriteria

    /// The order of the list, or `nil` for the index's own order.
    package let order: ObjectOrder?

    /// The most objects to list, in `0...1_000`.
    package let limit: Int

    /// The limit if a caller gives none.
    package static let defaultLimit = 300

    /// The accepted limits.
    package static let limits = 0...1_000

    /// Creates a query; `limit` is clamped to `0...1_000`.
    package init(
        _ entity: EntityName,
        in region: Region,
        where criteria: ObjectCriteria = .all,
        by order: ObjectOrder? = nil,
        limit: Int = defaultLimit
    ) {
        self.entity = entity
        self.region = region
        self.criteria = criteria
        self.order = order
        self.limit = min(max(Self.limits.lowerBound, limit), Self.limits.upperBound)
    }

    /// Whether the query must read the objects' fields, not only their positions.
    package var isVisiting: Bool { criteria != .all || order != nil }
}

/// A query for the objects of an entity nearest to a coordinate.
package struct NearbyQuery: Hashable, Sendable {
    /// The entity.
    package let entity: EntityName

    /// The coordinate from which distances are measured.
    package let center: Coordinate

    /// The greatest distance, or `nil` for any distance.
    package let reach: Distance?

    /// The criteria that an object must match.
    package let criteria: ObjectCriteria

    /// The most objects to list, in `1...1_000`.
    package let limit: Int

    /// The limit if a caller gives none.
    package static let defaultLimit = 10

    /// The accepted limits.
    package static let limits = 1...1_000

    /// Creates a query; `limit` is clamped to `1...1_000`.
    package init(
        _ entity: EntityName,
        near center: Coordinate,
        within reach: Distance? = nil,
        where criteria: ObjectCriteria = .all,
        limit: Int = defaultLimit
    ) {
        self.entity = entity
        self.center = center
        self.reach = reach
        self.criteria = criteria
        self.limit = min(max(Self.limits.lowerBound, limit), Self.limits.upperBound)
    }

    /// Whether the query must read the objects' fields, not only their positions.
    package var isVisiting: Bool { criteria != .all }
}

/// Objects of a region, or of a whole entity.
package struct ObjectList: Hashable, Sendable {
    /// The objects: up to the query's limit, or fewer if their fields together exceed ``byteLimit``.
    package private(set) var objects: [ObjectRecord] = []

    /// The number of matching objects, listed or not.
    package let total: Int

    private var bytes = 0

    /// The size of all fields, in bytes, at which a list ends; the object that reaches it is the last.
    package static let byteLimit = 4 * 1024 * 1024

    init(total: Int) {
        self.total = total
    }

    /// Appends an object; returns `false` if the list has reached ``byteLimit``.
    mutating func append(_ record: ObjectRecord) -> Bool {
        guard bytes < Self.byteLimit else { return false }
        bytes += record.fields.count
        objects.append(record)
        return true
    }
}

/// The objects nearest to a coordinate, nearest first.
package struct NearbyAnswer: Hashable, Sendable {
    /// The objects: up to the query's limit, or fewer if their fields together exceed
    /// ``ObjectList/byteLimit``.
    package private(set) var objects: [ObjectRecord] = []

    /// The distance of each object, in the same order.
    package private(set) var distances: [Distance] = []

    private var bytes = 0

    init() {}

    /// Appends an object; returns `false` if the list has reached ``ObjectList/byteLimit``.
    mutating func append(_ record: ObjectRecord, _ distance: Distance) -> Bool {
        guard bytes < ObjectList.byteLimit else { return false }
        bytes += record.fields.count
        objects.append(record)
        distances.append(distance)
        return true
    }
}

extension JSONWriter {
    /// Appends objects as an array, which ends after the object whose fields reach ``ObjectList/byteLimit``.
    mutating func records(_ records: some Sequence<ObjectRecord>) {
        raw("[")
        var count = 0
        for record in records {
            if count > 0 { raw(",") }
            self.record(record)
            count += record.fields.count
            guard count < ObjectList.byteLimit else { break }
        }
        raw("]")
    }
}
