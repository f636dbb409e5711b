/// One field of an entity: what it is called, and what may stand in it.
public struct Field: Hashable, Sendable {
    /// What it is called; not `id`, `created` or `updated`, which every object has.
    public let name: FieldName

    /// What may stand in it.
    public let type: FieldType

    /// Whether every object must have a value in it.
    public let isRequired: Bool

    /// Creates a field.
    public init(_ name: FieldName, _ type: FieldType, isRequired: Bool = false) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }
}

/// What may stand in a field.
public enum FieldType: Hashable, Sendable {
    /// Text, up to ``FieldValue/textLimit`` bytes.
    case text
    /// A finite number.
    case number
    /// A moment, in milliseconds.
    case date
    /// True or false.
    case boolean
    /// Any JSON value but `null`, kept byte for byte, up to ``FieldValue/jsonLimit`` bytes.
    case json
    /// An object of the entity.
    case reference(to: EntityName)
    /// A place, an address, or both; an entity has at most one such field.
    case location

    /// How the wire names the type.
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

    /// The type that the wire names so, or `nil`; `target` is there for a reference and for nothing else.
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

    /// The entity that a reference refers to.
    package var target: EntityName? {
        guard case .reference(let target) = self else { return nil }
        return target
    }
}
