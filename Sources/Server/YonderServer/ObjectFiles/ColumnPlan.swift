import YonderModel
import YonderTracks

/// The assignment of a file's columns to fields.
///
/// The request's own mapping comes first. Any other column is assigned to the field of its name, an exact
/// match before one that differs in case; `id` identifies objects. ``CSVPlaceColumns`` then searches the
/// remaining columns for the parts of the location. Columns left over are ignored. No field gets two columns.
///
/// `CSVRows` makes one for a file's header, `GeoJSONRows` one for each new set of properties, `ObjectColumns` one to see
/// that an export is read back alike. The rules are promised in `Documentation/objects.md` and tried by
/// `ColumnPlanTests`; 256 columns may be raised.
struct ColumnPlan: Hashable, Sendable {
    /// The most columns of a file, or properties of a feature.
    static let columnLimit = 256

    /// The targets by column; `nil` for an ignored column.
    private(set) var targets: [ColumnTarget?]

    private var isSettled: [Bool]

    /// The names of the columns; empty for one that is longer than any field's, and so can only be mapped by its bytes.
    private let columns: [String]

    /// Assigns columns with these names.
    ///
    /// - Throws: `invalidField` if the mapping assigns two columns to one field, or if only one of latitude
    ///   and longitude has a column.
    init(_ columns: [String], in entity: Entity, _ overrides: ColumnOverrides) throws(SharingError) {
        self.columns = columns.map { $0.utf8.count <= 64 ? $0 : "" }
        targets = Array(repeating: nil, count: columns.count)
        isSettled = Array(repeating: false, count: columns.count)
        try take(overrides, columns)
        for column in columns.indices { take(column, by: { $0 == $1 }, in: entity) }
        for column in columns.indices { take(column, by: { $0.lowercased() == $1.lowercased() }, in: entity) }
        if let location = entity.locationField { takeParts(of: location) }
        try check()
    }

    private func isTaken(_ target: ColumnTarget) -> Bool { targets.contains(target) }

    private mutating func settle(_ column: Int, _ target: ColumnTarget?) {
        targets[column] = target
        isSettled[column] = true
    }

    private mutating func take(_ overrides: ColumnOverrides, _ names: [String]) throws(SharingError) {
        for (column, name) in names.enumerated() {
            guard let target = overrides.targets[Array(name.utf8)] else { continue }
            if let target, isTaken(target) {
                throw SharingError(
                    .invalidField,
                    "map: two columns go to \(target.name); ignore one with COLUMN:."
                )
            }
            settle(column, target)
        }
    }

    private mutating func take(
        _ column: Int,
        by areSame: (String, String) -> Bool,
        in entity: Entity
    ) {
        guard !isSettled[column] else { return }
        let name = columns[column]
        let field = entity.definition.fields.first { field in
            areSame(field.name.description, name) && !isTaken(.field(field))
        }
        if let field {
            settle(column, .field(field))
        } else if areSame("id", name), !isTaken(.id) {
            settle(column, .id)
        }
    }
}

// The location.
extension ColumnPlan {
    private mutating func takeParts(of location: Field) {
        guard let whole = targets.firstIndex(of: .field(location)) else {
            return takeGuess(guess(), location)
        }
        // The location field may be named like an address column. If there are latitude and longitude
        // columns, too, the column of that name is the address alone.
        let guess = guess(also: whole)
        guard guess.address == whole, guess.latitude != nil else { return }
        targets[whole] = nil
        takeGuess(guess, location)
    }

    private func guess(also column: Int? = nil) -> CSVPlaceColumns {
        CSVPlaceColumns(
            guessing: columns.indices.map { isSettled[$0] && $0 != column ? "" : columns[$0] }
        )
    }

    private mutating func takeGuess(_ guess: CSVPlaceColumns, _ location: Field) {
        func part(_ part: LocationParts.Part) -> ColumnTarget { .part(part, of: location) }
        if !isTaken(part(.latitude)), !isTaken(part(.longitude)),
            let latitude = guess.latitude, let longitude = guess.longitude
        {
            settle(latitude, part(.latitude))
            settle(longitude, part(.longitude))
        }
        if !isTaken(part(.altitude)), let altitude = guess.altitude { settle(altitude, part(.altitude)) }
        if !isTaken(part(.address)), let address = guess.address { settle(address, part(.address)) }
    }

    private func check() throws(SharingError) {
        let parts = targets.compactMap { target -> (part: LocationParts.Part, field: Field)? in
            guard case .part(let part, of: let field)? = target else { return nil }
            return (part, field)
        }
        guard let field = parts.first?.field else { return }
        guard !isTaken(.field(field)) else {
            throw SharingError(
                .invalidField,
                "\(field.name) has a column of its own and columns for its parts; ignore one with map=COLUMN:."
            )
        }
        let halves = parts.filter { $0.part == .latitude || $0.part == .longitude }
        guard halves.count != 1 else {
            throw SharingError(
                .invalidField,
                "\(field.name) must get both latitude and longitude, each from a column: name the missing one with map=COLUMN:FIELD.latitude or .longitude."
            )
        }
    }
}
