import HTTPTypes
import YonderGeodesy
import YonderModel
import YonderJSON
import YonderREST

/// Objects in the form in which this API answers.
///
/// `FacadeEndpoints` makes one for each answered request, `PlacesFacade` the two fixed answers. `InternalError` is
/// thrown if a stored value isn't of its field's type. Members, their order, the suffixes of types and the form of a
/// location are those of the original server: apps parse them, so they must stay (`Documentation/places-facade.md`,
/// `test_places_facade.py`).
struct FacadeAnswer {
    /// The objects' entity, which gives the type of each value.
    let entity: Entity

    /// The objects, in order.
    let objects: [ObjectRecord]

    /// The number of all matching objects, or `nil` if the request doesn't ask for it.
    var count: Int?

    /// The distance of each object, or `nil` if the request doesn't ask for it.
    var distances: [Distance]?

    /// Whether the answer is about a single object, whose id is given separately.
    var isSingle = false

    /// Encodes the answer.
    ///
    /// - Throws: `InternalError` if the objects aren't of the entity.
    func answer(_ status: HTTPResponse.Status = .ok) throws(FacadeRefusal) -> OpenAnswer {
        var writer = JSONWriter()
        writer.raw("{\"status\":\"Success\"")
        if isSingle, let id = objects.first?.id {
            writer.raw(",\"id\":")
            writer.identifier(id)
        }
        writer.raw(",\"ids\":[")
        for (index, object) in objects.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.identifier(object.id)
        }
        writer.raw("],\"objects\":{")
        for (index, object) in objects.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.identifier(object.id)
            writer.raw(":")
            try writer.facadeObject(object, of: entity)
        }
        writer.raw("}")
        writeFigures(&writer)
        writer.raw("}")
        return OpenAnswer(status, json: writer.bytes)
    }

    private func writeFigures(_ writer: inout JSONWriter) {
        if let count {
            writer.raw(",\"count\":")
            writer.integer(Int64(count))
        }
        guard let distances else { return }
        writer.raw(",\"distances\":[")
        for (index, distance) in distances.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.double(distance.meters)
        }
        writer.raw("]")
    }

    /// The answer to a request that only checks its signature.
    static let success = OpenAnswer(.ok, json: Array("{\"status\":\"Success\"}".utf8))

    /// The answer that reports an error.
    static func refusal(_ refusal: FacadeRefusal) -> OpenAnswer {
        var writer = JSONWriter()
        writer.raw("{\"status\":")
        writer.string(refusal.status.name)
        // Clients read `errorMessage`; the original server of this API wrote `message`.
        writer.raw(",\"errorMessage\":")
        writer.string(refusal.message)
        writer.raw(",\"message\":")
        writer.string(refusal.message)
        writer.raw("}")
        return OpenAnswer(refusal.status.code, json: writer.bytes, retryAfter: refusal.retryAfter)
    }
}

extension JSONWriter {
    fileprivate mutating func facadeObject(_ record: ObjectRecord, of entity: Entity) throws(FacadeRefusal) {
        let values = try translated { () throws(SharingError) in try record.values(of: entity) }
        raw("{")
        for field in entity.definition.fields {
            guard let value = values[field.name] else { continue }
            string("\(field.name)#\(field.type.suffix)")
            raw(":")
            facadeValue(value)
            raw(",")
        }
        raw("\"created_at\":")
        integer(record.created.milliseconds)
        raw(",\"updated_at\":")
        integer(record.updated.milliseconds)
        raw(",\"type\":")
        string(entity.name.description)
        raw("}")
    }

    private mutating func facadeValue(_ value: FieldValue) {
        switch value {
        case .location(let location): facadeLocation(location)
        default: fieldValue(value)
        }
    }

    private mutating func facadeLocation(_ location: ObjectLocation) {
        raw("{")
        if let coordinate = location.coordinate {
            raw("\"lat\":")
            degrees(coordinate.latitude)
            raw(",\"lon\":")
            degrees(coordinate.longitude)
        }
        if let altitude = location.altitude {
            raw(",\"alt\":")
            shortest(altitude.meters)
        }
        if let address = location.address {
            if location.coordinate != nil { raw(",") }
            raw("\"addr\":")
            string(address)
        }
        raw("}")
    }
}

extension FieldType {
    /// The letter after a field's name and `#`, which stands for the type.
    fileprivate var suffix: String {
        switch self {
        case .text: "t"
        case .number: "n"
        case .date: "d"
        case .boolean: "b"
        case .json: "j"
        case .reference: "r"
        case .location: "l"
        }
    }
}
