package import YonderGeodesy
package import YonderModel

/// Which objects of an entity in a region, and how many.
package struct PlaceQuery: Hashable, Sendable {
    /// Of which entity.
    package let entity: EntityName

    /// Where.
    package let region: Region

    /// Which of those that are there.
    package let criteria: ObjectCriteria

    /// Which come first, or `nil` for the index's own order.
    package let order: ObjectOrder?

    /// How many at most, in `0...1_000`.
    package let limit: Int

    /// How many there are if nobody says.
    package static let defaultLimit = 300

    /// How many there may be.
    package static let limits = 0...1_000

    /// Creates a query; `limit` is brought into `0...1_000`.
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

    /// Whether the objects themselves have to be looked at, and not their places alone.
    package var isVisiting: Bool { criteria != .all || order != nil }
}

/// Which objects of an entity are nearest to a coordinate.
package struct NearbyQuery: Hashable, Sendable {
    /// Of which entity.
    package let entity: EntityName

    /// Near to what.
    package let center: Coordinate

    /// How far away they may be, or `nil` for any distance.
    package let reach: Distance?

    /// Which of them.
    package let criteria: ObjectCriteria

    /// How many at most, in `1...1_000`.
    package let limit: Int

    /// How many there are if nobody says.
    package static let defaultLimit = 10

    /// How many there may be.
    package static let limits = 1...1_000

    /// Creates a query; `limit` is brought into `1...1_000`.
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

    /// Whether the objects themselves have to be looked at, and not their places alone.
    package var isVisiting: Bool { criteria != .all }
}

/// Objects of a region, or of a whole entity.
package struct PlaceAnswer: Hashable, Sendable {
    /// The objects: as many as asked for, fewer if their fields have more than ``byteLimit`` together.
    package private(set) var objects: [ObjectRecord] = []

    /// How many there are in all, listed or not.
    package let total: Int

    private var bytes = 0

    /// How many bytes of fields end a list: the object that reaches it is the last.
    package static let byteLimit = 4 * 1024 * 1024

    init(total: Int) {
        self.total = total
    }

    /// Takes another object; `false` if the list is too long already.
    mutating func append(_ record: ObjectRecord) -> Bool {
        guard bytes < Self.byteLimit else { return false }
        bytes += record.fields.count
        objects.append(record)
        return true
    }
}

/// The objects nearest to a coordinate, nearest first.
package struct NearbyAnswer: Hashable, Sendable {
    /// The objects: as many as asked for, fewer if their fields have more than ``PlaceAnswer/byteLimit`` together.
    package private(set) var objects: [ObjectRecord] = []

    /// How far each of them is.
    package private(set) var distances: [Distance] = []

    private var bytes = 0

    init() {}

    /// Takes another object; `false` if the list is too long already.
    mutating func append(_ record: ObjectRecord, _ distance: Distance) -> Bool {
        guard bytes < PlaceAnswer.byteLimit else { return false }
        bytes += record.fields.count
        objects.append(record)
        distances.append(distance)
        return true
    }
}

extension JSONWriter {
    /// Appends objects as an array, which ends behind the one whose fields reach ``PlaceAnswer/byteLimit``.
    mutating func places(_ records: some Sequence<ObjectRecord>) {
        raw("[")
        var count = 0
        for record in records {
            if count > 0 { raw(",") }
            self.record(record)
            count += record.fields.count
            guard count < PlaceAnswer.byteLimit else { break }
        }
        raw("]")
    }
}
