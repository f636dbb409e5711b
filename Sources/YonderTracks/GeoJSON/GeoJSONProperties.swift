/// A feature's properties: a JSON object, kept byte for byte.
public struct GeoJSONProperties: Hashable, Sendable {
    /// A key and its value as JSON.
    public struct Member: Hashable, Sendable {
        /// The member's name, without escapes.
        public let key: String

        /// The value's JSON, as written.
        public let json: [UInt8]

        /// Creates a member; its value must be JSON.
        public init(key: String, json: [UInt8]) {
            (self.key, self.json) = (key, json)
        }
    }

    /// The position of a member in the object.
    struct Place: Hashable, Sendable {
        let key: Range<Int32>
        let hasEscapes: Bool
        let value: Range<Int32>
    }

    /// The object's JSON, as written.
    public let json: [UInt8]
    private let places: [Place]

    /// No properties.
    public static let none = GeoJSONProperties(json: Array("{}".utf8), places: [])

    init(json: [UInt8], places: [Place]) {
        (self.json, self.places) = (json, places)
    }

    /// Creates properties from members, in their order.
    ///
    /// - Returns: `nil` if a value isn't JSON or is nested more than 32 deep, or if there is a duplicate key.
    public init?(_ members: [Member]) {
        var json = [UInt8(ascii: "{")]
        for member in members {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json.appendJSON(of: member.key)
            json.append(UInt8(ascii: ":"))
            // Checked separately, so that no value can end early and begin another.
            guard Self.isValue(member.json) else { return nil }
            json.append(contentsOf: member.json)
        }
        json.append(UInt8(ascii: "}"))
        let text = json
        guard text.count <= Int32.max else { return nil }
        // Inside a feature, the properties are one level deeper.
        var scanner = GeoJSONScanner(0..<text.count, depth: 1, in: text.span)
        guard let read = try? scanner.properties(in: text.span) else { return nil }
        self = read
    }

    /// The number of members.
    public var count: Int { places.count }

    /// The members in their order.
    public var members: [Member] {
        places.map { Member(key: key($0), json: value($0)) }
    }

    /// The value of a key as it was written, or `nil` if there is none.
    public subscript(key: String) -> [UInt8]? {
        let wanted = Array(key.utf8)
        return places.first { Array(self.key($0).utf8) == wanted }.map(value)
    }

    private func key(_ place: Place) -> String {
        let range = Int(place.key.lowerBound)..<Int(place.key.upperBound)
        return GeoJSONScanner.Text(range: range, hasEscapes: place.hasEscapes).string(in: json.span)
    }

    private func value(_ place: Place) -> [UInt8] {
        Array(json[Int(place.value.lowerBound)..<Int(place.value.upperBound)])
    }

    private static func isValue(_ json: [UInt8]) -> Bool {
        var scanner = GeoJSONScanner(0..<json.count, depth: 2, in: json.span)
        return (try? scanner.value(in: json.span)) != nil && scanner.isAtEnd
    }
}

extension GeoJSONScanner {
    /// Reads an object, with the positions of its members.
    mutating func properties(in bytes: Span<UInt8>) throws(GeoJSONFailure) -> GeoJSONProperties {
        let start = position
        var places: [GeoJSONProperties.Place] = []
        var members = try beginObject(in: bytes)
        while let key = try nextKey(&members, in: bytes) {
            let value = try value(in: bytes)
            places.append(
                GeoJSONProperties.Place(
                    key: Int32(key.range.lowerBound - start)..<Int32(key.range.upperBound - start),
                    hasEscapes: key.hasEscapes,
                    value: Int32(value.lowerBound - start)..<Int32(value.upperBound - start)
                )
            )
        }
        var json: [UInt8] = []
        json.append(copyOf: bytes.extracting(start..<lastEnd))
        return GeoJSONProperties(json: json, places: places)
    }
}

extension [UInt8] {
    /// Appends a text as a JSON string.
    mutating func appendJSON(of text: String) {
        append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x0A: append(contentsOf: Array("\\n".utf8))
            case 0x0D: append(contentsOf: Array("\\r".utf8))
            case 0x09: append(contentsOf: Array("\\t".utf8))
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                append(contentsOf: Array("\\u00".utf8))
                append(digits[Int(byte >> 4)])
                append(digits[Int(byte & 15)])
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
