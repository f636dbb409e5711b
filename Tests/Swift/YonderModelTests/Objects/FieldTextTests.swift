import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@Suite struct FieldTextTests {
    @Test func `any value is the same once written into a cell and read, or into a property`() throws {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            for field in ObjectSamples.places.fields {
                guard let value = ObjectSamples.value(field.type, using: &random) else { continue }
                let cell = try FieldValue.read(value.cell, in: field)
                #expect(cell?.jsonBytes == value.jsonBytes, "seed \(seed): \(value)")
                let property = try FieldValue.read(json: value.jsonBytes, in: field)
                #expect(property?.jsonBytes == value.jsonBytes, "seed \(seed): \(value)")
            }
        }
    }

    @Test(arguments: [
        -8_640_000_000_000_000, -62_167_219_200_001, -62_167_219_200_000, -1, 0, 1_700_000_000_123,
        253_402_300_799_999, 253_402_300_800_000, 8_640_000_000_000_000,
    ])
    func `any date is the same once written and read`(milliseconds: Int64) throws {
        let value = FieldValue.date(Timestamp(milliseconds: milliseconds))
        #expect(try read(value.cell, .date) == value)
    }

    @Test(arguments: [
        ("number", " 4.5 ", "4.5"), ("number", "+1e3", "1000"), ("number", "-0", "-0.0"),
        ("number", ".5", "0.5"), ("date", "1970-01-02", "86400000"), ("date", "1970-01-01 00:00:01", "1000"),
        ("date", "1970-01-01T01:00:00+01:00", "0"), ("date", "-1", "-1"), ("boolean", "TRUE", "true"),
        ("boolean", "no", "false"), ("boolean", "1", "true"), ("json", " [1, 2] ", "[1, 2]"),
        ("reference", " 17 ", "\"17\""), ("text", " a ", "\" a \""), ("text", "", "\"\""),
        ("location", " 1.5 , 2 | x", #"{"latitude":1.5,"longitude":2,"address":" x"}"#),
        ("location", "1,2,3", #"{"latitude":1,"longitude":2,"altitude":3}"#),
        ("location", "|x|y", #"{"address":"x|y"}"#),
        ("location", " Main Street 1", #"{"address":"Main Street 1"}"#),
        ("location", "Rua Augusta, 100", #"{"address":"Rua Augusta, 100"}"#),
        ("location", "1,180|", #"{"latitude":1,"longitude":-180}"#),
        ("location", "|\u{301}x", "{\"address\":\"\u{301}x\"}"),
    ])
    func `a cell is read as people write it`(type: String, cell: String, json: String) throws {
        let value = try read(cell, try #require(Self.types[type]))
        #expect(value.map { String(decoding: $0.jsonBytes, as: UTF8.self) } == json)
    }

    @Test(arguments: ["number", "date", "boolean", "json", "reference", "location"])
    func `a blank cell has no value`(type: String) throws {
        #expect(try read(" \t", try #require(Self.types[type])) == nil)
    }

    @Test(arguments: [
        ("number", "4,5"), ("number", "x"), ("number", "1e400"), ("number", "NaN"), ("number", "0x10"),
        ("date", "01.02.2024"), ("date", "2024-02-30"), ("date", "+1"), ("boolean", "maybe"), ("json", "[1"),
        ("json", "1 2"), ("reference", "4.6E+18"), ("reference", "-1"), ("location", "NaN,0"),
        ("location", "1"), ("location", "1,2,3,4"), ("location", "91,0"), ("location", "0,181"),
        ("location", "1,2,1e9"), ("location", "|"), ("location", "|a\nb"), ("location", ",1"),
        ("location", "1,2|\(String(repeating: "x", count: 1_001))"),
    ])
    func `a cell that can't be a value is refused`(type: String, cell: String) throws {
        let type = try #require(Self.types[type])
        #expect(throws: SharingError.self) { try read(cell, type) }
    }

    @Test func `between semicolons a comma is a decimal mark`() throws {
        let field = Field(ObjectSamples.field("rating"), .number)
        #expect(try FieldValue.read("4,5", in: field, .comma) == .number(4.5))
        #expect(throws: SharingError.self) { try FieldValue.read("1,234.5", in: field, .comma) }
        #expect(throws: SharingError.self) { try FieldValue.read("1,2,3", in: field, .comma) }
    }

    @Test func `a property may be a text where the wire has none, and a text may be a number`() throws {
        func json(_ text: String, _ type: FieldType) throws -> FieldValue? {
            try FieldValue.read(json: Array(text.utf8), in: Field(ObjectSamples.field("x"), type))
        }
        #expect(try json("12", .text) == .text("12"))
        #expect(try json("true", .text) == .text("true"))
        #expect(try json("\"4.5\"", .number) == .number(4.5))
        #expect(try json("\"1970-01-02\"", .date) == .date(Timestamp(milliseconds: 86_400_000)))
        #expect(try json("\"\"", .number) == nil)
        #expect(try json("null", .json) == nil)
        #expect(try json("\"1,2|x\"", .location) == ObjectSamples.location(1, 2, "x"))
        for (text, type) in [("{}", FieldType.text), ("[]", .number), ("\"x\"", .boolean), ("17", .location)]
        {
            #expect(throws: SharingError.self) { try json(text, type) }
        }
    }

    @Test func `half a place, or an altitude of none, is refused`() throws {
        let field = Field(ObjectSamples.field("at"), .location)
        var parts = LocationParts()
        #expect(try parts.location(in: field) == nil)
        parts.latitude = 1
        #expect(throws: SharingError.self) { try parts.location(in: field) }
        parts.longitude = 2
        parts.altitude = 3
        parts.address = ""
        #expect(try parts.location(in: field)?.text == "1,2,3")
        (parts.latitude, parts.longitude) = (nil, nil)
        #expect(throws: SharingError.self) { try parts.location(in: field) }
    }

    private static let types: [String: FieldType] = [
        "text": .text, "number": .number, "date": .date, "boolean": .boolean, "json": .json,
        "reference": .reference(to: ObjectSamples.entity("place")), "location": .location,
    ]

    private func read(_ cell: String, _ type: FieldType) throws -> FieldValue? {
        try FieldValue.read(cell, in: Field(ObjectSamples.field("x"), type))
    }
}
