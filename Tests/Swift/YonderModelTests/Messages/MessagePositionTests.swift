import Testing
import YonderGeodesy
import YonderModel

struct MessagePositionTests {
    private let time = Timestamp(milliseconds: 1_700_000_000_000)

    private func position(_ json: String, tag: MessageTag = .location) throws -> Position? {
        let data = try MessageData(Array(json.utf8))
        let (chat, sender) = (ChatID.random(), UserID.random())
        return Message(chat: chat, number: 1, sender: sender, tag: tag, data: data, time: time).position
    }

    @Test func `latitude and longitude are strings, as today's clients send them, or numbers`() throws {
        let oslo = try #require(Coordinate(latitude: 59.9139, longitude: 10.7522))
        for json in [
            #"{"latitude":"59.913900","longitude":"10.752200"}"#,
            #"{"latitude":59.9139,"longitude":10.7522}"#,
            #"{"x":[{"latitude":1}],"longitude":"1.07522e1","latitude":59.9139,"y":null}"#,
        ] {
            #expect(try position(json) == Position(coordinate: oslo, timestamp: time))
        }
    }

    @Test func `everything a position has is read`() throws {
        let read = try position(
            """
            {"latitude":1,"longitude":2,"altitude":-3.5,"horizontalAccuracy":4,"verticalAccuracy":5,"course":6,
            "speed":7,"heading":8,"magneticHeading":9,"trueHeading":10,"headingAccuracy":11,"timestamp":12}
            """
        )
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
        let expected = Position(
            coordinate: coordinate,
            timestamp: Timestamp(milliseconds: 12),
            altitude: .meters(-3.5),
            horizontalAccuracy: .meters(4),
            verticalAccuracy: .meters(5),
            course: .degrees(6),
            speed: .metersPerSecond(7),
            heading: .degrees(8),
            magneticHeading: .degrees(9),
            trueHeading: .degrees(10),
            headingAccuracy: 11
        )
        #expect(read == expected)
        #expect(MessageData(position: expected).position(at: time) == expected)
    }

    @Test(arguments: [
        "{}", #"{"latitude":1}"#, #"{"latitude":"north","longitude":"2"}"#, #"{"latitude":91,"longitude":0}"#,
        #"{"latitude":" 1","longitude":"2"}"#, #"{"latitude":"","longitude":""}"#,
        #"{"latitude":null,"longitude":2}"#, #"{"latitude":"0x10","longitude":"2"}"#,
        #"{"latitude":"nan","longitude":"2"}"#, #"{"latitude":1e999,"longitude":2}"#,
        #"{"latitude":[1],"longitude":{"a":2}}"#,
    ])
    func `without two numbers in range there is no position`(json: String) throws {
        #expect(try position(json) == nil)
    }

    @Test func `a value out of its range is absent, and the rest counts`() throws {
        let read = try #require(
            try position(
                """
                {"latitude":1,"longitude":2,"horizontalAccuracy":-1,"verticalAccuracy":-1,"course":-1,"speed":-1,
                "heading":-1,"altitude":"high","timestamp":1e300}
                """
            )
        )
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
        #expect(read == Position(coordinate: coordinate, timestamp: time))
    }

    @Test func `only a location message has a position`() throws {
        #expect(try position(#"{"latitude":1,"longitude":2}"#, tag: .text) == nil)
    }

    @Test(arguments: [
        (59.9139, 10.7522, "59.913900", "10.752200"), (-0.000_000_4, 0.000_000_6, "0.000000", "0.000001"),
        (-33.5, -180, "-33.500000", "-180.000000"), (90, 179.999_999_9, "90.000000", "180.000000"),
        (-0.05, -1.000_001, "-0.050000", "-1.000001"),
    ])
    func `latitude and longitude are written with six decimals`(
        latitude: Double,
        longitude: Double,
        north: String,
        east: String
    ) throws {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let data = MessageData(
            position: Position(coordinate: coordinate, timestamp: Timestamp(milliseconds: 5))
        )
        #expect(data.json == #"{"latitude":"\#(north)","longitude":"\#(east)","timestamp":5}"#)
    }
}
