import Testing
import YonderGeodesy
import YonderModel

@Suite struct GeocodingQueryTests {
    @Test func `white space around a text isn't part of it`() throws {
        #expect(try GeocodingQuery(" \t\n Oslo  S \u{a0}").text == "Oslo  S")
    }

    @Test(arguments: ["", " ", "\n\t\u{3000}"]) func `a text of nothing is refused`(text: String) {
        #expect(refusal { () throws(SharingError) in _ = try GeocodingQuery(text) } == .missingField)
    }

    @Test func `a text longer than the limit is refused whole`() throws {
        let limit = GeocodingQuery.textLimit
        #expect(try GeocodingQuery(String(repeating: "a", count: limit)).text.utf8.count == limit)
        for text in [String(repeating: "a", count: limit + 1), String(repeating: "é", count: 10_000)] {
            #expect(refusal { () throws(SharingError) in _ = try GeocodingQuery(text) } == .invalidField)
        }
    }

    @Test(arguments: [-1, 0, 21, Int.max, Int.min]) func `a limit outside its range is refused`(limit: Int)
        throws
    {
        let here = try #require(Coordinate(latitude: 0, longitude: 0))
        #expect(
            refusal { () throws(SharingError) in _ = try GeocodingQuery("a", limit: limit) } == .invalidField
        )
        #expect(
            refusal { () throws(SharingError) in _ = try ReverseGeocodingQuery(here, limit: limit) }
                == .invalidField
        )
    }

    @Test func `a language is groups of letters and digits`() {
        for tag in ["de", "pt-BR", "zh-Hant-TW", "sl-1994"] { #expect(LanguageTag(tag)?.description == tag) }
        for tag in ["", "-", "de-", "-de", "de--at", "de_AT", "de;q=1", "de,en", "dé", "abcdefghi"] {
            #expect(LanguageTag(tag) == nil, "\(tag)")
        }
        #expect(LanguageTag(String(repeating: "ab-", count: 12)) == nil)
    }

    @Test func `a label has each part once, and none that isn't known`() throws {
        let here = try #require(Coordinate(latitude: 0, longitude: 0))
        let source = GeocodingSource(name: "gazetteer", attribution: "GeoNames")
        var place = GeocodingCandidate(name: "Oslo", coordinate: here, kind: .settlement, source: source)
        #expect(place.label == "Oslo")
        place.address = GeocodingAddress(settlement: "Oslo", division: "Oslo", country: "Norway")
        #expect(place.label == "Oslo, Norway")
        place.name = "Karl Johans gate 1"
        #expect(place.label == "Karl Johans gate 1, Oslo, Norway")
    }

    private func refusal(_ body: () throws(SharingError) -> Void) -> SharingError.Code? {
        do throws(SharingError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }
}
