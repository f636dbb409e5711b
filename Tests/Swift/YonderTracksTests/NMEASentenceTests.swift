import Testing
import YonderGeodesy
import YonderTracks

/// What single sentences say, field by field.
@Suite struct NMEASentenceTests {
    private static let place = "5251.0093,N,00518.8170,E"

    @Test func `RMC gives time, place, speed, course and variation`() throws {
        let epoch = try #require(
            NMEAReader.epoch("GPRMC,225446.75,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E,D")
        )
        let position = try #require(epoch.position)
        #expect(position.timestamp == Timestamp(iso8601: "1994-11-19T22:54:46.750Z"))
        #expect(position.coordinate.latitude == 2956.45 / 60)
        #expect(position.coordinate.longitude == -7391.12 / 60)
        let halfAKnot: Double = 0.5 * 1852 / 3600
        #expect(position.speed == .metersPerSecond(halfAKnot))
        #expect(position.course == .degrees(54.7))
        #expect(epoch.magneticVariation == 20.3)
        #expect(epoch.quality == .differential && epoch.dimensions == .two)
        #expect(epoch.timeOfDay == .milliseconds(82_486_750))
    }

    @Test func `GGA gives altitude above the sea, satellites and dilution`() throws {
        let epoch = try #require(
            NMEAReader.epoch("GNGGA,092750.000,\(Self.place),1,8,1.03,61.7,M,55.2,M,,")
        )
        #expect(epoch.coordinate == Coordinate(latitude: 52.850155, longitude: 318.8170 / 60))
        #expect(epoch.position == nil)
        #expect(epoch.quality == .autonomous && epoch.dimensions == .three)
        #expect(epoch.satellitesUsed == 8 && epoch.horizontalDilution == 1.03)
        #expect(epoch.geoidSeparation == .meters(55.2))
    }

    @Test func `GLL gives a place with the date of the reference`() throws {
        let reference = try #require(Timestamp(iso8601: "2024-02-29T08:00:00Z"))
        let epoch = try #require(NMEAReader.epoch("IIGLL,\(Self.place),094736,A,A", reference: reference))
        #expect(epoch.position?.timestamp == Timestamp(iso8601: "2024-02-29T09:47:36Z"))
    }

    @Test func `VTG gives course and speed, and the later of it and RMC counts`() throws {
        let reference = Timestamp(milliseconds: 1_700_000_000_000)
        let gga = "GPGGA,092750,\(Self.place),1,8,1.03,61.7,M,,"
        let alone = NMEAReader.epoch(gga, "GPVTG,77.5,T,93.3,M,5.2,N,9.7,K", reference: reference)?.position
        #expect(alone?.course == .degrees(77.5) && alone?.speed == .metersPerSecond(5.2 * 1852 / 3600))
        let inKilometers = NMEAReader.epoch(gga, "GPVTG,,T,,M,,N,36,K,A", reference: reference)?.position
        #expect(inKilometers?.course == nil && inKilometers?.speed == .metersPerSecond(10))
        let void = NMEAReader.epoch(gga, "GPVTG,77.5,T,,M,5.2,N,9.7,K,N", reference: reference)?.position
        #expect(void?.course == nil && void?.speed == nil)
        let beside = NMEAReader.epoch(
            "GPRMC,092750,A,\(Self.place),1.0,2.0,200818,,",
            "GPVTG,77.5,T,93.3,M,5.2,N,9.7,K"
        )?.position
        #expect(beside?.course == .degrees(77.5))
    }

    @Test func `GSA gives dimensions and dilutions, and satellites where no GGA does`() throws {
        let rmc = "GNRMC,092750,A,\(Self.place),1.0,2.0,200818,,"
        let epoch = try #require(
            NMEAReader.epoch(
                rmc,
                "GNGSA,A,3,07,08,10,,,,,,,,,,1.10,0.60,0.90",
                "GNGSA,A,3,76,75,,,,,,,,,,,1.10,0.60,0.90"
            )
        )
        #expect(epoch.dimensions == .three && epoch.satellitesUsed == 5)
        #expect(
            epoch.positionDilution == 1.1 && epoch.horizontalDilution == 0.6 && epoch.verticalDilution == 0.9
        )
        let unknown = NMEAReader.epoch(rmc, "GNGSA,A,2,,,,,,,,,,,,,99.99,0.0,99.9")
        #expect(unknown?.dimensions == .two && unknown?.horizontalDilution == nil)
        #expect(unknown?.position?.horizontalAccuracy == nil)
    }

    @Test func `GSV counts the satellites of all systems, each once`() throws {
        let epoch = NMEAReader.epoch(
            "GNRMC,092750,A,\(Self.place),1.0,2.0,200818,,",
            "GPGSV,2,1,07,07,10,333,39,08,12,279,35,10,16,158,33,16,74,249,37",
            "GPGSV,2,2,07,20,36,138,34,1",
            "GPGSV,1,1,05,07,10,333,39,8",
            "GLGSV,1,1,04,70,27,083,31"
        )
        #expect(epoch?.satellitesInView == 11)
    }

    @Test func `ZDA gives the date with its century`() throws {
        let epochs = NMEAReader.epochs(
            NMEALines.sentences("GPZDA,201530.00,04,07,2002,00,00", "GPGLL,\(Self.place),201530.00,A")
        )
        #expect(epochs.first?.position?.timestamp == Timestamp(iso8601: "2002-07-04T20:15:30Z"))
    }

    @Test func `HDT and HDG give headings, which the course never does`() throws {
        let rmc = "GPRMC,092750,A,\(Self.place),1.0,90.0,200818,2.0,W"
        let neither = NMEAReader.epoch(rmc)?.position
        #expect(neither?.trueHeading == nil && neither?.magneticHeading == nil && neither?.heading == nil)
        let both = NMEAReader.epoch(rmc, "HEHDT,100.5,T")?.position
        #expect(both?.trueHeading == .degrees(100.5) && both?.magneticHeading == .degrees(102.5))
        let magnetic = NMEAReader.epoch(rmc, "HCHDG,100,1.0,E,,")?.position
        #expect(magnetic?.magneticHeading == .degrees(101) && magnetic?.trueHeading == .degrees(99))
        let compass = NMEAReader.epoch("GPRMC,092750,A,\(Self.place),1.0,,200818,,", "HCHDG,359,,,3.0,E")
        #expect(compass?.trueHeading == .degrees(2) && compass?.magneticVariation == 3)
    }

    @Test func `accuracy is what the receiver estimates, else what gpsd would derive, else unknown`() throws {
        let gga = "GPGGA,092750,\(Self.place),1,8,1.5,61.7,M,,"
        let rmc = "GPRMC,092750,A,\(Self.place),1.0,90.0,200818,,"
        let gsa = "GPGSA,A,3,,,,,,,,,,,,,3,1.5,2"
        let derived = NMEAReader.epoch(gga, rmc, gsa)?.position
        #expect(derived?.horizontalAccuracy == .meters(28.5) && derived?.verticalAccuracy == .meters(46))
        let estimated = NMEAReader.epoch(gga, rmc, gsa, "GPGST,092750,,,,,3,4,7")?.position
        #expect(estimated?.horizontalAccuracy == .meters(5) && estimated?.verticalAccuracy == .meters(7))
        let reckoned = NMEAReader.epoch(gga.replacingLast(",1,8", with: ",6,8"), rmc, gsa)?.position
        #expect(reckoned != nil && reckoned?.horizontalAccuracy == nil)
        var reader = NMEAReader(derivesAccuracy: false)
        _ = reader.read(NMEALines.sentences(gga, rmc))
        let last = reader.finish()
        #expect(last?.position != nil && last?.position?.horizontalAccuracy == nil)
    }

    @Test(arguments: [
        "GPRMC,092750,V,5251.0093,N,00518.8170,E,1.0,90.0,200818,,",
        "GPRMC,092750,A,5251.0093,N,00518.8170,E,1.0,90.0,200818,,,N",
        "GPGGA,092750,5251.0093,N,00518.8170,E,0,8,1.5,61.7,M,,", "GPGLL,5251.0093,N,00518.8170,E,092750,V",
        "GPGLL,5251.0093,N,00518.8170,E,092750,A,N", "GPRMC,092750,A,,,,,1.0,90.0,200818,,",
        "GPRMC,,V,,,,,,,,,,N",
    ])
    func `without a valid status there is no fix`(content: String) throws {
        let reference = Timestamp(milliseconds: 1_534_750_000_000)
        let epoch = try #require(NMEAReader.epoch(content, reference: reference))
        #expect(epoch.position == nil && epoch.coordinate == nil)
        #expect(epoch.quality == .noFix && epoch.dimensions == nil)
    }

    @Test func `one sentence that says void is enough`() {
        let epoch = NMEAReader.epoch(
            "GPGGA,092750,\(Self.place),1,8,1.5,61.7,M,,",
            "GPRMC,092750,V,\(Self.place),1.0,90.0,200818,,"
        )
        #expect(epoch?.position == nil && epoch?.quality == .noFix)
    }

    @Test(arguments: [
        ("A", NMEAEpoch.Quality.autonomous), ("D", .differential), ("P", .precise), ("E", .estimated),
        ("R", .fixedRealTimeKinematic), ("F", .floatRealTimeKinematic), ("M", .manual), ("S", .simulated),
        ("", .autonomous), ("?", .autonomous),
    ])
    func `estimated and simulated fixes are marked`(mode: String, quality: NMEAEpoch.Quality) {
        let epoch = NMEAReader.epoch("GPRMC,092750,A,\(Self.place),1.0,90.0,200818,,,\(mode)")
        #expect(epoch?.quality == quality && epoch?.position != nil)
    }

    @Test(arguments: [
        (1, NMEAEpoch.Quality.autonomous), (2, .differential), (3, .precise), (4, .fixedRealTimeKinematic),
        (5, .floatRealTimeKinematic), (6, .estimated), (7, .manual), (8, .simulated), (9, .autonomous),
    ])
    func `GGA's digit stands above RMC's letter`(digit: Int, quality: NMEAEpoch.Quality) {
        let epoch = NMEAReader.epoch(
            "GPGGA,092750,\(Self.place),\(digit),8,1.5,61.7,M,,",
            "GPRMC,092750,A,\(Self.place),1.0,90.0,200818,,,A"
        )
        #expect(epoch?.quality == quality)
    }

    /// Places, and what they are in minutes of latitude and longitude.
    private static let places: [(String, Double, Double)] = [
        ("0000.0000,N,00000.0000,E", 0, 0), ("9000.00,S,18000.00,E", -5400, -10800),
        ("0000.0001,S,17959.9999,W", -0.0001, -10799.9999), ("4916,N,12311,W", 2956, -7391),
        ("4807.03812345678999,N,01131.00012345,E", 2887.038123456, 691.00012345),
    ]

    @Test(arguments: places)
    func `coordinates are read to the last digit`(place: String, latitude: Double, longitude: Double) throws {
        let coordinate = try #require(NMEAReader.epoch("GPGLL,\(place),092750,A")?.coordinate)
        #expect(abs(coordinate.latitude - latitude / 60) < 1e-13)
        #expect(abs(coordinate.longitude - longitude / 60) < 1e-13)
    }

    @Test(arguments: [
        "GPGLL,9000.0001,N,00000.0,E,092750,A", "GPGLL,5260.0,N,00518.0,E,092750,A",
        "GPGLL,5251.0,N,18000.1,W,092750,A", "GPGLL,5251.0,X,00518.0,E,092750,A",
        "GPGLL,5251.0,,00518.0,E,092750,A", "GPGLL,51.0,N,00518.0,E,092750,A",
        "GPGLL,52 1.0,N,00518.0,E,092750,A",
        "GPGLL,-5251.0,N,00518.0,E,092750,A", "GPGLL,5251.0.0,N,00518.0,E,092750,A",
        "GPGLL,1005251.0,N,00518.0,E,092750,A", "GPGLL,5251.0,N,00518.0,E,246000,A",
        "GPGLL,5251.0,N,00518.0,E,096000,A", "GPGLL,5251.0,N,00518.0,E,092761,A",
        "GPGLL,5251.0,N,00518.0,E,92750,A",
        "GPGLL,5251.0,N,00518.0,E,0927500,A", "GPGLL,5251.0,N,00518.0,E,0927.50,A",
        "GPGLL,5251.0,N,00518.0,E,092750,AA", "GPRMC,092750,A,5251.0,N,00518.0,E,-1.0,90.0,200818,,",
        "GPRMC,092750,A,5251.0,N,00518.0,E,1.0,360.1,200818,,",
        "GPRMC,092750,A,5251.0,N,00518.0,E,1e3,90,200818,,",
        "GPRMC,092750,A,5251.0,N,00518.0,E,.,90,200818,,",
        "GPRMC,092750,A,5251.0,N,00518.0,E,20000,90,200818,,",
        "GPRMC,092750,A,5251.0,N,00518.0,E,1000000,90,200818,,",
        "GPRMC,092750,A,5251.0,N,00518.0,E,1,90,200818,200,E",
        "GPGGA,092750,5251.0,N,00518.0,E,1,8,1.5,61.7,F,,", "GPVTG,1,M,,M,,N,,K", "HEHDT,,T", "HEHDT,100,M",
        "GPZDA,092750,4,x,2020,,",
    ])
    func `a sentence with an impossible field is refused whole`(content: String) {
        var reader = NMEAReader(reference: Timestamp(milliseconds: 1_534_750_000_000))
        let epochs = reader.read(NMEALines.sentence(content))
        #expect(epochs.isEmpty && reader.finish() == nil)
        #expect(reader.counts.malformed == 1 && reader.counts.sentences == 0)
    }

    @Test func `full circle is north, and a course may be missing`() {
        let full = NMEAReader.epoch("GPRMC,092750,A,\(Self.place),1.0,360.0,200818,,")?.position
        #expect(full?.course == .north)
        let none = NMEAReader.epoch("GPRMC,092750,A,\(Self.place),,,200818,,")?.position
        #expect(none != nil && none?.course == nil && none?.speed == nil)
    }
}

extension String {
    fileprivate func replacingLast(_ text: String, with other: String) -> String {
        guard let range = ranges(of: text).last else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
