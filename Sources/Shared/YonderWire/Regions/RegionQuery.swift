package import YonderGeodesy
package import YonderModel
import YonderJSON

// What a client asks for when it subscribes to a region, and its JSON in both directions: `RegionList` of the client writes
// it, `ClientFrame.parse` of the server reads it. A query that can't be is refused with the name of its field. The names of
// the members must stay (`Documentation/stream.md`, `ClientFrameTests`).

/// A subscription to the objects of an entity in a region.
package struct ObjectRegionQuery: Hashable, Sendable {
    /// The entity.
    package var entity: EntityName

    /// The location field to search by, or `nil` for the entity's only one.
    package var field: FieldName?

    /// The region.
    package var region: Region

    /// The most items that the list holds, in ``RegionFrame/limits``.
    package var limit: Int

    /// Creates a query.
    package init(
        _ entity: EntityName,
        field: FieldName? = nil,
        in region: Region,
        limit: Int = RegionFrame.defaultLimit
    ) {
        self.entity = entity
        self.field = field
        self.region = region
        self.limit = limit
    }
}

/// A subscription to the people in a region with whom the caller shares a chat.
package struct PeopleRegionQuery: Hashable, Sendable {
    /// The region.
    package var region: Region

    /// The most items that the list holds, in ``RegionFrame/limits``.
    package var limit: Int

    /// Creates a query.
    package init(in region: Region, limit: Int = RegionFrame.defaultLimit) {
        self.region = region
        self.limit = limit
    }
}

// MARK: - Reading

extension ObjectRegionQuery {
    init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            try fields.required(fields.schemaName(.entity), .entity),
            field: try fields.schemaName(.field),
            in: try fields.required(fields.region(), .region),
            limit: try fields.regionLimit()
        )
    }
}

extension PeopleRegionQuery {
    init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            in: try fields.required(fields.region(), .region),
            limit: try fields.regionLimit()
        )
    }
}

extension FrameFields {
    /// The region in a frame, or `nil` if there is none.
    func region() throws(SharingError) -> Region? {
        guard let bytes = try objectBytes(.region) else { return nil }
        var edges = RegionEdges()
        var scanner = JSONScanner(bytes)
        do throws(JSONFault) {
            try scanner.object { scanner, key throws(JSONFault) in try edges.take(key, from: &scanner) }
        } catch {
            throw invalid(.region, "an object with the numbers south, west, north and east")
        }
        return try edges.region
    }

    fileprivate func regionLimit() throws(SharingError) -> Int {
        let range = Int64(RegionFrame.limits.lowerBound)...Int64(RegionFrame.limits.upperBound)
        return try integer(.limit, in: range).map(Int.init) ?? RegionFrame.defaultLimit
    }

    /// The name of an entity or a field, or `nil` if there is none.
    func schemaName<Subject>(_ field: FrameField) throws(SharingError) -> SchemaName<Subject>? {
        guard let text = try string(field) else { return nil }
        guard let name = SchemaName<Subject>(text) else {
            throw invalid(field, "a name: a letter, then up to 63 letters, digits, hyphens or underscores")
        }
        return name
    }
}

/// The edges of a region that were read so far.
private struct RegionEdges {
    private var south: Double?
    private var west: Double?
    private var north: Double?
    private var east: Double?
    private var unknown: String?

    mutating func take(_ key: JSONString, from scanner: inout JSONScanner) throws(JSONFault) {
        let bytes = scanner.bytes
        if key.equals("south", in: bytes) {
            south = try scanner.double()
        } else if key.equals("west", in: bytes) {
            west = try scanner.double()
        } else if key.equals("north", in: bytes) {
            north = try scanner.double()
        } else if key.equals("east", in: bytes) {
            east = try scanner.double()
        } else {
            unknown = unknown ?? key.utf8(in: bytes).excerpt
            _ = try scanner.skipValue()
        }
    }

    var region: Region {
        get throws(SharingError) {
            if let unknown {
                throw SharingError(
                    .unknownField,
                    "Unknown field \(unknown) in region; allowed are south, west, north and east."
                )
            }
            guard let south, let west, let north, let east else {
                throw SharingError(.missingField, "region must have south, west, north and east.")
            }
            guard south <= north else {
                throw SharingError(.invalidField, "region: south must not be greater than north.")
            }
            guard let region = Region(west: west, south: south, east: east, north: north) else {
                throw SharingError(
                    .invalidField,
                    "region: south and north must be in -90…90, west and east in -180…180."
                )
            }
            return region
        }
    }
}

// MARK: - Writing

extension JSONWriter {
    /// Appends a region with the name of its member.
    mutating func region(_ region: Region) {
        raw(",\"region\":{\"south\":")
        degrees(region.southEdge)
        raw(",\"west\":")
        degrees(region.westEdge)
        raw(",\"north\":")
        degrees(region.northEdge)
        raw(",\"east\":")
        degrees(region.eastEdge)
        raw("}")
    }

    /// Appends the members of a subscription to objects.
    mutating func members(of query: ObjectRegionQuery) {
        raw(",\"query\":\"objects\",\"entity\":")
        string(query.entity.description)
        if let field = query.field {
            raw(",\"field\":")
            string(field.description)
        }
        region(query.region)
        regionLimit(query.limit)
    }

    /// Appends the members of a subscription to people.
    mutating func members(of query: PeopleRegionQuery) {
        raw(",\"query\":\"people\"")
        region(query.region)
        regionLimit(query.limit)
    }

    private mutating func regionLimit(_ limit: Int) {
        guard limit != RegionFrame.defaultLimit else { return }
        raw(",\"limit\":")
        integer(Int64(limit))
    }
}
