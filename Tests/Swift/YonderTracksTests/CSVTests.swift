import Foundation
import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

@Suite struct CSVTests {
    static let tables = ["spreadsheet", "plain", "old-mac", "tabs", "bars"]

    @Test(arguments: tables)
    func `a table is what Python's csv reads in it`(name: String) throws {
        let expected = try #require(FormatFixtures.json("\(name).json") as? [[String]])
        var reader = CSVReader()
        let records = reader.read(try FormatFixtures.bytes("\(name).csv")) + reader.finish()
        #expect(reader.columns == expected.first)
        #expect(records.map { $0.value?.values } == expected.dropFirst().map(Optional.some))
    }

    @Test func `a row knows its offset and its line`() {
        let records = read("\u{FEFF}a;b\r\n\r\n1;\"x\ny\"\r\n2;z\r3;w\n\n4;v")
        #expect(records.map(\.line) == [3, 5, 6, 8])
        #expect(records.map(\.offset) == [10, 19, 23, 28])
        #expect(records.map { $0.value?.values } == [["1", "x\ny"], ["2", "z"], ["3", "w"], ["4", "v"]])
    }

    @Test func `a fault in a row costs that row alone`() {
        let records = read("a,b\n1,2\n\"x\"y,2\n3\n4,\"open\n5,6\n7,8,9\n10,11")
        let failures = records.map { $0.failure }
        #expect(
            failures == [
                nil, CSVFailure(.textAfterQuote, at: 11), CSVFailure(.wrongColumnCount(1), at: 15),
                CSVFailure(.unclosedQuote, at: 19), nil, CSVFailure(.wrongColumnCount(3), at: 29), nil,
            ]
        )
        #expect(records.map(\.line) == [2, 3, 4, 5, 6, 7, 8])
    }

    @Test func `a row that isn't UTF-8 is refused, and so is one with a zero byte`() {
        let records = FormatFixtures.rows(Array("a,b\nx,".utf8) + [0xFC] + Array("\ny,\0\nz,ü".utf8))
        #expect(records.map(\.failure?.reason) == [.notUTF8, .notUTF8, nil])
        #expect(records.first?.failure?.offset == 6)
    }

    @Test func `rows and columns have limits`() {
        let limits = CSVReader.Limits(rowLength: 10, columns: 3)
        let text = "a,b\n1,\"345678901234\n567\"\n2,3\n1,2,3,4\n12,4567890\n4,5\n12,456789"
        let records = FormatFixtures.rows(Array(text.utf8), limits: limits)
        #expect(
            records.map(\.failure?.reason) == [
                .tooLong, .wrongColumnCount(1), nil, .tooManyColumns, .tooLong, nil, nil,
            ]
        )
        #expect(records.map(\.line) == [2, 3, 4, 5, 6, 7, 8])
    }

    @Test func `without a header nothing is read`() {
        #expect(read("").map(\.failure?.reason) == [.noHeader])
        #expect(read("\r\n\n").map(\.failure?.reason) == [.noHeader])
        #expect(read("a,b,a\n1,2,3").map(\.failure?.reason) == [.duplicateColumn("a")])
        #expect(read("a,\"b\n1,2").map(\.failure?.reason) == [.unclosedQuote])
        #expect(read("a,,\n1,2,3").compactMap(\.value).count == 1)
    }

    @Test func `the separator is the header's, or the one that is said`() {
        #expect(separator("a;b,c;d\n") == .semicolon)
        #expect(separator("\"a;b;c\",d\n") == .comma)
        #expect(separator("a\tb;c\td\n") == .tab)
        #expect(separator("alone\n1;2") == .comma)
        #expect(separator("\u{FEFF}sep=|\r\na;b|c;d;e\n") == .bar)
        #expect(read("sep=;\r\na,b;c\r\n1;2\r\n").first?.value?.values == ["1", "2"])
        #expect(read("sep=;\r\na,b;c\r\n1;2\r\n").first?.line == 3)
        let bytes = Array("sep=;\r1,2\r".utf8)
        let limits = CSVReader.Limits(rowLength: 2)
        #expect(
            FormatFixtures.rows(bytes, limits: limits) == FormatFixtures.rows(bytes, limits: limits) { 1 }
        )
    }

    @Test func `a file of open quotes is read in a time that grows with its length`() {
        // Each line opens a quote, and closes and opens one inside of the quote before.
        let line = Array("a\",\",\n".utf8)
        let bytes = Array("x,y\n".utf8) + Array(repeating: line, count: 200_000).flatMap(\.self)
        let records = FormatFixtures.rows(bytes, limits: .init(rowLength: 1 << 14))
        #expect(records.allSatisfy { $0.value == nil } && records.count > 50)
    }

    @Test func `any table is the same once written and read`() {
        let pieces = [
            "a", "ü", ",", ";", "\t", "|", "\"", "\n", "\r", " ", "sep=", "\u{FEFF}", "日本", "0", "'",
        ]
        for seed in UInt64(0)..<400 {
            var random = SeededGenerator(seed: seed)
            let width = Int.random(in: 1...4, using: &random)
            func value() -> String {
                (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }
                .joined()
            }
            let columns = (0..<width).map { value() + "\($0)" }
            let rows = (0..<6).map { _ in (0..<width).map { _ in value() } }
            let separator = CSVSeparator.allCases.randomElement(using: &random) ?? .comma
            var writer = CSVWriter(columns: columns, separator: separator, mark: seed % 2 == 0)
            for row in rows { writer.write(row) }
            var reader = CSVReader()
            let records = reader.read(writer.takeBytes()) + reader.finish()
            #expect(reader.columns == columns, "seed \(seed)")
            #expect(records.map { $0.value?.values } == rows.map(Optional.some), "seed \(seed)")
            #expect(width == 1 || reader.separator == separator, "seed \(seed)")
        }
    }

    @Test func `an empty text in quotes is told from nothing`() {
        var writer = CSVWriter(columns: ["a", "b", "c"])
        writer.write(optional: ["", nil, "x,"])
        let bytes = writer.takeBytes()
        #expect(String(decoding: bytes, as: UTF8.self) == "a,b,c\r\n\"\",,\"x,\"\r\n")
        let row = FormatFixtures.rows(bytes).first?.value
        #expect(row?.values == ["", "", "x,"])
        #expect((0..<3).map { row?.isQuoted($0) } == [true, false, true])
    }

    @Test func `zero bytes are kept where both sides want them`() {
        var writer = CSVWriter(columns: ["a"], keepsZero: true)
        writer.write(["x\0y"])
        let bytes = writer.takeBytes()
        var reader = CSVReader(allowsZero: true)
        #expect((reader.read(bytes) + reader.finish()).map { $0.value?.values } == [["x\0y"]])
        #expect(FormatFixtures.rows(bytes).map(\.failure?.reason) == [.notUTF8])
    }

    @Test(arguments: tables)
    func `a damaged table never traps, however it is cut`(name: String) throws {
        let file = try FormatFixtures.bytes("\(name).csv")
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let start = seed % 2 == 0 ? 0 : Int.random(in: 0..<file.count, using: &random)
            let signs = ",;\t|\"\"\"\"\r\n\r\n"
            let damaged = FormatFixtures.damage(file[start...].prefix(900), with: signs, using: &random)
            let limits = CSVReader.Limits(rowLength: .random(in: 20...300, using: &random), columns: 9)
            let whole = FormatFixtures.rows(damaged, limits: limits)
            let cut = FormatFixtures.rows(damaged, limits: limits) { Int.random(in: 1...40, using: &random) }
            #expect(cut == whole, "seed \(seed)")
            let offsets = whole.map(\.offset)
            #expect(offsets.allSatisfy { (0...damaged.count).contains($0) } && offsets == offsets.sorted())
        }
    }

    private func read(_ text: String) -> [CSVReader.Record] {
        let bytes = Array(text.utf8)
        let whole = FormatFixtures.rows(bytes)
        #expect(FormatFixtures.rows(bytes) { 1 } == whole)
        return whole
    }

    private func separator(_ text: String) -> CSVSeparator? {
        var reader = CSVReader()
        _ = reader.read(Array(text.utf8))
        return reader.separator
    }
}

@Suite struct CSVPlaceColumnsTests {
    @Test(arguments: [
        (["id", "Latitude", "LONGITUDE"], [1, 2]),
        (["lng", "lat"], [1, 0]),
        (["stop_id", "stop_lat", "stop_lon"], [1, 2]),
        (["start_lat", "end_lon", "end_lat", "start_lon"], [0, 3]),
        (["startLat", "startLng", "lat", "long"], [2, 3]),
        (["location.latitude", "location.longitude"], [0, 1]),
        (["Breitengrad", "Längengrad"], [0, 1]),
        (["GEO-LAT (WGS84)", "GEO-LON (WGS84)"], [0, 1]),
        (["x", "y", "name"], [1, 0]),
        (["x", "y", "lat", "lon"], [2, 3]),
        (["plateau", "salon", "flat"], []),
        (["lat", "name"], []),
    ])
    func `latitude and longitude are guessed together`(names: [String], expected: [Int]) {
        let columns = CSVPlaceColumns(guessing: names)
        #expect([columns.latitude, columns.longitude].compactMap(\.self) == expected)
    }

    @Test func `altitude and address are guessed by themselves`() {
        let columns = CSVPlaceColumns(guessing: ["Name", "Home address", "Address", "Höhe", "lat"])
        #expect(columns == CSVPlaceColumns(altitude: 3, address: 2))
    }

    @Test func `a row's place is its two numbers, and nothing else`() throws {
        let columns = CSVPlaceColumns(latitude: 0, longitude: 1)
        let text = "lat;lon\n59,5; 10.75\n;\n-90;180\n1;\n91;0\n0;180.5\n1,2,3;4\nn;1\n\" \";\n1e1;-1E1"
        let places = FormatFixtures.rows(Array(text.utf8)).map { record in
            guard let row = record.value else { return "failed" }
            do throws(CSVFailure) {
                return try columns.coordinate(in: row, at: record.offset)?.description ?? "none"
            } catch {
                return "\(error.reason)"
            }
        }
        let wrong = "invalidCoordinate"
        #expect(
            places == [
                "59.5,10.75", "none", "-90.0,-180.0", wrong, wrong, wrong, wrong, wrong, "none", "10.0,-10.0",
            ]
        )
    }
}
