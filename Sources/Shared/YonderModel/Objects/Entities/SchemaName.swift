/// The name of an entity or a field: 1…64 bytes, a letter first, then letters, digits, `_` and `-`, all
/// ASCII.
///
/// `Subject` prevents a field's name from being used for an entity's.
///
/// Owners choose the names; requests, files and frames carry them, and stores have them. A text that isn't a name gives
/// `nil`, and the reader refuses it with the field. The grammar must stay: REST puts names into paths, and the order sorts a
/// record's fields (`EntityRulesTests`, `Documentation/objects.md`). `reserved` may not grow by a name that an entity has.
public struct SchemaName<Subject>: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// The name in its wire form.
    public let description: String

    /// Creates a name; `nil` if the text doesn't match the grammar.
    public init?(_ description: String) {
        guard (1...64).contains(description.utf8.count),
            let first = description.utf8.first, Self.isLetter(first),
            description.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.description = description
    }

    /// Compares names in ASCII order.
    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

/// The name of an ``Entity``.
public typealias EntityName = SchemaName<Entity>

/// The name of a ``Field`` of an entity.
public typealias FieldName = SchemaName<Field>

extension SchemaName<Field> {
    /// The names that no field may have: those of what every object has.
    static let reserved: Set<String> = ["id", "created", "updated"]
}
