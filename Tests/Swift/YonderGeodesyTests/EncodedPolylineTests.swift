import Testing
import TestSupport
import YonderGeodesy

@Suite struct EncodedPolylineTests {
    // From Google's *Encoded Polyline Algorithm Format*.
    @Test func `the documented example is encoded and decoded`() throws {
        let line = try [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
            .map { try #require(Coordinate(latitude: $0.0, longitude: $0.1)) }
        let polyline = EncodedPolyline(line)
        #expect(polyline.text == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(try EncodedPolyline(text: "_p~iF~ps|U_ulLnnqC_mqNvxq`@").coordinates() == line)
        #expect(
            try EncodedPolyline(text: "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI", precision: .six).coordinates()
                == line
        )
        #expect(EncodedPolyline(line, precision: .six).text == "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI")
    }

    @Test func `an empty text is an empty line`() throws {
        #expect(try EncodedPolyline(text: "").coordinates().isEmpty)
        #expect(EncodedPolyline([]).text.isEmpty)
    }

    @Test(arguments: [
        (">", EncodedPolyline.Failure.unexpectedByte(offset: 0)),
        ("??\u{7F}", .unexpectedByte(offset: 2)),
        ("?é", .unexpectedByte(offset: 1)),
        ("?", .endsEarly(offset: 1)),
        ("??_", .endsEarly(offset: 2)),
        ("??_p~iF", .endsEarly(offset: 7)),
        ("~~~~~~~~?", .numberTooLong(offset: 0)),
        ("????_gjaR?", .notOnEarth(offset: 4)),
    ])
    func `an invalid polyline is refused with its offset`(text: String, failure: EncodedPolyline.Failure) {
        #expect(throws: failure) { try EncodedPolyline(text: text).coordinates() }
    }

    @Test(arguments: EncodedPolyline.Precision.allCases)
    func `a decoded line is the encoded one up to half a unit`(precision: EncodedPolyline.Precision) throws {
        let unit = precision == .five ? 1e-5 : 1e-6
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            let line = (0..<20).map { _ in Coordinate.random(using: &random) }
            let polyline = EncodedPolyline(line, precision: precision)
            let decoded = try polyline.coordinates()
            #expect(decoded.count == line.count)
            for (before, after) in zip(line, decoded) {
                let turn = (before.longitude - after.longitude).remainder(dividingBy: 360)
                #expect((before.latitude - after.latitude).magnitude < unit * 0.51)
                #expect(turn.magnitude < unit * 0.51, "seed \(seed)")
            }
            #expect(try EncodedPolyline(decoded, precision: precision).coordinates() == decoded)
        }
    }

    @Test func `longitudes beyond the antimeridian are folded`() throws {
        let line = [Coordinate(latitude: 0, longitude: 179.9), Coordinate(latitude: 0, longitude: -179.9)]
            .compactMap(\.self)
        // 179.9 and a step of 0.2, as an encoder writes that keeps lines unbroken.
        let unbroken = EncodedPolyline(text: "?_v_ia@?_af@")
        #expect(try unbroken.coordinates().count == 2)
        #expect(try unbroken.coordinates() == line)
    }

    @Test func `random and mutated bytes are decoded or refused`() {
        var random = SeededGenerator(seed: 40)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 60...127, using: &random) }
            let polyline = EncodedPolyline(
                text: String(decoding: bytes, as: UTF8.self),
                precision: Bool.random(using: &random) ? .five : .six
            )
            if let line = try? polyline.coordinates() {
                #expect(line.count <= bytes.count / 2)
            }
        }
    }
}
