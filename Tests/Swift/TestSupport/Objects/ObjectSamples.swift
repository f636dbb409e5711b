public import YonderGeodesy
public import YonderModel

/// Entities and objects to try things on.
public enum ObjectSamples {
    /// A name that is known to be one.
    public static func entity(_ name: StaticString) -> EntityName {
        guard let name = EntityName("\(name)") else { preconditionFailure("\(name) is no name.") }
        return name
    }

    /// A name that is known to be one.
    public static func field(_ name: StaticString) -> FieldName {
        guard let name = FieldName("\(name)") else { preconditionFailure("\(name) is no name.") }
        return name
    }

    /// An id of this number.
    public static func id(_ number: Int64) -> ObjectID {
        guard let id = ObjectID(number) else { preconditionFailure("\(number) is no id.") }
        return id
    }

    /// A moment in the year 2023.
    public static let time = Timestamp(milliseconds: 1_700_000_000_000)

    /// Places with a field of every type; a name is required, and `near` refers to another place.
    public static let places = EntityDefinition(
        entity("place"),
        fields: [
            Field(field("name"), .text, isRequired: true),
            Field(field("rating"), .number),
            Field(field("opened"), .date),
            Field(field("closed"), .boolean),
            Field(field("more"), .json),
            Field(field("near"), .reference(to: entity("place"))),
            Field(field("at"), .location),
        ]
    )

    /// As a store would have it with `count` objects.
    public static func stored(_ definition: EntityDefinition, count: Int = 0) -> Entity {
        Entity(definition, count: count, created: time, updated: time)
    }

    /// A location at a place in degrees.
    public static func location(_ latitude: Double, _ longitude: Double, _ address: String? = nil)
        -> FieldValue
    {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude),
            let location = ObjectLocation(coordinate, address: address)
        else { preconditionFailure("\(latitude), \(longitude) is no place.") }
        return .location(location)
    }

    /// A JSON value.
    public static func json(_ text: String) -> FieldValue {
        guard let json = try? JSONText(Array(text.utf8)) else { preconditionFailure("\(text) is no JSON.") }
        return .json(json)
    }

    private static let texts = [
        "", "a", "A", "b", "Café", "cafe\u{301}", "Straße", "STRASSE", "日本", "a\u{0}\n\"b",
    ]
    private static let numbers = [0, 1, -1, 0.5, -0.0, 1e300, 4.25, 9_007_199_254_740_992, 1e-300]

    /// A value that a field of `type` takes; a reference is to one of `targets`.
    public static func value(
        _ type: FieldType,
        referringTo targets: [ObjectID] = [id(1), id(2), id(3)],
        using random: inout some RandomNumberGenerator
    ) -> FieldValue? {
        switch type {
        case .text: return texts.randomElement(using: &random).map(FieldValue.text)
        case .number: return numbers.randomElement(using: &random).map(FieldValue.number)
        case .date:
            return .date(time + .milliseconds(Int64.random(in: -3...3, using: &random)))
        case .boolean: return .boolean(Bool.random(using: &random))
        case .json:
            return json(
                ["{\"b\":[1, 2],\"a\":{}}", "[]", "\"x\"", "0", "true"][Int.random(in: 0..<5, using: &random)]
            )
        case .reference: return targets.randomElement(using: &random).map(FieldValue.reference)
        case .location: return location(using: &random)
        }
    }

    private static func location(using random: inout some RandomNumberGenerator) -> FieldValue? {
        guard Int.random(in: 0..<4, using: &random) > 0 else {
            return ObjectLocation(address: "Main Street 1").map(FieldValue.location)
        }
        let coordinate = Coordinate(
            latitude: Double.random(in: -90...90, using: &random),
            longitude: Double.random(in: -180...180, using: &random)
        )
        let hasMore = Bool.random(using: &random)
        return coordinate.flatMap {
            ObjectLocation($0, altitude: hasMore ? Distance(meters: 12.5) : nil, address: hasMore ? "é" : nil)
        }.map(FieldValue.location)
    }

    /// Values for some fields of a definition, and for all that are required.
    public static func fields(
        of definition: EntityDefinition,
        referringTo targets: [ObjectID] = [id(1), id(2), id(3)],
        using random: inout some RandomNumberGenerator
    ) -> [FieldName: FieldValue] {
        var fields: [FieldName: FieldValue] = [:]
        for field in definition.fields where field.isRequired || Bool.random(using: &random) {
            fields[field.name] = value(field.type, referringTo: targets, using: &random)
        }
        return fields
    }

    /// A place with some values.
    public static func object(using random: inout some RandomNumberGenerator) -> Object {
        Object(
            id: id(Int64.random(in: 1...20, using: &random)),
            entity: places.name,
            created: time + .milliseconds(Int64.random(in: 0...3, using: &random)),
            updated: time + .milliseconds(Int64.random(in: 3...6, using: &random)),
            fields: fields(of: places, using: &random)
        )
    }
}
