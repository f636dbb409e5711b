import Testing
import YonderGeodesy
import YonderModel

@testable import YonderClient

@Suite struct ReportedTests {
    private static let share: ShareID = Sample.identifier(5)

    private static func heartbeat(
        _ latitude: Double,
        accuracy: Double = 5,
        battery: Double? = 0.5
    ) throws -> ShareHeartbeat {
        let fix = ShareHeartbeat.Fix(
            time: Sample.time,
            accuracy: .meters(accuracy),
            coordinate: Coordinate(latitude: latitude, longitude: 13.1234567)
        )
        return try #require(ShareHeartbeat(fix: fix, battery: battery, isCharging: false))
    }

    private static func entry(_ latitude: Double, _ key: String) throws -> OutboxEntry {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: 13.1234567))
        let data = MessageData(position: Position(coordinate: coordinate, timestamp: Sample.time))
        return OutboxEntry(
            id: 1,
            chat: Sample.chat,
            key: key,
            draft: MessageDraft(tag: .location, data: data)
        )
    }

    private func news(_ reported: inout Reported, _ heartbeat: ShareHeartbeat) -> ShareHeartbeat {
        reported.news(in: heartbeat, of: Self.share, in: Sample.chat)
    }

    @Test
    func
        `invariant 1 of Reported: coordinates near the last position that the server has are left out, with their accuracy`()
        throws
    {
        var reported = Reported()
        reported.sends(try Self.entry(52.5, "a"))
        let here = try Self.heartbeat(52.500_1)
        #expect(news(&reported, here).fix?.coordinate != nil, "the server hasn't answered")
        reported.answered(OutgoingKey(key: "a", chat: Sample.chat), isStored: true)
        #expect(news(&reported, here).fix == ShareHeartbeat.Fix(time: Sample.time))
        #expect(news(&reported, try Self.heartbeat(52.500_3)).fix?.coordinate != nil, "33 m away")
        #expect(news(&reported, try Self.heartbeat(52.500_3, accuracy: 50)).fix?.coordinate == nil)
    }

    @Test func `a position that was refused, and one in another chat, leave the coordinates in`() throws {
        var reported = Reported()
        reported.sends(try Self.entry(52.5, "a"))
        reported.answered(OutgoingKey(key: "a", chat: Sample.chat), isStored: false)
        let here = try Self.heartbeat(52.5)
        #expect(news(&reported, here).fix?.coordinate != nil)
        reported.sends(try Self.entry(52.5, "b"))
        reported.answered(OutgoingKey(key: "b", chat: Sample.chat), isStored: true)
        let elsewhere: ChatID = Sample.identifier(78)
        #expect(reported.news(in: here, of: Self.share, in: elsewhere).fix?.coordinate != nil)
    }

    @Test
    func
        `invariant 2 of Reported: a battery as before is left out for five minutes at most, and until the next connection`()
        throws
    {
        var reported = Reported()
        let beat = try Self.heartbeat(52.5)
        let sent = (0..<43).map { _ in news(&reported, beat).battery != nil }
        #expect(sent.indices.filter { sent[$0] } == [0, 21, 42])
        #expect(news(&reported, try Self.heartbeat(52.5, battery: 0.49)).battery == 0.49)
        #expect(news(&reported, try Self.heartbeat(52.5, battery: 0.49)).isCharging == nil)
        reported.disconnected()
        #expect(news(&reported, try Self.heartbeat(52.5, battery: 0.49)).battery == 0.49)
    }

    @Test func `what is sent has six decimals, and tenths of a meter`() throws {
        var reported = Reported()
        let fix = try #require(news(&reported, try Self.heartbeat(52.123_456_789, accuracy: 5.678)).fix)
        #expect(fix.coordinate == Coordinate(latitude: 52.123_457, longitude: 13.123_457))
        #expect(fix.accuracy == .meters(5.7))
    }
}
