import Testing
import YonderGeodesy
import YonderModel
package import YonderRules

/// A promise that every geocoder keeps, as a test: its name says what.
package struct GeocoderRule: Sendable, CustomTestStringConvertible {
    /// The promise.
    package let testDescription: String

    /// Tries it on a geocoder that knows Oslo, at 59.91° N 10.75° E.
    package let check: @Sendable (any Geocoder) async throws -> Void

    private init(_ name: String, _ check: @escaping @Sendable (any Geocoder) async throws -> Void) {
        testDescription = name
        self.check = check
    }

    /// All of them.
    package static let all = [
        GeocoderRule("a town is found by its name, and says who knows it") { geocoder in
            let found = try await geocoder.search(try GeocodingQuery("Oslo"))
            let oslo = try #require(found.first)
            #expect(oslo.name == "Oslo" && oslo.address.countryCode == "NO")
            #expect(oslo.kind == .settlement && oslo.label.hasPrefix("Oslo"))
            let here = try center
            #expect(oslo.coordinate.distance(to: here) < .kilometers(10))
            #expect(found.allSatisfy { !$0.source.name.isEmpty && !$0.source.attribution.isEmpty })
        },
        GeocoderRule("there are no more candidates than asked for") { geocoder in
            for limit in GeocodingQuery.limits {
                let found = try await geocoder.search(try GeocodingQuery("Oslo", limit: limit))
                #expect((1...limit).contains(found.count))
            }
        },
        GeocoderRule("an unknown place gives no result and no error") { geocoder in
            let found = try await geocoder.search(try GeocodingQuery("zzxqvw kkqzx"))
            #expect(found.isEmpty)
        },
        GeocoderRule("a text that looks like syntax is a text") { geocoder in
            for text in hostile { _ = try await geocoder.search(try GeocodingQuery(text)) }
            #expect(try await geocoder.search(try GeocodingQuery("Oslo")).first?.name == "Oslo")
        },
        GeocoderRule("places at a coordinate come with their distances, the nearest first") { geocoder in
            let here = try center
            let found = try await geocoder.reverse(try ReverseGeocodingQuery(here, limit: 3))
            let nearest = try #require(found.first)
            #expect(nearest.candidate.name == "Oslo")
            #expect(nearest.distance == nearest.candidate.coordinate.distance(to: here))
            #expect(found.map(\.distance) == found.map(\.distance).sorted() && found.count <= 3)
        },
    ]

    private static var center: Coordinate {
        get throws { try #require(Coordinate(latitude: 59.9127, longitude: 10.7461)) }
    }

    /// Texts that mean something to a database, a shell, a URL or a parser.
    package static let hostile = [
        "\"", "\"\"", "'", "a\"b", "oslo\" OR \"a", "oslo OR", "NOT oslo", "AND", "NEAR(a b, 5)", "oslo*",
        "*",
        "^oslo", "words : oslo", "{words} : a", "- words : a", "(", ")", "((((((((", "+", "a + b", "%", "_",
        "%s%n",
        "\\", ";", "'; DROP TABLE place; --", "oslo\u{0}paris", "\u{0}", "😀", "👨‍👩‍👧‍👦", "\u{301}\u{301}\u{301}",
        "\u{202E}oslo",
        "·oslo", "°17·45", "&q=paris", "oslo&limit=1000", "?", "#", "../../etc/passwd", "<script>",
        String(repeating: "a", count: 400), String(repeating: "\"", count: 400),
        String(repeating: "a ", count: 200), String(repeating: "٪", count: 200),
        String(repeating: "ﷺ", count: 130), "e" + String(repeating: "\u{301}", count: 190),
    ]
}
