import YonderGeodesy

/// What an epoch's sentences have said so far.
struct NMEADraft {
    private var coordinate: Coordinate?
    private var isVoid = false
    private var mode: NMEAEpoch.Quality?
    private var indicator: NMEAEpoch.Quality?
    private var speed: Speed?
    private var course: Angle?
    private var variation: Double?
    private var altitude: Distance?
    private var geoidSeparation: Distance?
    private var satellitesUsed: Int?
    private var horizontalDilution: Double?
    private var horizontalError: Distance?
    private var verticalError: Distance?

    /// Whether there was an RMC, so that no VTG need be waited for.
    private(set) var hasMotion = false

    /// Whether some sentence said where the receiver was.
    var hasCoordinate: Bool { coordinate != nil }

    mutating func take(_ report: NMEARecommendedMinimum) {
        place(report.coordinate, isVoid: report.isVoid)
        mode = report.quality ?? mode
        (speed, course) = (report.speed, report.course)
        variation = report.variation
        hasMotion = true
    }

    mutating func take(_ report: NMEAFix) {
        place(report.coordinate, isVoid: report.quality == .noFix)
        indicator = report.quality
        altitude = report.altitude
        geoidSeparation = report.geoidSeparation
        satellitesUsed = report.satellitesUsed
        horizontalDilution = report.horizontalDilution
    }

    mutating func take(_ report: NMEAPlace) {
        place(report.coordinate, isVoid: report.isVoid)
        mode = mode ?? report.quality
    }

    mutating func take(_ report: NMEAErrors) {
        (horizontalError, verticalError) = (report.horizontal, report.vertical)
    }

    /// Takes a speed and course that bear no time; the later ones count, as with places.
    mutating func take(_ report: NMEAMotion) {
        guard report.speed != nil || report.course != nil else { return }
        (speed, course) = (report.speed, report.course)
    }

    /// The later place counts, and one sentence that says void is enough.
    private mutating func place(_ coordinate: Coordinate?, isVoid: Bool) {
        self.isVoid = self.isVoid || isVoid
        if !isVoid, let coordinate { self.coordinate = coordinate }
    }
}

extension NMEADraft {
    /// The epoch that the sentences make, together with what is known from before.
    func epoch(time: Int?, timestamp: Timestamp?, surroundings: NMEASurroundings, derivesAccuracy: Bool)
        -> NMEAEpoch
    {
        let fix = isVoid ? nil : coordinate
        let satellites = surroundings.satellites
        let dimensions = fix.map { _ in satellites?.dimensions ?? (altitude == nil ? .two : .three) }
        let variation = variation ?? surroundings.variation
        var epoch = NMEAEpoch(quality: fix == nil ? .noFix : indicator ?? mode ?? .autonomous)
        epoch.timeOfDay = time.map { .milliseconds($0) }
        epoch.coordinate = fix
        epoch.dimensions = dimensions
        epoch.satellitesUsed = satellitesUsed ?? satellites?.satellitesUsed
        epoch.satellitesInView = surroundings.satellitesInView
        epoch.horizontalDilution = horizontalDilution ?? satellites?.horizontalDilution
        epoch.verticalDilution = satellites?.verticalDilution
        epoch.positionDilution = satellites?.positionDilution
        epoch.geoidSeparation = geoidSeparation
        epoch.magneticVariation = variation
        epoch.trueHeading = surroundings.trueHeading(variation: variation)
        epoch.magneticHeading = surroundings.magneticHeading(variation: variation)
        if let fix, time != nil, let timestamp {
            epoch.position = position(fix, timestamp, epoch, derivesAccuracy: derivesAccuracy)
        }
        return epoch
    }

    private func position(
        _ coordinate: Coordinate,
        _ timestamp: Timestamp,
        _ epoch: NMEAEpoch,
        derivesAccuracy: Bool
    ) -> Position {
        let hasHeight = epoch.dimensions == .three
        let error = derivesAccuracy ? NMEARangeError(epoch.quality) : nil
        return Position(
            coordinate: coordinate,
            timestamp: timestamp,
            altitude: altitude,
            horizontalAccuracy: horizontalError ?? error?.horizontal(epoch.horizontalDilution),
            verticalAccuracy: hasHeight && altitude != nil
                ? verticalError ?? error?.vertical(epoch.verticalDilution) : nil,
            course: course,
            speed: speed,
            magneticHeading: epoch.magneticHeading,
            trueHeading: epoch.trueHeading
        )
    }
}

/// How far off a distance to a satellite is taken to be, by which a dilution is multiplied.
///
/// The numbers are those of gpsd (`gpsd_error_model` in its `libgpsd_core.c`), for a confidence of 95 %: both ways
/// to a receiver, through gpsd and directly, then say the same. They are cautious for today's receivers.
private struct NMEARangeError {
    private let isDifferential: Bool

    /// It is `nil` where satellites have little to do with the fix.
    init?(_ quality: NMEAEpoch.Quality) {
        switch quality {
        case .noFix, .estimated, .manual, .simulated: return nil
        case .autonomous: isDifferential = false
        default: isDifferential = true
        }
    }

    func horizontal(_ dilution: Double?) -> Distance? {
        dilution.map { .meters($0 * (isDifferential ? 4.75 : 19)) }
    }

    func vertical(_ dilution: Double?) -> Distance? {
        dilution.map { .meters($0 * (isDifferential ? 5.75 : 23)) }
    }
}
