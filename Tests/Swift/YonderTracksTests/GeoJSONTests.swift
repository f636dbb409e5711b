import Foundation
import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

@Suite struct GeoJSONTests {
    @Test(arguments: ["compact", "indented", "sorted", "lines"])
    func `features are what Python's json reads in a file`(name: String) throws {
        let expected = try #require(FormatFixtures.json("features.json") as? [Any])
        let bytes = try FormatFixtures.bytes("\(name).geojson")
        let records = FormatFixtures.features(bytes)
        #expect(records.count == expected.count && records.allSatisfy { $0.failure == nil })
        for (record, expected) in zip(records, expected) {
            let feature = try #require(record.value)
            #expect(try Self.sorted(object(feature)) == Self.sorted(expected))
            #expect(bytes[record.offset] == UInt8(ascii: "{"))
            #expect(bytes[..<record.offset].count { $0 == 0x0A } + 1 == record.line)
        }
        #expect(FormatFixtures.features(bytes) { 1 } == records)
        #expect(FormatFixtures.features(bytes) { 777 } == records)
    }

    @Test func `properties are kept byte for byte`() throws {
        let properties = #"{ "a" : 1.0E+2,"b\u0063": [ {"x":"\u00e9"} ] }"#
        let feature = try #require(read(feature(properties: properties)).first?.value)
        #expect(feature.properties.json == Array(properties.utf8))
        #expect(feature.properties.members.map(\.key) == ["a", "bc"])
        #expect(feature.properties["a"] == Array("1.0E+2".utf8))
        #expect(feature.properties["bc"] == Array(#"[ {"x":"\u00e9"} ]"#.utf8))
        #expect(feature.properties["c"] == nil)
        #expect(GeoJSONProperties(feature.properties.members)?.members == feature.properties.members)
    }

    @Test func `members can't be smuggled into properties`() {
        for json in ["1,\"b\":2", "", "[1", "nul", "{\"x\":1,\"x\":2}", String(repeating: "[", count: 31)] {
            #expect(GeoJSONProperties([.init(key: "a", json: Array(json.utf8))]) == nil, "\(json)")
        }
        #expect(GeoJSONProperties([.init(key: "a", json: [0x31]), .init(key: "a", json: [0x31])]) == nil)
    }

    @Test(arguments: [
        (#"{"type":"Point","coordinates":[10,91]}"#, GeoJSONFailure.Reason.invalidCoordinate),
        (#"{"type":"Point","coordinates":[180.1,0]}"#, .invalidCoordinate),
        (#"{"type":"Point","coordinates":[1e999,0]}"#, .invalidCoordinate),
        (#"{"type":"Point","coordinates":[1]}"#, .invalidGeometry),
        (#"{"type":"Point","coordinates":[]}"#, .invalidGeometry),
        (#"{"type":"Point","coordinates":["1","2"]}"#, .invalidGeometry),
        (#"{"type":"Point","coordinates":null}"#, .invalidGeometry),
        (#"{"type":"Point","coordinates":[01,2]}"#, .notJSON),
        (#"{"type":"Point","coordinates":[+1,2]}"#, .notJSON),
        (#"{"type":"Point","coordinates":[1.,2]}"#, .notJSON),
        (#"{"type":"Point","coordinates":[NaN,2]}"#, .notJSON),
        (#"{"type":"Point","type":"Point","coordinates":[1,2]}"#, .duplicateKey),
        (#"{"type":"Point"}"#, .invalidGeometry), (#"{"coordinates":[1,2]}"#, .invalidGeometry),
        (#"{"type":"LineString","coordinates":[[1,2]]}"#, .invalidGeometry),
        (#"{"type":"Polygon","coordinates":[]}"#, .unsupportedGeometry("Polygon")),
        (#"{"type":"GeometryCollection","geometries":[]}"#, .unsupportedGeometry("GeometryCollection")),
        (#"{"type":"Blob","coordinates":[]}"#, .invalidGeometry), ("[1,2]", .invalidGeometry),
        ("\"\u{1}\"", .notJSON), ("truth", .notJSON), ("{\"a\":1,}", .notJSON), ("[1,]", .notJSON),
    ])
    func `a wrong geometry costs that feature alone`(geometry: String, reason: GeoJSONFailure.Reason) {
        let good = feature()
        let records = read(collection([good, feature(geometry: geometry), good]))
        #expect(records.map(\.failure?.reason) == [nil, reason, nil])
    }

    @Test func `other faults cost that feature alone as well`() {
        let deep = String(repeating: "[", count: 34) + String(repeating: "]", count: 34)
        let faults: [(String, GeoJSONFailure.Reason)] = [
            (feature(properties: deep), .tooDeep), (feature(properties: "[]"), .invalidProperties),
            (#"{"type":"Feature","id":{},"geometry":null}"#, .invalidIdentifier),
            (#"{"type":"Point","coordinates":[1,2]}"#, .notFeature), ("null", .notFeature),
            ("[]", .notFeature),
            (#"{"type":"Feature","a":1,"\u0061":2}"#, .duplicateKey), ("17", .notFeature),
        ]
        let good = feature()
        let records = read(collection(faults.flatMap { [$0.0, good] }))
        #expect(records.map(\.failure?.reason) == faults.flatMap { [$0.1, nil] })
    }

    @Test func `a feature whose brackets don't fit costs that feature alone`() {
        let good = feature()
        let reasons = { (records: [GeoJSONReader.Record]) in records.map(\.failure?.reason) }
        for broken in [String(good.dropLast()), String(good.dropLast(2)), good.replacing("]", with: "}")] {
            #expect(reasons(read(collection([good, broken, good, good]))) == [nil, .notJSON, nil, nil])
            let lines = reasons(read([good, broken, good].joined(separator: "\n")))
            #expect(lines == [nil, .notJSON, nil])
        }
        let open = good.replacing("\"Feature\"", with: "\"Feature")
        #expect(read(collection([good, open, good])).compactMap(\.value).count >= 1)
        #expect(reasons(read([good, open, good].joined(separator: "\n"))) == [nil, .notJSON, nil])
    }

    @Test func `a file that breaks off says so`() {
        let text = collection([feature(), feature()])
        for count in [text.count - 1, text.count - 2, text.count - 20, text.count - 60] {
            let records = read(String(text.prefix(count)))
            #expect(records.first?.value != nil && records.last?.failure?.reason == .truncated, "\(count)")
        }
    }

    @Test(arguments: [
        "", " ", "[]", "null", "<html>\n<a>", #"{"type":"Topology"}"#, #"{"features":[]}"#,
        #"{"type":"Feature","features":[]}"#, #"{"features":[],"type":"Feature"}"#, "\u{FEFF}x",
    ])
    func `a file that isn't GeoJSON is refused`(text: String) {
        #expect(read(text).map(\.failure?.reason) == [.notGeoJSON])
    }

    @Test func `a feature has a limit, and what follows is read`() {
        let good = feature()
        let long = feature(properties: "{\"a\":\"\(String(repeating: "x", count: 300))\"}")
        let bytes = Array(collection([good, long, good]).utf8)
        let records = FormatFixtures.features(bytes, featureLength: 200)
        #expect(records.map(\.failure?.reason) == [nil, .tooLong, nil])
        #expect(FormatFixtures.features(bytes, featureLength: 200) { 3 } == records)
    }

    @Test func `single values, sequences and marks are read`() {
        let point = #"{"type":"Point","coordinates":[1,2,3,4]}"#
        #expect(read(point).first?.value?.geometry == read(feature(geometry: point)).first?.value?.geometry)
        #expect(read("\u{FEFF}" + feature()).compactMap(\.value).count == 1)
        #expect(read("\u{1E}\(feature())\n\u{1E}\(feature())\n").compactMap(\.value).count == 2)
        #expect(read(feature() + "\n" + collection([feature(), feature()])).compactMap(\.value).count == 3)
        #expect(read(feature(geometry: "null")).first?.value?.geometry == .some(nil))
        #expect(read(collection([])) == [])
    }

    @Test func `a file of open brackets is read in a time that grows with its length`() {
        let open = Array(#"{"type":"Feature","a":[[[[["#.utf8)
        let bytes =
            Array(#"{"type":"FeatureCollection","features":["#.utf8)
            + Array(repeating: open + Array(",".utf8), count: 50_000).flatMap(\.self)
        let records = FormatFixtures.features(bytes, featureLength: 1 << 14)
        #expect(records.allSatisfy { $0.value == nil } && records.count > 50)
    }

    private func read(_ text: String) -> [GeoJSONReader.Record] {
        let bytes = Array(text.utf8)
        let whole = FormatFixtures.features(bytes)
        #expect(FormatFixtures.features(bytes) { 1 } == whole)
        return whole
    }

    private func feature(
        geometry: String = #"{"type":"Point","coordinates":[1.5,-2.5]}"#,
        properties: String = "{}"
    ) -> String {
        #"{"type":"Feature","geometry":\#(geometry),"properties":\#(properties)}"#
    }

    private func collection(_ features: [String]) -> String {
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    /// A value as text in which equal values are equal.
    private static func sorted(_ value: Any) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: value,
            options: [.sortedKeys, .fragmentsAllowed]
        )
        return String(decoding: data, as: UTF8.self)
    }

    /// A feature as Foundation reads what Python wrote.
    private func object(_ feature: GeoJSONFeature) throws -> [String: Any] {
        var object: [String: Any] = ["type": "Feature"]
        if let id = feature.id {
            object["id"] = try JSONSerialization.jsonObject(with: Data(id.json), options: .fragmentsAllowed)
        }
        guard case .point(let coordinate, let altitude) = feature.geometry else { return [:] }
        let numbers = [coordinate.longitude, coordinate.latitude] + (altitude.map { [$0.meters] } ?? [])
        object["geometry"] = ["type": "Point", "coordinates": numbers] as [String: Any]
        object["properties"] =
            feature.properties.count == 0
            ? NSNull() : try JSONSerialization.jsonObject(with: Data(feature.properties.json))
        return object
    }
}
