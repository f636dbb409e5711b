import Foundation
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderSQLite

@testable import YonderGeocoding

@Suite struct GazetteerSearchTests {
    @Test(arguments: GeocoderRule.all) func `a gazetteer keeps the promises of a geocoder`(rule: GeocoderRule)
        async throws
    {
        try await rule.check(try shippedGazetteer())
    }

    @Test func `a gazetteer in memory gives the answers of one in a file`() async throws {
        let data = try Data(contentsOf: URL(filePath: shippedPath))
        // Never freed: it has to stay.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 16)
        data.withUnsafeBytes { bytes.copyMemory(from: $0) }
        let memory = try Gazetteer.open(immortal: UnsafeRawBufferPointer(bytes))
        let file = try shippedGazetteer()
        for text in ["s", "oslo", "spring", "paris texas", "東京"] {
            let query = try GeocodingQuery(text, limit: 20)
            let expected = try await file.search(query)
            #expect(try await memory.search(query) == expected && !expected.isEmpty)
        }
    }

    @Test(arguments: [
        ("München", "Munich"), ("munchen", "Munich"), ("Muenchen", "Munich"), ("Køln", "Köln"),
        ("koln", "Köln"),
        ("København", "Copenhagen"), ("lodz", "Łódź"), ("Москва", "Moscow"), ("東京", "Tokyo"), ("서울", "Seoul"),
        ("NEW YORK", "New York City"), ("são paulo", "São Paulo"), ("Αθήνα", "Athens"), ("vaduz", "Vaduz"),
    ])
    func `a whole name, also an alternate one, comes before what begins with it`(text: String, name: String)
        async throws
    {
        let found = try await names(text)
        // Cologne is called by either of its names.
        #expect(found.first == name || (name == "Köln" && found.first == "Cologne"), "\(found)")
    }

    @Test(arguments: [
        ("san fran", "San Francisco", "US"), ("paris texas", "Paris", "US"), ("Paris, France", "Paris", "FR"),
        ("oslo norway", "Oslo", "NO"), ("Los Angeles, CA", "Los Angeles", "US"),
        ("Springfield, IL", "Springfield", "US"),
        ("frankfurt am", "Frankfurt am Main", "DE"), ("l'aquila", "L'Aquila", "IT"),
        ("london uk", "London", "GB"),
        ("st gallen", "Sankt Gallen", "CH"), ("rio de j", "Rio de Janeiro", "BR"),
    ])
    func `words behind a name say where it is`(text: String, name: String, country: String) async throws {
        let found = try await shippedGazetteer().search(try GeocodingQuery(text))
        let first = try #require(found.first)
        #expect(
            first.address.countryCode == country && first.name.hasPrefix(name.prefix(5)),
            "\(found.map(\.label))"
        )
    }

    @Test func `of equally good names the one with most people comes first`() async throws {
        let found = try await shippedGazetteer().search(try GeocodingQuery("Springfield", limit: 5))
        let people = found.compactMap(\.population)
        #expect(people.count == 5 && people == people.sorted(by: >))
    }

    @Test func `of equally good names a near one comes before a great one`() async throws {
        let illinois = try #require(Coordinate(latitude: 39.5, longitude: -89.5))
        let found = try await shippedGazetteer().search(try GeocodingQuery("Springfield", near: illinois))
        #expect(found.first?.address.division == "Illinois")
        let dallas = try #require(Coordinate(latitude: 32.78, longitude: -96.8))
        #expect(
            try await shippedGazetteer().search(try GeocodingQuery("Paris", near: dallas)).first?.address
                .countryCode == "US"
        )
    }

    @Test func `a near place is found among any number of greater ones`() async throws {
        let gazetteer = try shippedGazetteer()
        let here = try #require(Coordinate(latitude: -16.5, longitude: 179.4))
        let found = try await gazetteer.search(try GeocodingQuery("lab", near: here, limit: 1))
        #expect(found.first?.name == "Labasa", "\(found.map(\.label))")
    }

    @Test func `every beginning of a name leads to something`() async throws {
        let gazetteer = try shippedGazetteer()
        for name in ["Reykjavík", "Saint Petersburg", "Санкт-Петербург", "東京", "Nuku‘alofa"] {
            for length in 1...name.count {
                let text = String(name.prefix(length))
                let found = try await gazetteer.search(try GeocodingQuery(text, limit: 1))
                #expect(found.count == 1, "\(text)")
            }
        }
    }

    @Test func `any number of readers get the same answers at once`() async throws {
        let gazetteer = try shippedGazetteer()
        let query = try GeocodingQuery("san", limit: 20)
        let expected = try await gazetteer.search(query)
        try await withThrowingTaskGroup(of: [GeocodingCandidate].self) { group in
            for _ in 0..<GazetteerReaders.inFlightLimit {
                group.addTask { try await gazetteer.search(query) }
            }
            for try await found in group { #expect(found == expected) }
        }
    }

    @Test func `more searches at once than the bound are refused, and the others answered`() async throws {
        let readers = try GazetteerReaders(.file(shippedPath), count: 1)
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: SharingError.Code?.self) { group in
            for _ in 0..<GazetteerReaders.inFlightLimit + 5 {
                group.addTask {
                    do throws(SharingError) {
                        try await readers.read { _ in gate.wait() }
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            // The refused end first, since nobody else can.
            for _ in 0..<5 { #expect(try await group.next() == .tooManyRequests) }
            for _ in 0..<GazetteerReaders.inFlightLimit { gate.signal() }
            for try await code in group { #expect(code == nil) }
        }
    }

    @Test func `a file that is no gazetteer is refused with a sentence`() throws {
        let folder = TemporaryFolder()
        let path = try folder.made()
        #expect(throws: StorageError.self) { try Gazetteer.open(path: path + "/none.sqlite") }
        let text = path + "/text.sqlite"
        try Data(repeating: 65, count: 8_192).write(to: URL(filePath: text))
        #expect(throws: StorageError.self) { try Gazetteer.open(path: text) }
        let other = try SQLiteFile(
            folder: path,
            name: "other.db",
            migrations: [Migration(sql: "CREATE TABLE place (id INTEGER PRIMARY KEY)")]
        )
        try other.close()
        #expect(throws: StorageError.self) { try Gazetteer.open(path: other.path) }
    }

    @Test func `bytes that are no gazetteer are refused`() {
        let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: 8_192, alignment: 16)
        zeros.initializeMemory(as: UInt8.self, repeating: 7)
        #expect(throws: StorageError.self) { try Gazetteer.open(immortal: UnsafeRawBufferPointer(zeros)) }
    }

    private func names(_ text: String) async throws -> [String] {
        try await shippedGazetteer().search(try GeocodingQuery(text)).map(\.name)
    }
}
