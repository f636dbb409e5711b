import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderPlacesFacade

struct FieldTextTests {
    private let field = Field(ObjectSamples.field("at"), .location)

    private func location(_ text: String) throws -> ObjectLocation {
        try LocationText.location(text, in: field)
    }

    private func isRefused(_ text: String) -> Bool {
        do throws(FacadeRefusal) {
            _ = try LocationText.location(text, in: field)
            return false
        } catch {
            return error.status == .invalidField
        }
    }

    @Test func `a location is written in each of its forms`() throws {
        let place = try #require(Coordinate(latitude: 41.6436463, longitude: -0.8893991))
        #expect(try location("41.6436463,-0.8893991") == ObjectLocation(place))
        let high = Distance(meters: 208.5)
        #expect(try location("41.6436463,-0.8893991,208.5") == ObjectLocation(place, altitude: high))
        #expect(
            try location("41.6436463,-0.8893991|Calle Mayor, 1")
                == ObjectLocation(place, address: "Calle Mayor, 1")
        )
        #expect(
            try location("41.6436463,-0.8893991,208.5|Calle|Mayor")
                == ObjectLocation(place, altitude: high, address: "Calle|Mayor")
        )
        #expect(try location("|Calle Mayor, 1") == ObjectLocation(address: "Calle Mayor, 1"))
        #expect(try location("Calle Mayor, 1") == ObjectLocation(address: "Calle Mayor, 1"))
        #expect(try location("Calle Mayor") == ObjectLocation(address: "Calle Mayor"))
        #expect(try location("10, Downing Street, 2") == ObjectLocation(address: "10, Downing Street, 2"))
        #expect(try location("東京都千代田区1-1") == ObjectLocation(address: "東京都千代田区1-1"))
    }

    @Test func `empty forms of an address give no address`() throws {
        #expect(try location("1.0,2.0,0.0|").address == nil)
        #expect(try location("1.000000,2.000000,0.000000|(null)").address == nil)
        #expect(try location("0.0,0.0,0.0|Home").coordinate == Coordinate.Rounded(latitude: 0, longitude: 0))
        #expect(isRefused("|(null)"))
        #expect(isRefused("(null)"))
    }

    @Test func `numbers may be written as Java does`() throws {
        #expect(try location("1.0E-5,-1.8E2").coordinate?.latitude == 100)
    }

    @Test(arguments: [
        "", "|", ",", "1", "1,", ",1", "1,2,", "1,2,3,4", "90.1,0", "-90.1,0", "0,180.1",
        "0,-180.1", "95,200", "NaN,0", "inf,0", "0,Infinity", "1e400,0", "0x1,0", "1;2", "1,2,1e9", "nan",
        "1,2,NaN", "1,2|a\u{7}b", "|a\nb", "41.6.2,1", "١,٢",
        "1,2" + String(repeating: "0", count: 70),
    ])
    func `text other than a location is refused`(text: String) {
        #expect(isRefused(text))
    }

    @Test func `an address has its length`() {
        #expect(!isRefused("|" + String(repeating: "a", count: 1_000)))
        #expect(isRefused("|" + String(repeating: "a", count: 1_001)))
    }

    @Test(arguments: [
        ("4.5", FieldType.number, FieldValue.number(4.5)), ("-1e3", .number, .number(-1_000)),
        ("1764000000000", .date, .date(Timestamp(milliseconds: 1_764_000_000_000))),
        ("-1", .date, .date(Timestamp(milliseconds: -1))),
        ("1", .boolean, .boolean(true)), ("true", .boolean, .boolean(true)),
        ("0", .boolean, .boolean(false)), ("false", .boolean, .boolean(false)),
        ("", .text, .text("")), ("a|b,c", .text, .text("a|b,c")),
        ("77", .reference(to: ObjectSamples.places.name), .reference(ObjectSamples.id(77))),
        ("place/77", .reference(to: ObjectSamples.places.name), .reference(ObjectSamples.id(77))),
    ])
    func `a value is read by its field's type`(text: String, type: FieldType, value: FieldValue) throws {
        #expect(try FieldText.value(text, of: type, named: "x") == value)
    }

    @Test(arguments: [
        ("", FieldType.number), ("four", .number), ("0x10", .number), ("1e999", .number), ("NaN", .number),
        ("1 ", .number), ("", .date), ("1.5", .date), ("+1", .date), ("yesterday", .date), ("yes", .boolean),
        ("", .boolean), ("TRUE", .boolean), ("2", .boolean), ("", .json), ("{", .json), ("null", .json),
        ("{\"a\":1,\"a\":2}", .json), ("", .reference(to: ObjectSamples.places.name)),
        ("-1", .reference(to: ObjectSamples.places.name)),
        ("other/77", .reference(to: ObjectSamples.places.name)),
        ("place/", .reference(to: ObjectSamples.places.name)),
        ("place/77/", .reference(to: ObjectSamples.places.name)), ("here", .location), ("", .location),
    ])
    func `a value of another type is refused`(text: String, type: FieldType) {
        do throws(FacadeRefusal) {
            _ = try FieldText.value(text, of: type, named: "x")
            Issue.record("\(text) was taken for a \(type.name).")
        } catch {
            #expect(error.status == .invalidField)
        }
    }
}
