import YonderGeodesy
import YonderModel
import YonderJSON

/// Reads what a server with Nominatim's HTTP answers, of which nothing is taken on trust.
///
/// The text must be JSON no deeper than 32 levels. A place without a name or a coordinate on Earth is left out, a text
/// is cut at ``textLimit`` characters and freed of control characters, and unknown fields are passed over.
///
/// `NominatimGeocoder` reads each answer once. One that isn't as it should be throws a fault with its place, and the
/// geocoder's request fails; no bytes trap. Which fields make a name is the server's format (`NominatimAnswerTests`, with
/// recorded answers); limits may be changed here.
enum NominatimAnswer {
    /// The most characters of a name.
    static let textLimit = 200

    /// The places of a search's answer, at most `limit`.
    ///
    /// - Throws: What isn't as it should be.
    static func places(_ bytes: [UInt8], limit: Int, host: String) throws(JSONFault) -> [GeocodingCandidate] {
        try read(bytes) { scanner throws(JSONFault) in
            var places: [GeocodingCandidate] = []
            try scanner.array { scanner throws(JSONFault) in
                var place = NominatimPlace()
                try place.read(&scanner)
                if places.count < limit, let candidate = place.candidate(host) { places.append(candidate) }
            }
            return places
        }
    }

    /// The place of a reverse search's answer, or `nil` if it knows none.
    ///
    /// - Throws: What isn't as it should be.
    static func place(_ bytes: [UInt8], host: String) throws(JSONFault) -> GeocodingCandidate? {
        try read(bytes) { scanner throws(JSONFault) in
            var place = NominatimPlace()
            try place.read(&scanner)
            return place.candidate(host)
        }
    }

    /// Whether a status is that all is well: `"status":0`.
    ///
    /// - Throws: What isn't as it should be.
    static func isWell(_ bytes: [UInt8]) throws(JSONFault) -> Bool {
        try read(bytes) { scanner throws(JSONFault) in
            var isWell = false
            try scanner.object { scanner, key throws(JSONFault) in
                let value = try scanner.skipValue()
                if key.equals("status", in: scanner.bytes) {
                    isWell = scanner.bytes[value].elementsEqual([UInt8(ascii: "0")])
                }
            }
            return isWell
        }
    }

    private static func read<Value>(
        _ bytes: [UInt8],
        _ body: (inout JSONScanner) throws(JSONFault) -> Value
    ) throws(JSONFault) -> Value {
        try bytes.withUnsafeBufferPointer { text throws(JSONFault) in
            var scanner = JSONScanner(UnsafeRawBufferPointer(text))
            let value = try body(&scanner)
            try scanner.end()
            return value
        }
    }
}

/// One place as it stands in an answer.
private struct NominatimPlace {
    private var texts: [String: String] = [:]
    private var address: [String: String] = [:]
    private var box: [String] = []

    private static let fields: Set<String> = [
        "lat", "lon", "name", "display_name", "category", "type", "addresstype", "licence",
    ]
    private static let addressFields: Set<String> = [
        "house_number", "road", "pedestrian", "footway", "postcode", "city", "town", "village",
        "municipality",
        "hamlet", "state", "region", "province", "county", "country", "country_code",
    ]

    mutating func read(_ scanner: inout JSONScanner) throws(JSONFault) {
        var (texts, address, box) = (texts, address, box)
        try scanner.object { scanner, key throws(JSONFault) in
            switch key.name(in: scanner.bytes) {
            case "address" where scanner.next == UInt8(ascii: "{"):
                try scanner.object { scanner, key throws(JSONFault) in
                    try Self.text(&scanner, key, Self.addressFields, into: &address)
                }
            case "boundingbox" where scanner.next == UInt8(ascii: "["):
                try scanner.array { scanner throws(JSONFault) in
                    if let text = try Self.text(&scanner), box.count < 5 { box.append(text) }
                }
            default: try Self.text(&scanner, key, Self.fields, into: &texts)
            }
        }
        (self.texts, self.address, self.box) = (texts, address, box)
    }

    private static func text(
        _ scanner: inout JSONScanner,
        _ key: JSONString,
        _ wanted: Set<String>,
        into texts: inout [String: String]
    ) throws(JSONFault) {
        let name = key.name(in: scanner.bytes) ?? ""
        let text = try text(&scanner)
        if let text, wanted.contains(name) { texts[name] = text }
    }

    /// A string or a number as text; `nil` for what is neither.
    private static func text(_ scanner: inout JSONScanner) throws(JSONFault) -> String? {
        let bytes = scanner.bytes
        switch scanner.next {
        case UInt8(ascii: "\""): return cleaned(try scanner.string().text(in: bytes))
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            return String(decoding: bytes[try scanner.number()], as: UTF8.self)
        default:
            _ = try scanner.skipValue()
            return nil
        }
    }

    /// No control characters, none that turn the direction of writing, no more than the limit; `nil` if nothing is left.
    private static func cleaned(_ text: String) -> String? {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        // By scalars, since a character can have any number of them.
        let cut = String(String.UnicodeScalarView(kept.prefix(NominatimAnswer.textLimit)))
        return cut.isEmpty ? nil : cut
    }

    func candidate(_ host: String) -> GeocodingCandidate? {
        guard let latitude = Self.degrees(texts["lat"]), let longitude = Self.degrees(texts["lon"]),
            (-180...180).contains(longitude),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude),
            let name
        else { return nil }
        return GeocodingCandidate(
            name: name,
            address: GeocodingAddress(
                houseNumber: address["house_number"],
                street: first("road", "pedestrian", "footway"),
                postcode: address["postcode"],
                settlement: first("city", "town", "village", "municipality", "hamlet"),
                division: first("state", "region", "province", "county"),
                country: address["country"],
                countryCode: countryCode
            ),
            coordinate: coordinate,
            kind: kind,
            extent: extent,
            source: GeocodingSource(
                name: host,
                attribution: texts["licence"] ?? "© OpenStreetMap contributors, ODbL 1.0"
            )
        )
    }

    /// A house has none but its number and its street.
    private var name: String? {
        if let name = texts["name"] { return name }
        if let street = first("road", "pedestrian", "footway") {
            return address["house_number"].map { "\(street) \($0)" } ?? street
        }
        return texts["display_name"].flatMap { $0.split(separator: ",").first.map(String.init) }
    }

    private var countryCode: String? {
        guard let code = address["country_code"]?.uppercased(), code.utf8.count == 2 else { return nil }
        return code.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) ? code : nil
    }

    private var kind: GeocodingCandidate.Kind {
        switch texts["addresstype"] ?? texts["type"] {
        case "house", "building", "place": .house
        case "road", "street", "footway", "pedestrian": .street
        case "suburb", "neighbourhood", "quarter", "city_district", "borough": .district
        case "city", "town", "village", "municipality", "hamlet", "locality": .settlement
        case "state", "region", "province", "county", "state_district": .division
        case "country": .country
        default: .landmark
        }
    }

    /// South, north, west, east.
    private var extent: Region? {
        let edges = box.compactMap(Self.degrees)
        guard edges.count == 4, box.count == 4 else { return nil }
        return Region(west: edges[2], south: edges[0], east: edges[3], north: edges[1])
    }

    private func first(_ names: String...) -> String? {
        for name in names { if let text = address[name] { return text } }
        return nil
    }

    private static func degrees(_ text: String?) -> Double? {
        guard let text, text.utf8.count <= 32, let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
