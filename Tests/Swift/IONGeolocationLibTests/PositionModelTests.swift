import Foundation
import Testing

@testable import IONGeolocationLib

struct PositionModelTests {
    private func model(
        magneticHeading: Double? = nil,
        trueHeading: Double? = nil,
        headingAccuracy: Double? = nil
    )
        -> IONGLOCPositionModel
    {
        IONGLOCPositionModel(
            altitude: 12.5,
            course: -1,
            horizontalAccuracy: 5,
            latitude: 38.7223,
            longitude: -9.1393,
            speed: 1.25,
            timestamp: 1_700_000_000_000,
            verticalAccuracy: -1,
            magneticHeading: magneticHeading,
            trueHeading: trueHeading,
            headingAccuracy: headingAccuracy
        )
    }

    private func json(_ model: IONGLOCPositionModel) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(model), as: UTF8.self)
    }

    private let eight = #"""
        "horizontalAccuracy":5,"latitude":38.7223,"longitude":-9.1393
        """#

    @Test func `without headings a position has eight numbers, by the properties' names`() throws {
        let expected =
            #"{"altitude":12.5,"course":-1,\#(eight),"speed":1.25,"timestamp":1700000000000,"verticalAccuracy":-1}"#
        #expect(try json(model()) == expected)
    }

    @Test func `a heading that is known is beside them`() throws {
        let expected =
            #"{"altitude":12.5,"course":-1,"headingAccuracy":10,\#(eight),"magneticHeading":87.5,"speed":1.25,"#
            + #""timestamp":1700000000000,"verticalAccuracy":-1}"#
        #expect(try json(model(magneticHeading: 87.5, headingAccuracy: 10)) == expected)
    }

    @Test(arguments: [nil, 90.5]) func `what was written is read`(heading: Double?) throws {
        let written = model(magneticHeading: heading, trueHeading: heading, headingAccuracy: heading)
        let read = try JSONDecoder().decode(IONGLOCPositionModel.self, from: Data(json(written).utf8))
        #expect(read == written)
    }

    @Test func `a position without one of the eight numbers isn't read`() throws {
        let text = try json(model())
        for name in [
            "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed",
            "timestamp",
        ] {
            let changed = text.replacing("\"\(name)\"", with: "\"other\"")
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(IONGLOCPositionModel.self, from: Data(changed.utf8))
            }
        }
    }
}
