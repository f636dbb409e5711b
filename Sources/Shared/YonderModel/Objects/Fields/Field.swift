/// One field of an entity: its name, and the type of its values.
///
/// A part of an `EntityDefinition`, which operators write; forms and checks follow it. ``FieldType/init(name:target:)`` reads
/// the word of a request or a row, and returns `nil` for an unknown one, which is refused. The words of ``FieldType/name``
/// are in databases and on the wire and must stay (`Documentation/objects.md`, `EntityRulesTests`); those of
/// ``FieldType/values`` stand in messages and may change.
public struct Field: Hashable, Sendable {
    /// The field's name; not `id`, `created` or `updated`, which every object has.
    public let name: FieldName

    /// The type of the field's values.
    public let type: FieldType

    /// Whether every object must have a value in this field.
    public let isRequired: Bool

    /// Creates a field.
    public init(_ name: FieldName, _ type: FieldType, isRequired: Bool = false) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }
}

/// The type of a field's values.
public enum FieldType: Hashable, Sendable {
    /// Text, up to ``FieldValue/textLimit`` bytes.
    case text
    /// A finite number.
    case number
    /// A time, in milliseconds since 1970.
    case date
    /// True or false.
    case boolean
    /// Any JSON value but `null`, kept byte for byte, up to ``FieldValue/jsonLimit`` bytes.
    case json
    /// A reference to an object of the named entity.
    case reference(to: EntityName)
    /// A coordinate, an address, or both; an entity has at most one such field.
    case location

    /// The type's name on the wire.
    public var name: String {
        switch self {
        case .text: "text"
        case .number: "number"
        case .date: "date"
        case .boolean: "boolean"
        case .json: "json"
        case .reference: "reference"
        case .location: "location"
        }
    }

    /// The names of all types, for messages.
    static let names = "text, number, date, boolean, json, reference or location"

    /// The values of the type, for messages.
    package var values: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .date: "a date, in whole milliseconds since 1970"
        case .boolean: "true or false"
        case .json: "a JSON value"
        case .reference(let target): "the id of an object of \(target)"
        case .location: "a location, with latitude and longitude or with an address"
        }
    }

    /// The type with this name on the wire, or `nil`; `target` must be given for a reference, and only then.
    package init?(name: String, target: EntityName?) {
        let type: FieldType? =
            switch name {
            case "text": .text
            case "number": .number
            case "date": .date
            case "boolean": .boolean
            case "json": .json
            case "location": .location
            case "reference": target.map(FieldType.reference(to:))
            default: nil
            }
        guard let type, (target == nil) == (type.target == nil) else { return nil }
        self = type
    }

    /// The entity to which a reference refers.
    package var target: EntityName? {
        guard case .reference(let target) = self else { return nil }
        return target
    }
}
