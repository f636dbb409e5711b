import YonderJSON
import YonderModel

/// The destination of a column's values.
///
/// `ObjectFileEndpoints` reads the overrides of a request's `map`; ``ColumnPlan`` assigns columns by them, and
/// `RowDraft` puts values where they belong. A stranger's texts: nothing traps. The texts are promised in
/// `Documentation/objects.md` and must stay (`ColumnPlanTests`); the limit may be raised.
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
    init(_ text: some Collection<UInt8>, in entity: Entity) throws(SharingError) {
        // The longest is a field's name, a dot, and a part's name.
        let pieces = (text.name(atMost: 80) ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let field = pieces.first.flatMap { FieldName(String($0)) }.flatMap(entity.field)
        if text.is("id") {
            self = .id
        } else if pieces.count == 1, let field {
            self = .field(field)
        } else if pieces.count == 2, let field, field.type == .location,
            let part = pieces[1].utf8.choice(of: LocationParts.Part.self)
        {
            self = .part(part, of: field)
        } else {
            throw entity.unknownField(text.excerpt, in: "map")
        }
    }
}

/// The column assignments that a request gives, regardless of the columns' names.
struct ColumnOverrides: Hashable, Sendable {
    /// The most assignments of a request.
    static let limit = 64

    /// The targets by column name, in UTF-8; `nil` for a column to ignore.
    private(set) var targets: [[UInt8]: ColumnTarget?] = [:]

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
            let column = Array(text.utf8[..<colon])
            let field = text.utf8[colon...].dropFirst()
            let target = field.isEmpty ? nil : try ColumnTarget(field, in: entity)
            guard targets.updateValue(target, forKey: column) == nil else {
                throw SharingError(.invalidField, "map must name the column \(column.excerpt) once.")
            }
        }
    }
}
