import LocationTestSupport
import Testing
import YonderGeodesy
import YonderLocation

@testable import YonderReceivers

@Suite(.timeLimit(.minutes(20))) struct SourceConformanceTests {
    @Test(arguments: SourceRule.all)
    func `the source of gpsd keeps every rule`(rule: SourceRule) async throws {
        let receiver = try await StagedReceiver(
            StagedReceiver.Manner(
                greeting: GpsdLines.version + "\r\n",
                request: GpsdLines.request,
                answer: GpsdLines.devices + "\r\n" + GpsdLines.watch + "\r\n",
                position: Self.report
            )
        )
        let address = try #require(GpsdAddress(host: "127.0.0.1", port: receiver.port))
        let source = GpsdSource(address, timing: ReceiverTiming(firstRetry: .milliseconds(20)))
        try await rule.check(SourceStage(source: source) { receiver.move() })
    }

    @Test(arguments: SourceRule.all)
    func `the source of sentences keeps every rule`(rule: SourceRule) async throws {
        let receiver = try await StagedReceiver(StagedReceiver.Manner(position: Self.sentences))
        let source = NMEASource(
            .tcp(host: "127.0.0.1", port: receiver.port),
            timing: ReceiverTiming(firstRetry: .milliseconds(20))
        )
        try await rule.check(SourceStage(source: source) { receiver.move() })
    }

    @Sendable private static func report(_ coordinate: Coordinate, _ number: Int) -> String {
        let time = Timestamp(milliseconds: 1_800_000_000_000 + Int64(number) * 1000).iso8601
        return """
            {"class":"TPV","device":"/dev/pts/7","mode":2,"time":"\(time)",\
            "lat":\(coordinate.latitude),"lon":\(coordinate.longitude)}\r

            """
    }

    /// One moment with a fix, and the beginning of the next one without, which ends it.
    @Sendable private static func sentences(_ coordinate: Coordinate, _ number: Int) -> String {
        let minutes = (coordinate.latitude - coordinate.latitude.rounded(.down)) * 60
        let latitude = "\(Int(coordinate.latitude))" + decimals(minutes)
        return sentence("GPRMC,\(time(number * 2)),A,\(latitude),N,00800.0000,E,,,010126,,,A")
            + sentence("GPRMC,\(time(number * 2 + 1)),V,,,,,,,010126,,,N")
    }

    /// Minutes with two digits before and four after the point.
    private static func decimals(_ minutes: Double) -> String {
        let scaled = Int((minutes * 10_000).rounded())
        return padded(scaled / 10_000, 2) + "." + padded(scaled % 10_000, 4)
    }

    private static func time(_ seconds: Int) -> String {
        "10" + padded(seconds / 60, 2) + padded(seconds % 60, 2) + ".000"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func sentence(_ text: String) -> String {
        let checksum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(text)*\(checksum.count < 2 ? "0" : "")\(checksum)\r\n"
    }
}
