import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct ObjectJSONTests {
    private let entity = ObjectSamples.stored(ObjectSamples.places)

    @Test func `objects, records and wishes read what they write`() throws {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let object = ObjectSamples.object(using: &random)
            #expect(try Object(json: object.json, of: entity) == object, "seed \(seed)")
            let record = ObjectRecord(object)
            #expect(try record.object(of: entity) == object, "seed \(seed)")
            #expect(record.coordinate == object.location?.coordinate, "seed \(seed)")

            var fields = object.fields.mapValues(Optional.some)
            for name in fields.keys where Bool.random(using: &random) {
                fields.updateValue(nil, forKey: name)
            }
            let wish = ObjectWish(fields: fields, updated: Bool.random(using: &random) ? object.updated : nil)
            #expect(try ObjectWish(json: wish.json, for: entity) == wish, "seed \(seed)")
        }
    }

    @Test func `an object is written as documented`() {
        let object = Object(
            id: ObjectSamples.id(42),
            entity: entity.name,
            created: Timestamp(milliseconds: 1),
            updated: Timestamp(milliseconds: 2),
            fields: [
                ObjectSamples.field("name"): .text("Café \"X\""),
                ObjectSamples.field("rating"): .number(4.5),
                ObjectSamples.field("opened"): .date(Timestamp(milliseconds: -5)),
                ObjectSamples.field("closed"): .boolean(false),
                ObjectSamples.field("more"): ObjectSamples.json("{\"b\": 1}"),
                ObjectSamples.field("near"): .reference(ObjectSamples.id(7)),
                ObjectSamples.field("at"): ObjectSamples.location(52.5, -0.000_000_1, "Main Street"),
            ]
        )
        let expected = #"""
            {"id":"42","entity":"place","created":1,"updated":2,"fields":{"at":{"latitude":52.5,\#
            "longitude":-0.0000001,"address":"Main Street"},"closed":false,"more":{"b": 1},"name":"Café \"X\"",\#
            "near":"7","opened":-5,"rating":4.5}}
            """#
        #expect(String(decoding: object.json, as: UTF8.self) == expected)
    }

    @Test func `every rounded coordinate is read as it was written`() throws {
        var random = SeededGenerator(seed: 5)
        var edges: [(Int32, Int32)] = [
            (0, 0), (-1, 1), (1, -1), (900_000_000, 1_799_999_999), (-900_000_000, -1_800_000_000),
            (10, -100),
        ]
        for _ in 0..<2_000 {
            let latitude = Int32.random(in: -900_000_000...900_000_000, using: &random)
            edges.append((latitude, Int32.random(in: -1_800_000_000..<1_800_000_000, using: &random)))
        }
        for (latitude, longitude) in edges {
            let coordinate = try #require(Coordinate.Rounded(latitude: latitude, longitude: longitude))
            let location = try #require(ObjectLocation(coordinate))
            let wish = ObjectWish(fields: [ObjectSamples.field("at"): .location(location)])
            #expect(try ObjectWish(json: wish.json, for: entity) == wish)
        }
    }

    @Test func `180 degrees east is 180 degrees west`() throws {
        let text = #"{"fields":{"at":{"latitude":90,"longitude":180}}}"#
        let wish = try ObjectWish(json: Array(text.utf8), for: entity)
        #expect(wish.values[ObjectSamples.field("at")] == ObjectSamples.location(90, -180))
    }

    @Test(arguments: [
        ("", "invalidJSON"), ("[]", "invalidFrame"), ("{}", "missingField"),
        (#"{"fields":[]}"#, "invalidField"),
        (#"{"fields":{},"id":"1"}"#, "unknownField"), (#"{"fields":{"color":1}}"#, "unknownField"),
        (#"{"fields":{"9":null}}"#, "unknownField"), (#"{"fields":{"name":1}}"#, "invalidField"),
        (#"{"fields":{"name":"a","name":"b"}}"#, "invalidJSON"),
        (#"{"fields":{"rating":"1"}}"#, "invalidField"),
        (#"{"fields":{"rating":1e999}}"#, "invalidField"), (#"{"fields":{"opened":1.5}}"#, "invalidField"),
        (#"{"fields":{"closed":0}}"#, "invalidField"), (#"{"fields":{"near":7}}"#, "invalidField"),
        (#"{"fields":{"near":"07"}}"#, "invalidField"), (#"{"fields":{"at":"1,2"}}"#, "invalidField"),
        (#"{"fields":{"at":{}}}"#, "missingField"), (#"{"fields":{"at":{"latitude":1}}}"#, "missingField"),
        (#"{"fields":{"at":{"altitude":1,"address":"a"}}}"#, "missingField"),
        (#"{"fields":{"at":{"latitude":90.1,"longitude":0}}}"#, "invalidField"),
        (#"{"fields":{"at":{"latitude":0,"longitude":-180.1}}}"#, "invalidField"),
        (#"{"fields":{"at":{"latitude":"1","longitude":0}}}"#, "invalidField"),
        (#"{"fields":{"at":{"latitude":0,"longitude":0,"altitude":1e9}}}"#, "invalidField"),
        (#"{"fields":{"at":{"latitude":0,"longitude":0,"height":1}}}"#, "unknownField"),
        (#"{"fields":{"at":{"address":""}}}"#, "invalidField"),
        (#"{"fields":{},"updated":"1"}"#, "invalidField"),
    ])
    func `a bad wish is refused with its code`(text: String, code: String) {
        expect(SharingError.Code(code)) { () throws(SharingError) in
            try ObjectWish(json: Array(text.utf8), for: entity)
        }
    }

    @Test func `JSON in a field nests 32 deep and no deeper`() throws {
        for (depth, isFine) in [(32, true), (33, false)] {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let text = Array("{\"fields\":{\"more\":\(value)}}".utf8)
            if isFine {
                let wish = try ObjectWish(json: text, for: entity)
                let object = Object(
                    id: ObjectSamples.id(1),
                    entity: entity.name,
                    created: ObjectSamples.time,
                    updated: ObjectSamples.time,
                    fields: wish.values
                )
                #expect(try Object(json: object.json, of: entity) == object)
                #expect(try ObjectRecord(object).object(of: entity) == object)
            } else {
                expect(.invalidJSON) { () throws(SharingError) in try ObjectWish(json: text, for: entity) }
            }
        }
    }

    @Test func `null empties a field and is no value`() throws {
        let wish = try ObjectWish(json: Array(#"{"fields":{"name":"a","more":null}}"#.utf8), for: entity)
        #expect(wish.fields == [ObjectSamples.field("name"): .text("a"), ObjectSamples.field("more"): .none])
        #expect(wish.values.count == 1)
        expect(.invalidField) { () throws(SharingError) in try JSONText(Array(" null ".utf8)) }
    }

    @Test func `more bytes than any object has are refused unread`() {
        let text = Array(repeating: UInt8(ascii: " "), count: ObjectWish.byteLimit + 1)
        expect(.tooLarge) { () throws(SharingError) in try ObjectWish(json: text, for: entity) }
    }

    @Test func `bytes that somebody has damaged are refused or read, and never trap`() {
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            var bytes = ObjectWish(
                fields: ObjectSamples.object(using: &random).fields.mapValues(Optional.some)
            ).json
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? ObjectWish(
                json: Array(bytes.prefix(Int.random(in: 0...400, using: &random))),
                for: entity
            )
        }
    }
}
