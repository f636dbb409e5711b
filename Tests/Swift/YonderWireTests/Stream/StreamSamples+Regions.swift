import YonderGeodesy
import YonderModel

@testable import YonderWire

// What live regions show.
extension StreamSamples {
    static let cafe = name("cafe") as EntityName
    static let at = name("at") as FieldName
    static let berlin = region(52.3, 13.0, 52.7, 13.8)
    static let fiji = region(-20.0000001, 176, -15, -178.5)

    static let place = ObjectRecord(
        id: identifier(99),
        entity: cafe,
        created: time,
        updated: time + .seconds(1),
        coordinate: nil,
        fields: [UInt8](#"{"at":{"latitude":52.5200066,"longitude":13.4049541},"name":"Café \"Ü\""}"#.utf8)
    )
    static let bare = ObjectRecord(
        id: identifier(100),
        entity: cafe,
        created: time,
        updated: time,
        coordinate: nil,
        fields: [UInt8]("{}".utf8)
    )
    static let move = ObjectMove(
        id: identifier(99),
        coordinate: coordinate(-525_200_066, 1),
        altitude: Distance(meters: -3.5),
        updated: time
    )
    static let level = ObjectMove(id: identifier(0), coordinate: coordinate(0, -1_800_000_000), updated: time)

    static let person = RegionPerson(
        chat: chatID,
        user: bea,
        name: "Béa \"B\"",
        number: 58,
        time: time,
        position: Position(
            coordinate: Coordinate(coordinate(525_200_066, 134_049_541)),
            timestamp: time + .seconds(-2),
            altitude: Distance(meters: 34),
            horizontalAccuracy: Distance(meters: 5.5),
            verticalAccuracy: Distance(meters: 0),
            course: Bearing(degrees: 359.5),
            speed: Speed(metersPerSecond: 1.25),
            heading: Bearing(degrees: 1),
            magneticHeading: Bearing(degrees: 2),
            trueHeading: Bearing(degrees: 3),
            headingAccuracy: 4
        )
    )
    static let walker = RegionPerson(
        chat: chatID,
        user: ada,
        number: nil,
        time: time,
        position: Position(coordinate: Coordinate(coordinate(1, -1)), timestamp: time)
    )
}
