import Testing
import YonderGeodesy
import YonderModel

@testable import YonderClient

@Suite struct PositionTests {
    @Test func `a position is sent in tenths of meters, of meters per second and of degrees`() throws {
        let exact = Position(
            coordinate: Sample.position(59.913_912_345, 10.752_2).coordinate,
            timestamp: Sample.time,
            altitude: .meters(-12.345_678),
            horizontalAccuracy: .meters(4.951_234),
            verticalAccuracy: .meters(0),
            course: .degrees(359.96),
            speed: Speed(metersPerSecond: 1.234_567_89),
            heading: .degrees(12.04),
            magneticHeading: .degrees(11.05),
            trueHeading: .degrees(13.99),
            headingAccuracy: 2.25
        )
        #expect(
            MessageData(position: exact.inTenths).json == #"""
                {"latitude":"59.913912","longitude":"10.752200","altitude":-12.3,"horizontalAccuracy":5.0,"verticalAccuracy":0.0,"course":0.0,"speed":1.2,"heading":12.0,"magneticHeading":11.1,"trueHeading":14.0,"headingAccuracy":2.3,"timestamp":\#(Sample.time.milliseconds)}
                """#
        )
        let bare = Sample.position(1, 2)
        #expect(bare.inTenths == bare)
        let far = Position(coordinate: bare.coordinate, timestamp: bare.timestamp, altitude: .meters(1e300))
        #expect(far.inTenths == far)
    }
}
