import Testing
import YonderWire

@Suite struct WorldPositionTests {
    @Test(arguments: [
        ("59.9139,10.7522", 59.9139, 10.7522), ("0,0", 0, 0), ("-90,180", -90, 180), ("90,-180", 90, -180),
        ("-0,1e2", 0, 100), ("1E-400,0.5e+1", 0, 5),
    ])
    func `two numbers joined by a comma are a position`(
        _ text: String,
        _ latitude: Double,
        _ longitude: Double
    ) {
        let position = WorldPosition(text)
        #expect(position?.latitude == latitude)
        #expect(position?.longitude == longitude)
        #expect(position?.text == text)
    }

    @Test(arguments: [
        "", ",", "1", "1,", ",1", "1,2,3", " 1,2", "1, 2", "1,2 ", "+1,2", "01,2", "1.,2", ".5,2", "0x1,2",
        "nan,0",
        "inf,0", "1e400,0", "90.0000001,0", "0,-180.0000001", "1;2", "1,2\n", "é,2",
    ])
    func `anything else is none`(_ text: String) {
        #expect(WorldPosition(text) == nil)
    }

    @Test func `it has at most 256 bytes and equals what is written alike`() {
        let long = "0." + String(repeating: "0", count: 252)
        #expect(WorldPosition(long + ",1")?.bytes.count == 256)
        #expect(WorldPosition(long + ",10") == nil)
        #expect(WorldPosition("1.0,2") != WorldPosition("1,2"))
    }
}
