import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderJSON

@testable import YonderGeocoding

@Suite struct NominatimAnswerTests {
    static let house = """
        {"place_id":1,"licence":"Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
        "osm_type":"node","lat":"47.1392862","lon":"9.5227962","category":"place","type":"house","place_rank":30,
        "importance":7.2e-05,"addresstype":"place","name":"","display_name":"6, Aeulestrasse, Vaduz, 9490, Liechtenstein",
        "address":{"house_number":"6","road":"Aeulestrasse","town":"Vaduz","ISO3166-2-lvl8":"LI-11","postcode":"9490",
        "country":"Liechtenstein","country_code":"li"},
        "boundingbox":["47.1392362","47.1393362","9.5227462","9.5228462"],"extra":[{"deep":[null,true]}]}
        """

    @Test func `a house has its street and number for a name, its address, its extent and its licence`()
        throws
    {
        let place = try #require(try NominatimAnswer.place(Array(Self.house.utf8), host: "example.org"))
        #expect(place.name == "Aeulestrasse 6" && place.kind == .house)
        #expect(place.label == "Aeulestrasse 6, Vaduz, Liechtenstein")
        #expect(place.address.postcode == "9490" && place.address.countryCode == "LI")
        #expect(place.coordinate == Coordinate(latitude: 47.1392862, longitude: 9.5227962))
        #expect(
            place.extent == Region(west: 9.5227462, south: 47.1392362, east: 9.5228462, north: 47.1393362)
        )
        #expect(
            place.source.name == "example.org" && place.source.attribution.hasPrefix("Data © OpenStreetMap")
        )
    }

    @Test func `no more places are taken than asked for, however many come`() throws {
        let text = "[" + Array(repeating: Self.house, count: 500).joined(separator: ",") + "]"
        #expect(try NominatimAnswer.places(Array(text.utf8), limit: 3, host: "h").count == 3)
    }

    @Test(arguments: [
        #"{"lat":"91","lon":"0","name":"a"}"#, #"{"lat":"0","lon":"181","name":"a"}"#,
        #"{"lat":"nan","lon":"0","name":"a"}"#,
        #"{"lat":"1e999","lon":"0","name":"a"}"#, #"{"lat":"","lon":"0","name":"a"}"#,
        #"{"lon":"0","name":"a"}"#,
        #"{"lat":[1],"lon":{"a":1},"name":"a"}"#, #"{"lat":true,"lon":null,"name":"a"}"#,
        #"{"lat":"0","lon":"0"}"#,
        #"{"error":"Unable to geocode"}"#, "{}", #"{"lat":"0","lon":"0","name":"\u0000\u202e"}"#,
    ])
    func `a place without a name or a coordinate on Earth is left out`(text: String) throws {
        #expect(try NominatimAnswer.place(Array(text.utf8), host: "h") == nil)
        #expect(
            try NominatimAnswer.places(Array("[\(text),\(Self.house)]".utf8), limit: 5, host: "h").count == 1
        )
    }

    @Test func `numbers serve as well as texts, and an impossible box is no extent`() throws {
        for box in [
            "[1,2,3]", "[1,2,3,4,5]", "[2,1,3,4]", #"["a","b","c","d"]"#, "[-91,0,0,0]", "7", "null", "[[1]]",
        ] {
            let text = #"{"lat":59.5,"lon":10,"name":"a","boundingbox":\#(box)}"#
            let place = try #require(try NominatimAnswer.place(Array(text.utf8), host: "h"))
            #expect(place.coordinate.latitude == 59.5 && place.extent == nil, "\(box)")
        }
    }

    @Test func `a name is cut, and what would turn or break a line is taken out`() throws {
        let long = String(repeating: "e\u{301}", count: 5_000)
        let text = #"{"lat":"0","lon":"0","name":"\u202eA\nB\#(long)","address":{"country_code":"<b>"}}"#
        let place = try #require(try NominatimAnswer.place(Array(text.utf8), host: "h"))
        #expect(place.name.hasPrefix("AB") && place.name.unicodeScalars.count == NominatimAnswer.textLimit)
        #expect(place.address.countryCode == nil)
    }

    @Test(arguments: [
        "", "<html>", "null", "[", "[{]", "{}", "[1]", "[{}]x", #"[{"a":1,"a":2}]"#,
        String(repeating: "[", count: 100_000),
        "[" + String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40) + "]",
    ])
    func `JSON other than a list of objects is a fault`(text: String) {
        #expect(throws: JSONFault.self) {
            try NominatimAnswer.places(Array(text.utf8), limit: 5, host: "h")
        }
    }

    @Test func `any bytes are places or a fault`() {
        var random = SeededGenerator(seed: 11)
        let sample = Array("[\(Self.house)]".utf8)
        for _ in 0..<3_000 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            _ = try? NominatimAnswer.places(bytes, limit: 5, host: "h")
            _ = try? NominatimAnswer.places(Array(bytes[..<cut]), limit: 5, host: "h")
        }
    }
}
