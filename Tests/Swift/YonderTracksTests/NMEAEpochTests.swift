import Testing
import YonderGeodesy
import YonderTracks

/// Which sentences make one epoch, when it is complete, and on which day it is.
@Suite struct NMEAEpochTests {
    private static let place = "5251.0093,N,00518.8170,E"

    private static func rmc(_ time: String, date: String = "200818", status: String = "A") -> String {
        NMEALines.sentence("GPRMC,\(time),\(status),\(place),1.0,90.0,\(date),,")
    }

    private static func gga(_ time: String, altitude: Int = 5) -> String {
        NMEALines.sentence("GPGGA,\(time),\(place),1,8,1.5,\(altitude),M,,")
    }

    private static func gll(_ time: String) -> String {
        NMEALines.sentence("GPGLL,\(place),\(time),A")
    }

    private static let vtg = NMEALines.sentence("GPVTG,77.5,T,93.3,M,5.2,N,9.7,K")
    private static let gsv = NMEALines.sentence("GPGSV,1,1,05,07,10,333,39")

    /// After which sentence each epoch was delivered, as its number, and what time of day it has in seconds.
    private static func deliveries(_ sentences: [String]) -> [[Int]] {
        var reader = NMEAReader()
        var deliveries: [[Int]] = []
        for (number, sentence) in sentences.enumerated() {
            for epoch in reader.read(sentence) {
                deliveries.append([number, Int((epoch.timeOfDay ?? .zero).components.seconds)])
            }
        }
        return deliveries
    }

    @Test func `sentences about one moment make one epoch`() {
        let epochs = NMEAReader.epochs(
            Self.gga("000001") + Self.rmc("000001") + Self.gga("000002") + Self.rmc("000002")
        )
        #expect(epochs.count == 2)
        for epoch in epochs {
            #expect(epoch.position?.altitude == .meters(5) && epoch.position?.course == .east)
        }
    }

    @Test func `the first epoch ends when the next begins, later ones with their last sentence`() {
        let stream = (1...4).flatMap { [Self.gga("00000\($0)"), Self.gsv, Self.rmc("00000\($0)"), Self.vtg] }
        #expect(Self.deliveries(stream) == [[4, 1], [6, 2], [10, 3], [14, 4]])
    }

    @Test func `speed and course are waited for where only VTG says them`() {
        let stream = (1...3).flatMap { [Self.gga("00000\($0)"), Self.vtg] }
        #expect(Self.deliveries(stream) == [[2, 1], [3, 2], [5, 3]])
    }

    @Test func `a receiver that alternates its sentences is learned, too`() {
        let stream = [
            Self.rmc("000001"), Self.gll("000002"), Self.rmc("000003"), Self.gga("000004"),
            Self.rmc("000005"),
            Self.gll("000006"), Self.rmc("000007"), Self.gga("000008"),
        ]
        #expect(
            Self.deliveries(stream)
                == [[1, 1], [2, 2], [2, 3], [4, 4], [4, 5], [5, 6], [6, 7], [7, 8]]
        )
    }

    @Test func `a sentence that was believed to be the last and wasn't, is doubted for eight epochs`() {
        var stream = [Self.gga("000001")]
        for second in 10..<30 { stream += [Self.gga("0000\(second)"), Self.rmc("0000\(second)")] }
        let deliveries = Self.deliveries(stream)
        // The first GGA stood alone, so the next one ended its epoch, and the RMC came too late.
        #expect(deliveries[0] == [1, 1] && deliveries[1] == [1, 10])
        #expect(
            deliveries[2...].allSatisfy {
                stream[$0[0]].contains("RMC") && stream[$0[0]].contains("0000\($0[1])")
            }
        )
        #expect(deliveries.count == 21)
    }

    @Test func `a late sentence without news changes nothing`() {
        var stream = [Self.rmc("000001")]
        for second in 10..<20 { stream += [Self.rmc("0000\(second)"), Self.gll("0000\(second)")] }
        #expect(Self.deliveries(stream).allSatisfy { $0[0] == 1 || stream[$0[0]].contains("RMC") })
    }

    @Test func `a lost sentence delays nothing but its own epoch`() {
        var stream: [String] = []
        for second in 10..<20 {
            stream.append(Self.gga("0000\(second)"))
            if second != 14 { stream.append(Self.rmc("0000\(second)")) }
        }
        let late = Self.deliveries(stream).filter { !stream[$0[0]].contains("0000\($0[1])") }
        #expect(late.map { $0[1] } == [10, 14])
    }

    @Test func `without a time an epoch ends when its first sentence comes again`() {
        let void = NMEALines.sentences("GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,")
        let epochs = NMEAReader.epochs(void + void + void)
        #expect(epochs.count == 3)
        #expect(
            epochs.allSatisfy { $0.quality == .noFix && $0.timeOfDay == nil && $0.horizontalDilution == nil }
        )
    }

    @Test func `a clock that stands still doesn't hold epochs back`() {
        let once = Self.rmc("000000") + Self.gga("000000")
        #expect(NMEAReader.epochs(once + once + once).count == 3)
    }

    @Test func `two talkers may say the same`() {
        let both = Self.rmc("000001") + NMEALines.sentence("GNRMC,000001,A,\(Self.place),2.0,80.0,200818,,")
        let epochs = NMEAReader.epochs(both)
        #expect(epochs.count == 1 && epochs.first?.position?.course == .degrees(80))
    }

    @Test func `times are kept to the millisecond, and ten epochs a second are ten`() {
        let epochs = NMEAReader.epochs((0..<10).map { Self.rmc("000001.\($0)0999") }.joined())
        #expect(
            epochs.compactMap(\.position?.timestamp.milliseconds).map { $0 % 1000 }
                == Array(stride(from: 9, to: 1000, by: 100))
        )
    }

    @Test func `satellites and headings hold for five seconds`() {
        let start = Self.rmc("000001") + Self.gsv + NMEALines.sentence("HEHDT,100.5,T")
        let epochs = NMEAReader.epochs(start + Self.rmc("000006") + Self.rmc("000007"))
        #expect(epochs.map(\.satellitesInView) == [5, 5, nil])
        #expect(epochs.map(\.trueHeading) == [.degrees(100.5), .degrees(100.5), nil])
    }

    @Test func `midnight falls between two sentences`() {
        let epochs = NMEAReader.epochs(
            Self.rmc("235959.500", date: "311299") + Self.gga("235959.900") + Self.gga("000000.100")
                + Self.rmc("000000.500", date: "010100")
        )
        #expect(
            epochs.map { $0.position?.timestamp.iso8601 } == [
                "1999-12-31T23:59:59.500Z", "1999-12-31T23:59:59.900Z", "2000-01-01T00:00:00.100Z",
                "2000-01-01T00:00:00.500Z",
            ]
        )
    }

    @Test func `a step back over midnight is the day before`() {
        let epochs = NMEAReader.epochs(
            Self.rmc("000000", date: "010100") + Self.gga("235959") + Self.gga("000001")
        )
        #expect(
            epochs.map { $0.position?.timestamp.iso8601 } == [
                "2000-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2000-01-01T00:00:01Z",
            ]
        )
    }

    @Test func `a leap second is the next second`() {
        let epochs = NMEAReader.epochs(Self.rmc("235960", date: "311216") + Self.gga("000001"))
        #expect(
            epochs.map { $0.position?.timestamp.iso8601 } == ["2017-01-01T00:00:00Z", "2017-01-01T00:00:01Z"]
        )
    }

    @Test(arguments: [
        ("060180", nil, "1980-01-06"), ("311299", nil, "1999-12-31"), ("010179", nil, "2079-01-01"),
        ("050180", nil, "2080-01-05"), ("010185", "2080-06-01T00:00:00Z", "2085-01-01"),
        ("010185", "2020-06-01T00:00:00Z", "1985-01-01"), ("010102", "2099-06-01T00:00:00Z", "2102-01-01"),
    ])
    func `a year of two digits is the nearest to the reference`(date: String, reference: String?, day: String)
    {
        let moment = reference.flatMap { Timestamp(iso8601: $0) }
        let epochs = NMEAReader.epochs(Self.rmc("120000", date: date), reference: moment)
        #expect(epochs.first?.position?.timestamp == Timestamp(iso8601: "\(day)T12:00:00Z"))
    }

    @Test(arguments: ["300218", "001218", "011318", "", "0"])
    func `a date that doesn't exist is none`(date: String) {
        let epochs = NMEAReader.epochs(Self.rmc("120000", date: date))
        #expect(epochs.first?.coordinate != nil && epochs.first?.position == nil)
    }

    @Test func `a receiver without a fix isn't believed its date`() {
        let epochs = NMEAReader.epochs(Self.rmc("120000", date: "060180", status: "V") + Self.gga("120001"))
        #expect(epochs.last?.coordinate != nil && epochs.last?.position == nil)
    }

    @Test(arguments: [
        ("235900", "2020-02-29T00:01:00Z", "2020-02-28T23:59:00Z"),
        ("000100", "2020-02-28T23:59:00Z", "2020-02-29T00:01:00Z"),
        ("120000", "2020-02-29T10:00:00Z", "2020-02-29T12:00:00Z"),
        ("235960", "2016-12-31T23:59:50Z", "2017-01-01T00:00:00Z"),
        ("120000", "1969-12-31T10:00:00Z", "1969-12-31T12:00:00Z"),
    ])
    func `the reference gives the day until a date is said`(time: String, reference: String, expected: String)
        throws
    {
        let moment = try #require(Timestamp(iso8601: reference))
        let epochs = NMEAReader.epochs(Self.gga(time), reference: moment)
        #expect(epochs.first?.position?.timestamp == Timestamp(iso8601: expected))
    }

    @Test func `week rollovers are corrected only if asked for`() throws {
        let reference = try #require(Timestamp(iso8601: "2026-05-02T00:00:00Z"))
        let old = Self.rmc("120000", date: "160906")
        var plain = NMEAReader(reference: reference)
        _ = plain.read(old)
        #expect(plain.finish()?.position?.timestamp == Timestamp(iso8601: "2006-09-16T12:00:00Z"))
        var correcting = NMEAReader(reference: reference, correctsWeekRollover: true)
        _ = correcting.read(old)
        #expect(correcting.finish()?.position?.timestamp == Timestamp(iso8601: "2026-05-02T12:00:00Z"))
        _ = correcting.read(Self.rmc("120000", date: "010526"))
        #expect(correcting.finish()?.position?.timestamp == Timestamp(iso8601: "2026-05-01T12:00:00Z"))
    }
}
