import YonderModel

/// The destination of a column's values.
enum ColumnTarget: Hashable, Sendable {
    /// The values identify the objects to change.
    case id
    case field(Field)
    case part(LocationParts.Part, of: Field)

    /// The field's name, or `id`.
    var name: String {
        switch self {
        case .id: "id"
        case .field(let field), .part(_, of: let field): field.name.description
        }
    }

    /// Reads the part of `map` after the colon: `id`, a field, or a part of the location, as in
    /// `at.latitude`.
    ///
    /// - Throws: `unknownField`.
    init(_ text: String, in entity: Entity) throws(SharingError) {
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let field = pieces.first.flatMap(FieldName.init).flatMap(entity.field)
        if text == "id" {
            self = .id
        } else if pieces.count == 1, let field {
            self = .field(field)
        } else if pieces.count == 2, let field, field.type == .location,
            let part = LocationParts.Part(rawValue: pieces[1])
        {
            self = .part(part, of: field)
        } else {
            throw entity.unknownField(text, in: "map")
        }
    }
}

/// The column assignments that a request gives, regardless of the columns' names.
struct ColumnOverrides: Hashable, Sendable {
    /// The most assignments of a request.
    static let limit = 64

    /// The targets by column name; `nil` for a column to ignore.
    private(set) var targets: [String: ColumnTarget?] = [:]

    /// No assignments.
    static let none = ColumnOverrides()

    private init() {}

    /// Reads texts of the form `COLUMN:FIELD`, or `COLUMN:` for a column to ignore.
    ///
    /// A column's name may contain colons; a field's name contains none.
    ///
    /// - Throws: `tooMany`, `invalidField`, `unknownField`.
    init(_ texts: [String], in entity: Entity) throws(SharingError) {
        guard texts.count <= Self.limit else {
            throw SharingError(.tooMany, "map must have at most \(Self.limit) columns.")
        }
        for text in texts {
            guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
                throw SharingError(.invalidField, "map must be COLUMN:FIELD.")
            }
            let column = String(text[..<colon])
            let field = String(text[text.utf8.index(after: colon)...])
            let target = field.isEmpty ? nil : try ColumnTarget(field, in: entity)
            guard targets.updateValue(target, forKey: column) == nil else {
                throw SharingError(.invalidField, "map must name the column \(column.prefix(64)) once.")
            }
        }
    }
}
