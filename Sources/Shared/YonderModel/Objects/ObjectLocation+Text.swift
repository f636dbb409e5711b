public import YonderGeodesy
import YonderJSON

// Locations in one line of text: see Documentation/objects.md. `RowDraft` of the server's import reads cells and members into
// ``LocationParts``, and `FieldText` of the older places API reads a whole text; `ObjectFileWriter` writes. What isn't a
// location throws `invalidField` with the field's name, and the import refuses that row alone; nothing traps. That written
// text is read as the same location must stay (`FieldTextTests`, `RoundTripTests`), and so must the separators, as people
// have such files. A further part is a case of `LocationParts.Part`, with its column in `ColumnTarget`.
extension ObjectLocation {
    /// Reads `latitude,longitude` or `latitude,longitude,altitude`, each optionally followed by `|address`;
    /// or an address alone.
    ///
    /// Degrees and meters have a decimal point, and may have spaces around them. Everything after the first
    /// `|` is the address. Without a `|`, text that isn't a list of numbers is an address if it contains a
    /// letter.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`.
    public init(text: String, in field: Field) throws(SharingError) {
        let bar = text.utf8.firstIndex(of: UInt8(ascii: "|"))
        var parts = LocationParts()
        parts.address = bar.map { String(text[text.utf8.index(after: $0)...]) }
        let place = String(text[..<(bar ?? text.endIndex)]).trimmed
        if bar == nil, Self.isAddress(place) {
            parts.address = place
        } else if !place.isEmpty {
            let numbers = Self.parts(of: place).map { FieldValue.number($0, .point) }
            guard (2...3).contains(numbers.count), !numbers.contains(nil) else {
                throw SharingError(
                    .invalidField,
                    "\(field.name) must be LATITUDE,LONGITUDE[,ALTITUDE][|ADDRESS], or an address."
                )
            }
            (parts.latitude, parts.longitude) = (numbers[0], numbers[1])
            if numbers.count > 2 { parts.altitude = numbers[2] }
        }
        guard let location = try parts.location(in: field) else { throw field.holdsAnother }
        self = location
    }

    /// Splits a text at its commas.
    private static func parts(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(Substring($0)).trimmed }
    }

    /// Whether text without a `|` is an address: it contains a letter, and isn't a list of numbers such as
    /// `NaN,0`.
    private static func isAddress(_ text: String) -> Bool {
        text.unicodeScalars.contains(where: \.properties.isAlphabetic)
            && !parts(of: text).allSatisfy { Double($0) != nil }
    }

    /// The location in one line that ``init(text:in:)`` reads back.
    public var text: String {
        var writer = JSONWriter(capacity: 64)
        if let coordinate {
            writer.degrees(coordinate.latitude)
            writer.raw(",")
            writer.degrees(coordinate.longitude)
        }
        if let altitude {
            writer.raw(",")
            writer.fieldValue(.number(altitude.meters))
        }
        if let address {
            writer.raw("|")
            writer.raw(address.utf8)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The parts of a location, as the columns of a table or a GeoJSON feature give them.
///
/// A part that is given twice is taken from the first of: the point, the numbers, the whole location.
public struct LocationParts: Hashable, Sendable {
    /// One number or text of a location.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// Degrees north of the equator.
        case latitude
        /// Degrees east of Greenwich.
        case longitude
        /// Meters above mean sea level.
        case altitude
        /// The address of the place.
        case address
    }

    /// The coordinate, if it was given as one value.
    public var point: Coordinate?

    /// Degrees north of the equator, or `nil` if not given.
    public var latitude: Double?

    /// Degrees east of Greenwich, or `nil` if not given.
    public var longitude: Double?

    /// Meters above mean sea level, or `nil` if not given.
    public var altitude: Double?

    /// The address of the place; empty or `nil` if not given.
    public var address: String?

    /// A complete location, or `nil` if not given.
    public var whole: ObjectLocation?

    /// Creates a value without any part.
    public init() {}

    /// Combines the parts to a location, or `nil` if no part is given.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`, and `missingField` for half a coordinate, or an
    ///   altitude without one.
    public func location(in field: Field) throws(SharingError) -> ObjectLocation? {
        let coordinate = try numbers(in: field)
        let address = address.flatMap { $0.isEmpty ? nil : $0 } ?? whole?.address
        guard let coordinate = coordinate?.rounded ?? whole?.coordinate else {
            guard altitude == nil else {
                throw SharingError(
                    .missingField,
                    "\(field.name) has an altitude, and so must have latitude and longitude."
                )
            }
            guard let address else { return nil }
            return try Self.checked(ObjectLocation(address: address), in: field)
        }
        let isWhole = point == nil && latitude == nil
        let height = altitude ?? (isWhole ? whole?.altitude?.meters : nil)
        let distance = height.flatMap(Distance.init(meters:))
        return try Self.checked(ObjectLocation(coordinate, altitude: distance, address: address), in: field)
    }

    private func numbers(in field: Field) throws(SharingError) -> Coordinate? {
        if let point { return point }
        guard latitude != nil || longitude != nil else { return nil }
        guard let latitude, let longitude else {
            throw SharingError(.missingField, "\(field.name) must have both latitude and longitude.")
        }
        guard (-180...180).contains(longitude) else {
            throw SharingError(.invalidField, "\(field.name): longitude must be in -180…180.")
        }
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw SharingError(.invalidField, "\(field.name): latitude must be in -90…90.")
        }
        return coordinate
    }

    private static func checked(_ location: ObjectLocation?, in field: Field) throws(SharingError)
        -> ObjectLocation
    {
        guard let location else {
            throw SharingError(.invalidField, ObjectLocation.bounds(field.name.description))
        }
        return location
    }
}
