import YonderGeodesy

// The content of single sentences: a type for each kind that a fix is made of. `NMEAReader` makes one of each sentence that
// isn't damaged, and `NMEAEpoch` puts those of one moment together; a kind that isn't here is passed over. No bytes trap. A
// further kind is a type here and a case in the reader, with a line of a real receiver in the tests (`NMEASentenceTests`,
// `NMEARecordedTests`); units are converted here, so that no other file knows of knots. Each initializer returns `nil` if
// any field that it reads is invalid: a sentence is accepted whole or not at all. The fields are those of *NMEA Revealed*,
// https://gpsd.gitlab.io/gpsd/NMEA.html.

/// The recommended minimum: `RMC,time,status,latitude,N,longitude,E,knots,course,ddmmyy,variation,E,mode,…`.
struct NMEARecommendedMinimum {
    let time: Int?
    let isVoid: Bool
    let coordinate: Coordinate?
    let speed: Speed?
    let course: Bearing?
    let date: NMEADate?
    let variation: Double?
    let quality: NMEAEpoch.Quality?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        time = fields.timeOfDay(in: bytes)
        let status = fields.letter(in: bytes)
        coordinate = fields.coordinate(in: bytes)
        speed = fields.knots(in: bytes)
        course = fields.bearing(in: bytes)
        let date = fields.integer(in: bytes)
        variation = fields.variation(in: bytes)
        // Some receivers write a number here.
        quality = fields.letter(in: bytes).flatMap(NMEAEpoch.Quality.init(mode:))
        isVoid = status != UInt8(ascii: "A") || quality == .noFix
        self.date = date.map {
            NMEADate(day: $0 / 10_000, month: $0 / 100 % 100, year: $0 % 100, isFull: false)
        }
        if fields.isBroken { return nil }
    }
}

/// A fix: `GGA,time,latitude,N,longitude,E,quality,satellites,HDOP,altitude,M,separation,M,…`.
struct NMEAFix {
    let time: Int?
    let coordinate: Coordinate?
    let quality: NMEAEpoch.Quality
    let satellitesUsed: Int?
    let horizontalDilution: Double?
    let altitude: Distance?
    let geoidSeparation: Distance?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        time = fields.timeOfDay(in: bytes)
        coordinate = fields.coordinate(in: bytes)
        quality = fields.integer(in: bytes).flatMap(NMEAEpoch.Quality.init(indicator:)) ?? .noFix
        satellitesUsed = fields.integer(in: bytes)
        horizontalDilution = fields.dilution(in: bytes)
        altitude = fields.meters(in: bytes)
        fields.expect("M", in: bytes)
        geoidSeparation = fields.meters(in: bytes)
        fields.expect("M", in: bytes)
        if fields.isBroken { return nil }
    }
}

/// A position: `GLL,latitude,N,longitude,E,time,status,mode`.
struct NMEAPlace {
    let time: Int?
    let isVoid: Bool
    let coordinate: Coordinate?
    let quality: NMEAEpoch.Quality?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        coordinate = fields.coordinate(in: bytes)
        time = fields.timeOfDay(in: bytes)
        let status = fields.letter(in: bytes)
        quality = fields.letter(in: bytes).flatMap(NMEAEpoch.Quality.init(mode:))
        isVoid = status != UInt8(ascii: "A") || quality == .noFix
        if fields.isBroken { return nil }
    }
}

/// Date and time: `ZDA,time,day,month,year,…`.
struct NMEADateAndTime {
    let time: Int?
    let date: NMEADate?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        time = fields.timeOfDay(in: bytes)
        let day = fields.integer(in: bytes)
        let month = fields.integer(in: bytes)
        let year = fields.integer(in: bytes)
        if let day, let month, let year {
            date = NMEADate(day: day, month: month, year: year, isFull: true)
        } else {
            date = nil
        }
        if fields.isBroken { return nil }
    }
}

/// The estimated error of a fix, as standard deviations in meters.
///
/// `GST,time,range error,ellipse…,latitude,longitude,altitude`
struct NMEAErrors {
    let time: Int?
    let horizontal: Distance?
    let vertical: Distance?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        time = fields.timeOfDay(in: bytes)
        fields.skip(4, in: bytes)
        let latitude = fields.decimal(in: bytes)
        let longitude = fields.decimal(in: bytes)
        vertical = fields.meters(in: bytes)
        if let latitude, let longitude {
            horizontal = Distance(meters: (latitude * latitude + longitude * longitude).squareRoot())
        } else {
            horizontal = nil
        }
        if fields.isBroken { return nil }
    }
}

/// Motion over ground: `VTG,course,T,course,M,knots,N,km/h,K,mode`.
struct NMEAMotion {
    let course: Bearing?
    let speed: Speed?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        let course = fields.bearing(in: bytes)
        fields.expect("T", in: bytes)
        fields.skip(2, in: bytes)
        let knots = fields.knots(in: bytes)
        fields.expect("N", in: bytes)
        let kilometersPerHour = fields.decimal(in: bytes)
        fields.expect("K", in: bytes)
        let isVoid = fields.letter(in: bytes) == UInt8(ascii: "N")
        self.course = isVoid ? nil : course
        speed = isVoid ? nil : knots ?? kilometersPerHour.flatMap { Speed(metersPerSecond: $0 / 3.6) }
        if fields.isBroken { return nil }
    }
}

/// The satellites of a fix: `GSA,selection,dimensions,twelve satellites…,PDOP,HDOP,VDOP`.
struct NMEAActiveSatellites {
    let dimensions: NMEAEpoch.Dimensions?
    let satellitesUsed: Int
    let positionDilution: Double?
    let horizontalDilution: Double?
    let verticalDilution: Double?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        fields.skip(in: bytes)
        dimensions = fields.integer(in: bytes).flatMap(NMEAEpoch.Dimensions.init(mode:))
        satellitesUsed = fields.countFilled(of: 12, in: bytes)
        positionDilution = fields.dilution(in: bytes)
        horizontalDilution = fields.dilution(in: bytes)
        verticalDilution = fields.dilution(in: bytes)
        if fields.isBroken { return nil }
    }
}

/// Satellites above the horizon: `GSV,sentences,number,satellites in view,…`.
///
/// The data of the single satellites isn't read.
struct NMEASatellitesInView {
    let isFirst: Bool
    let count: Int?

    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        fields.skip(in: bytes)
        isFirst = fields.integer(in: bytes) == 1
        count = fields.integer(in: bytes)
        if fields.isBroken { return nil }
    }
}

/// A heading: `HDT,heading,T`, or `HDG,heading,deviation,E,variation,E`.
struct NMEAHeading {
    let heading: Bearing
    let variation: Double?

    init?(true range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        let heading = fields.bearing(in: bytes)
        fields.expect("T", in: bytes)
        guard let heading, !fields.isBroken else { return nil }
        (self.heading, variation) = (heading, nil)
    }

    /// The heading from magnetic north is the sensor's heading plus its deviation.
    init?(magnetic range: Range<Int>, in bytes: Span<UInt8>) {
        var fields = NMEAFields(range)
        let sensor = fields.bearing(in: bytes)
        let deviation = fields.variation(in: bytes)
        variation = fields.variation(in: bytes)
        guard let sensor, !fields.isBroken else { return nil }
        heading = .degrees(sensor.degrees + (deviation ?? 0))
    }
}

extension NMEAEpoch.Quality {
    /// The quality for a mode letter of NMEA 2.3 and later; `nil` for an unknown letter.
    init?(mode: UInt8) {
        switch mode {
        case UInt8(ascii: "A"): self = .autonomous
        case UInt8(ascii: "D"): self = .differential
        case UInt8(ascii: "P"): self = .precise
        case UInt8(ascii: "R"): self = .fixedRealTimeKinematic
        case UInt8(ascii: "F"): self = .floatRealTimeKinematic
        case UInt8(ascii: "E"): self = .estimated
        case UInt8(ascii: "M"): self = .manual
        case UInt8(ascii: "S"): self = .simulated
        case UInt8(ascii: "N"): self = .noFix
        default: return nil
        }
    }

    /// The quality for GGA's digit; an unknown digit counts as an autonomous fix.
    init?(indicator: Int) {
        switch indicator {
        case 0: self = .noFix
        case 2: self = .differential
        case 3: self = .precise
        case 4: self = .fixedRealTimeKinematic
        case 5: self = .floatRealTimeKinematic
        case 6: self = .estimated
        case 7: self = .manual
        case 8: self = .simulated
        default: self = .autonomous
        }
    }
}

extension NMEAEpoch.Dimensions {
    /// The dimensions for GSA's digit: 2 or 3; `nil` for any other digit, which means no fix.
    init?(mode: Int) {
        switch mode {
        case 2: self = .two
        case 3: self = .three
        default: return nil
        }
    }
}
