public import YonderGeodesy

/// The columns of a CSV file that hold a location, as indexes into the header.
///
/// `ColumnPlan` of the server guesses with it which columns of an imported file are a location; the importing person may name
/// others. A header without such names gives `nil` for all. ``coordinate(in:at:)`` is called for each row; its failure
/// refuses that row alone. Words may be added to the lists. A word that is there must stay, because imports that run by
/// themselves rely on the guess (`CSVTests`, `Documentation/objects.md`).
public struct CSVPlaceColumns: Hashable, Sendable {
    /// The column of the latitude in degrees.
    public var latitude: Int?

    /// The column of the longitude in degrees.
    public var longitude: Int?

    /// The column of the altitude in meters.
    public var altitude: Int?

    /// The column of the address.
    public var address: Int?

    /// Creates the columns.
    public init(latitude: Int? = nil, longitude: Int? = nil, altitude: Int? = nil, address: Int? = nil) {
        (self.latitude, self.longitude) = (latitude, longitude)
        (self.altitude, self.address) = (altitude, address)
    }

    /// Guesses the columns by their names.
    ///
    /// Case and separators between words are ignored. Latitude and longitude are guessed together or not at
    /// all, from names that are equal except for those words: `stop_lat` goes with `stop_lon`. The pair with
    /// the fewest other words is chosen, and of several the first; `x` and `y` are used only if there is no
    /// other pair.
    public init(guessing columns: [String]) {
        let names = columns.map(Self.words)
        let pair =
            Self.pair(in: names, Self.latitudes, Self.longitudes) ?? Self.pair(in: names, ["y"], ["x"])
        (latitude, longitude) = (pair?.latitude, pair?.longitude)
        altitude = Self.best(in: names, Self.altitudes)
        address = Self.best(in: names, Self.addresses)
    }

    /// The coordinate in a row's latitude and longitude, or `nil` if both are blank or the columns don't
    /// exist.
    ///
    /// A number may have a decimal comma. A longitude lies in −180…180.
    ///
    /// - Throws: ``CSVFailure`` with the reason `invalidCoordinate`, at the given offset.
    public func coordinate(in row: CSVRow, at offset: Int) throws(CSVFailure) -> Coordinate? {
        guard let latitude, let longitude, max(latitude, longitude) < row.count else { return nil }
        let isBlank = [latitude, longitude].allSatisfy { row.withBytes(of: $0) { Self.trimmed($0).isEmpty } }
        guard !isBlank else { return nil }
        guard
            let north = Self.number(latitude, in: row), let east = Self.number(longitude, in: row),
            let coordinate = Coordinate(unfoldedLatitude: north, longitude: east)
        else { throw CSVFailure(.invalidCoordinate, at: offset) }
        return coordinate
    }
}

// Numbers.
extension CSVPlaceColumns {
    private static func number(_ column: Int, in row: CSVRow) -> Double? {
        row.withBytes(of: column) { bytes in
            var digits: [UInt8] = []
            for index in trimmed(bytes) { digits.append(bytes[index]) }
            // A single comma without a point is a decimal comma; more commas are invalid.
            if !digits.contains(UInt8(ascii: ".")), let comma = digits.firstIndex(of: UInt8(ascii: ",")) {
                digits[comma] = UInt8(ascii: ".")
            }
            return DecimalNumber(digits.span)?.value
        }
    }

    private static func trimmed(_ bytes: Span<UInt8>) -> Range<Int> {
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while start < end, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }
}

// Names.
extension CSVPlaceColumns {
    private static let latitudes: Set = [
        "lat", "latitude", "latitud", "latitudine", "breite", "breitengrad", "geobreite", "wgs84lat",
        "ycoord",
    ]
    private static let longitudes: Set = [
        "lon", "lng", "long", "longitude", "longitud", "longitudine", "länge", "laenge", "längengrad",
        "laengengrad", "geolänge", "geolaenge", "wgs84lon", "wgs84long", "wgs84lng", "xcoord",
    ]
    private static let altitudes: Set = [
        "alt", "altitude", "ele", "elevation", "height", "höhe", "hoehe", "altitud", "quota",
    ]
    private static let addresses: Set = [
        "address", "addr", "adresse", "anschrift", "dirección", "direccion", "indirizzo", "adres", "endereço",
        "endereco", "standort", "streetaddress", "fulladdress",
    ]

    /// The words of a name in lower case, split at white space, punctuation and changes from lower to upper
    /// case.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        var wasSmall = false
        var isInWord = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                (isInWord, wasSmall) = (false, false)
                continue
            }
            if !isInWord || (wasSmall && character.isUppercase) { words.append("") }
            words[words.count - 1] += character.lowercased()
            (isInWord, wasSmall) = (true, character.isLowercase || character.isNumber)
        }
        return words
    }

    /// A name's words without the wanted one, or `nil` if the wanted word isn't among them.
    private static func others(_ words: [String], than wanted: Set<String>) -> [String]? {
        if wanted.contains(words.joined()) { return [] }
        guard let index = words.firstIndex(where: wanted.contains) else { return nil }
        return Array(words[..<index] + words[(index + 1)...])
    }

    private static func best(in names: [[String]], _ wanted: Set<String>) -> Int? {
        let found = names.enumerated().compactMap { index, words in
            others(words, than: wanted).map { (index: index, count: $0.count) }
        }
        return found.min { $0.count < $1.count }?.index
    }

    private static func pair(
        in names: [[String]],
        _ latitudes: Set<String>,
        _ longitudes: Set<String>
    ) -> (latitude: Int, longitude: Int)? {
        var longitudeOfOthers: [[String]: Int] = [:]
        for (index, words) in names.enumerated().reversed() {
            if let others = others(words, than: longitudes) { longitudeOfOthers[others] = index }
        }
        let pairs = names.enumerated().compactMap { index, words in
            others(words, than: latitudes).flatMap { others in
                longitudeOfOthers[others].map { (count: others.count, latitude: index, longitude: $0) }
            }
        }
        return pairs.min { $0.count < $1.count }.map { ($0.latitude, $0.longitude) }
    }
}
