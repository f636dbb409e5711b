public import YonderGeodesy
import YonderLink
public import YonderModel

// Objects on the map, asked for once; `SharingClient.objects(of:in:)` keeps a region's current. An app calls these from any
// task; each makes one request, and throws the server's refusal, or `unavailable` without an answer: then a write may have
// been made. Paths and members are REST's (`Documentation/rest.md`); a further request gets a function here and a test in
// `RESTClientTests`.
extension RESTClient {
    /// One object.
    ///
    /// - Throws: `unknownEntity`, `unknownObject`.
    public func object(_ id: ObjectID, of entity: EntityName) async throws(SharingError) -> ObjectRecord {
        try await objectsAnswer("/v1/objects/\(entity)/\(id)").one("object", ObjectsAnswer.record)
    }

    /// A page of an entity's objects.
    ///
    /// A page may have fewer objects than its limit, or none, and still be followed by another one.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - conditions: Which objects, and in which order; without an order the oldest first.
    ///   - cursor: ``ObjectsPage/cursor`` of the page before, or `nil` for the first page.
    ///   - limit: The most objects, 1…1 000.
    /// - Returns: The page, and where the next one begins.
    /// - Throws: `unknownEntity`; `unknownField` or `invalidField` for a condition; `tooMany` for an order of too many objects;
    ///   `unknownObject` if the object was deleted at which a sorted page ended.
    public func objects(
        of entity: EntityName,
        _ conditions: ObjectConditions = ObjectConditions(),
        from cursor: ObjectID? = nil,
        limit: Int = 100
    ) async throws(SharingError) -> ObjectsPage {
        var query = conditions.query
        query.add("cursor", cursor)
        query.add("limit", limit)
        let answer = try await objectsAnswer("/v1/objects/\(entity)\(query.text)", limit: Self.objectsLimit)
        return ObjectsPage(
            objects: try answer.all("objects", ObjectsAnswer.record),
            cursor: try answer.optional("cursor", ObjectsAnswer.id)
        )
    }

    /// Some of the objects in a region, and how many there are.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - region: The region, which may cross the antimeridian.
    ///   - conditions: Which objects, and which of them first.
    ///   - limit: The most objects listed, 0…1 000.
    /// - Returns: The objects, and their number in the whole region.
    /// - Throws: As ``objects(of:_:from:limit:)``.
    public func objects(
        of entity: EntityName,
        in region: Region,
        _ conditions: ObjectConditions = ObjectConditions(),
        limit: Int = 300
    ) async throws(SharingError) -> ObjectsInRegion {
        var query = conditions.query
        query.add("sw", "\(region.south),\(region.west)")
        query.add("ne", "\(region.north),\(region.east)")
        query.add("limit", limit)
        let path = "/v1/objects/\(entity)/region\(query.text)"
        let answer = try await objectsAnswer(path, limit: Self.objectsLimit)
        return ObjectsInRegion(
            objects: try answer.all("objects", ObjectsAnswer.record),
            total: try answer.one("total", ObjectsAnswer.integer)
        )
    }

    /// The objects nearest to a coordinate, the nearest first.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - coordinate: The coordinate.
    ///   - distance: How far away they may be, or `nil` for any distance.
    ///   - conditions: Which objects; an order isn't sent.
    ///   - limit: The most objects, 1…1 000.
    /// - Returns: Each object with its distance along a great circle.
    /// - Throws: As ``objects(of:_:from:limit:)``.
    public func objects(
        of entity: EntityName,
        near coordinate: Coordinate,
        within distance: Distance? = nil,
        _ conditions: ObjectConditions = ObjectConditions(),
        limit: Int = 10
    ) async throws(SharingError) -> [(object: ObjectRecord, distance: Distance)] {
        var unordered = conditions
        unordered.order = []
        var query = unordered.query
        query.add("at", "\(coordinate.latitude),\(coordinate.longitude)")
        query.add("within", distance?.meters)
        query.add("limit", limit)
        let path = "/v1/objects/\(entity)/near\(query.text)"
        let answer = try await objectsAnswer(path, limit: Self.objectsLimit)
        let distances = try answer.all("distances", ObjectsAnswer.number)
        return zip(try answer.all("objects", ObjectsAnswer.record), distances).map { ($0, .meters($1)) }
    }

    /// Makes an object; for operators.
    ///
    /// - Throws: `notAllowed`; `unknownEntity`; `unknownField`, `missingField` or `invalidField` for a value.
    @discardableResult
    public func createObject(
        of entity: EntityName,
        _ fields: [FieldName: FieldValue]
    ) async throws(SharingError) -> ObjectRecord {
        try await write(.post, "/v1/objects/\(entity)", ObjectWish(fields: fields.mapValues { $0 }))
    }

    /// Sets the fields that a wish names, and leaves the others; for operators.
    ///
    /// - Throws: `notAllowed`; `unknownEntity`, `unknownObject`; `objectChanged` if there is a newer version than the wish names;
    ///   `unknownField`, `missingField` or `invalidField` for a value.
    @discardableResult
    public func changeObject(
        _ id: ObjectID,
        of entity: EntityName,
        _ wish: ObjectWish
    ) async throws(SharingError) -> ObjectRecord {
        try await write(.patch, "/v1/objects/\(entity)/\(id)", wish)
    }

    /// Deletes an object; for operators.
    ///
    /// - Parameters:
    ///   - id: The object.
    ///   - entity: Its entity.
    ///   - updated: The version that the person knows, or `nil` for any.
    /// - Throws: `notAllowed`; `unknownEntity`, `unknownObject`; `objectChanged` if there is a newer version; `objectInUse`
    ///   if another object refers to it.
    public func deleteObject(
        _ id: ObjectID,
        of entity: EntityName,
        updated: Timestamp? = nil
    ) async throws(SharingError) {
        let version = VersionFields(updated: updated?.milliseconds)
        try await change(.delete, "/v1/objects/\(entity)/\(id)", version)
    }

    private func write(
        _ method: LinkRequest.Method,
        _ path: String,
        _ wish: ObjectWish
    ) async throws(SharingError) -> ObjectRecord {
        let request = LinkRequest(
            method,
            path,
            headers: [LinkHeader("Content-Type", "application/json")],
            body: wish.json
        )
        return try ObjectsAnswer(try await answer(to: request).body).one("object", ObjectsAnswer.record)
    }

    /// The most bytes of a page of objects: 4 MiB of fields, and what stands around them.
    private static let objectsLimit = 8 << 20
}

/// Which objects are wanted, and in which order.
public struct ObjectConditions: Hashable, Sendable {
    /// At most 16 conditions, which must all hold, as in `rating>=4`, `name^Ca` or `!closed`.
    public var conditions: [String]

    /// At most 8 names of fields; `-` in front of a name means the greatest first.
    public var order: [String]

    /// Creates conditions; without any, every object meets them.
    public init(_ conditions: [String] = [], order: [String] = []) {
        self.conditions = conditions
        self.order = order
    }

    var query: Query {
        var query = Query()
        for condition in conditions { query.add("where", condition) }
        if !order.isEmpty { query.add("sort", order.joined(separator: ",")) }
        return query
    }
}

/// A page of objects.
public struct ObjectsPage: Hashable, Sendable {
    /// The objects, in order.
    public let objects: [ObjectRecord]

    /// Where the next page begins, or `nil` if this is the last one.
    public let cursor: ObjectID?
}

/// The objects in a region.
public struct ObjectsInRegion: Hashable, Sendable {
    /// Some of them.
    public let objects: [ObjectRecord]

    /// How many there are, listed or not.
    public let total: Int
}

private struct VersionFields: Encodable {
    let updated: Int64?
}
