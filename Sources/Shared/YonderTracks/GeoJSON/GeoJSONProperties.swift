import YonderJSON

/// A feature's properties: a JSON object, kept byte for byte.
///
/// `GeoJSONParser` reads it, an import takes columns by key, and `ObjectFileWriter` makes it of an object's fields. A
/// member's text is parsed only when a caller does. Making it of members returns `nil` for an invalid or a repeated one; the
/// total is below 2 GiB. That bytes stay as written must stay, so that a file comes back unchanged (`GeoJSONWriterTests`).
///
/// How members are found may change; the 32 levels are `JSONScanner`'s.
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

    /// The bytes of a member in the object's JSON.
    struct MemberRange: Hashable, Sendable {
        let key: Range<Int32>
        let hasEscapes: Bool
        let value: Range<Int32>
    }

    /// The object's JSON, as written.
    public let json: [UInt8]
    private let ranges: [MemberRange]

    /// No properties.
    public static let none = GeoJSONProperties(json: Array("{}".utf8), ranges: [])

    init(json: [UInt8], ranges: [MemberRange]) {
        (self.json, self.ranges) = (json, ranges)
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
    public var count: Int { ranges.count }

    /// The members in their order.
    public var members: [Member] {
        ranges.map { Member(key: key($0), json: value($0)) }
    }

    /// The value of a key as it was written, or `nil` if there is none.
    public subscript(key: String) -> [UInt8]? {
        let wanted = Array(key.utf8)
        return ranges.first { Array(self.key($0).utf8) == wanted }.map(value)
    }

    private func key(_ member: MemberRange) -> String {
        let range = Int(member.key.lowerBound)..<Int(member.key.upperBound)
        let string = JSONString(range: range, hasEscapes: member.hasEscapes)
        return json.withUnsafeBytes { string.text(in: $0) }
    }

    private func value(_ member: MemberRange) -> [UInt8] {
        Array(json[Int(member.value.lowerBound)..<Int(member.value.upperBound)])
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
        var ranges: [MemberRange] = []
        try scanner.object { scanner, key throws(JSONFault) in
            let value = try scanner.skipValue()
            ranges.append(
                MemberRange(
                    key: Int32(key.range.lowerBound - start)..<Int32(key.range.upperBound - start),
                    hasEscapes: key.hasEscapes,
                    value: Int32(value.lowerBound - start)..<Int32(value.upperBound - start)
                )
            )
        }
        self.init(json: Array(scanner.bytes[start..<scanner.lastEnd]), ranges: ranges)
    }
}
