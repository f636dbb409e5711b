import YonderGeodesy
import YonderModel
import YonderTracks

/// Collects the values of one record.
///
/// `CSVRows` and `GeoJSONRows` make one for each record and add its values in the order of the columns. A refusal makes
/// this one row a refused one, with the field's name; the import goes on. What a text or JSON value may be is decided by
/// the field's type in `YonderModel`. That a point goes before latitude and longitude, and that an empty cell clears a
/// field where an absent column leaves it, is promised in `Documentation/objects.md`.
///
/// The rules about points and empty cells must stay; texts of refusals may be changed (`ImportTests`).
struct RowDraft {
    private var row = ImportedRow()
    private var parts = LocationParts()
    private var location: Field?

    /// Adds a cell; `nil` is an empty cell, as opposed to an empty text.
    ///
    /// - Throws: `invalidField`, `invalidJSON`, `missingField`.
    mutating func take(
        _ cell: String?,
        for target: ColumnTarget,
        _ mark: FieldValue.DecimalMark
    ) throws(SharingError) {
        switch target {
        case .id: try takeName(cell ?? "")
        case .part(let part, of: let field): try take(cell ?? "", as: part, of: field)
        case .field(let field):
            guard let cell else { return take(nil, in: field) }
            take(try FieldValue.read(cell, in: field, mark), in: field)
        }
    }

    /// Adds a property, one JSON value.
    ///
    /// - Throws: `invalidField`, `invalidJSON`, `unknownField`, `missingField`.
    mutating func take(json: [UInt8], for target: ColumnTarget) throws(SharingError) {
        switch target {
        case .field(let field): take(try FieldValue.read(json: json, in: field), in: field)
        case .id: try takeName(Self.text(json))
        case .part(let part, of: let field): try take(Self.text(json), as: part, of: field)
        }
    }

    /// Adds the object's id: one of this server's form, or any other text.
    ///
    /// - Throws: `invalidField` for a number, which a spreadsheet has rounded.
    mutating func takeName(_ text: String) throws(SharingError) {
        let name = text.trimmed
        guard !name.isEmpty else { return }
        if let id = ObjectID(name) {
            row.name = .id(id)
        } else if FieldValue.number(name, .comma) != nil {
            throw SharingError(
                .invalidField,
                "id must be an object's id; a spreadsheet may have rounded this one. Format the column as text."
            )
        } else {
            row.name = .foreign
        }
    }

    /// Adds a feature's geometry as the location.
    ///
    /// - Throws: `invalidField` unless the geometry is a point.
    mutating func take(_ geometry: GeoJSONFeature.Geometry?, of field: Field) throws(SharingError) {
        location = field
        switch geometry {
        case nil: return
        case .point(let coordinate, let altitude):
            (parts.point, parts.altitude) = (coordinate, altitude?.meters)
        case .line, .lines:
            throw SharingError(.invalidField, "\(field.name) must be a Point; the geometry is a line.")
        }
    }

    /// Returns the row, after every value was added.
    ///
    /// - Throws: `invalidField`, `missingField`.
    func finish() throws(SharingError) -> ImportedRow {
        guard let location else { return row }
        var row = row
        row.fields.updateValue(
            try parts.location(in: location).map(FieldValue.location),
            forKey: location.name
        )
        return row
    }

    private mutating func take(_ value: FieldValue?, in field: Field) {
        guard field.type == .location else {
            row.fields.updateValue(value, forKey: field.name)
            return
        }
        location = field
        if case .location(let whole)? = value { parts.whole = whole }
    }

    private mutating func take(
        _ text: String,
        as part: LocationParts.Part,
        of field: Field
    ) throws(SharingError) {
        location = field
        if part == .address {
            parts.address = text
            return
        }
        let trimmed = text.trimmed
        // A feature's point takes precedence over its properties.
        guard !trimmed.isEmpty, parts.point == nil else { return }
        guard let number = FieldValue.number(trimmed, .comma) else {
            throw SharingError(.invalidField, "\(field.name): the \(part.rawValue) must be a number.")
        }
        switch part {
        case .latitude: parts.latitude = number
        case .longitude: parts.longitude = number
        case .altitude: parts.altitude = number
        case .address: break
        }
    }

    /// The text of a JSON string, or the JSON of any other value; empty for `null`.
    private static func text(_ json: [UInt8]) -> String {
        json == Array("null".utf8) ? "" : GeoJSONFeature.Identifier(json: json).text
    }
}
