import YonderJSON

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
            var key = JSONWriter()
            key.string(member.key)
            json.append(contentsOf: key.bytes)
            json.append(UInt8(ascii: ":"))
            // Checked separately, so that no value can end early and begin another.
            guard Self.isValue(member.json) else { return nil }
            json.append(contentsOf: member.json)
        }
        json.append(UInt8(ascii: "}"))
        guard json.count <= Int32.max else { return nil }
        let read = json.withUnsafeBytes { text in
            var scanner = Self.scanner(text, allowing: GeoJSONParser.additionalDepth - 1)
            return try? GeoJSONProperties(&scanner)
        }
        guard let read else { return nil }
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
        let string = JSONString(range: range, hasEscapes: place.hasEscapes)
        return json.withUnsafeBytes { string.text(in: $0) }
    }

    private func value(_ place: Place) -> [UInt8] {
        Array(json[Int(place.value.lowerBound)..<Int(place.value.upperBound)])
    }

    private static func isValue(_ json: [UInt8]) -> Bool {
        json.withUnsafeBytes { text in
            var scanner = scanner(text, allowing: 0)
            return (try? scanner.skipValue()) != nil && scanner.next == nil
        }
    }

    private static func scanner(_ text: UnsafeRawBufferPointer, allowing levels: Int) -> JSONScanner {
        JSONScanner(text, allowing: levels, refusesHalfPairs: true)
    }
}

extension GeoJSONProperties {
    /// Reads an object, with the positions of its members.
    init(_ scanner: inout JSONScanner) throws(JSONFault) {
        let start = scanner.offset
        var places: [Place] = []
        try scanner.object { scanner, key throws(JSONFault) in
            let value = try scanner.skipValue()
            places.append(
                Place(
                    key: Int32(key.range.lowerBound - start)..<Int32(key.range.upperBound - start),
                    hasEscapes: key.hasEscapes,
                    value: Int32(value.lowerBound - start)..<Int32(value.upperBound - start)
                )
            )
        }
        self.init(json: Array(scanner.bytes[start..<scanner.lastEnd]), places: places)
    }
}
