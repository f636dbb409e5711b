import YonderGeodesy

/// The data of an epoch's sentences so far.
///
/// `NMEAReader` has one for the open epoch, passes it each report, and takes
/// ``epoch(time:timestamp:surroundings:derivesAccuracy:)`` when the epoch ends; then it begins another. Nothing fails: what
/// no sentence gave is `nil`. Which sentence wins where two differ, and that one void sentence makes the epoch void, must
/// stay (`NMEAEpochTests`, `NMEARecordedTests`). The errors of `NMEARangeError` are gpsd's; change them only as gpsd does.
///
/// A further value is a property here, and one of `NMEAEpoch`.
struct NMEADraft {
    private var coordinate: Coordinate?
    private var isVoid = false
    private var mode: NMEAEpoch.Quality?
    private var indicator: NMEAEpoch.Quality?
    private var speed: Speed?
    private var course: Bearing?
    private var variation: Double?
    private var altitude: Distance?
    private var geoidSeparation: Distance?
    private var satellitesUsed: Int?
    private var horizontalDilution: Double?
    private var horizontalError: Distance?
    private var verticalError: Distance?

    /// Whether there was an RMC, so that a VTG need not be awaited.
    private(set) var hasMotion = false

    /// Whether a sentence has given a position.
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

    /// Stores a speed and course without a time; as with positions, the later ones count.
    mutating func take(_ report: NMEAMotion) {
        guard report.speed != nil || report.course != nil else { return }
        (speed, course) = (report.speed, report.course)
    }

    /// Stores a position: the later one counts, and a single void sentence makes the epoch void.
    private mutating func place(_ coordinate: Coordinate?, isVoid: Bool) {
        self.isVoid = self.isVoid || isVoid
        if !isVoid, let coordinate { self.coordinate = coordinate }
    }
}

extension NMEADraft {
    /// Builds the epoch from its sentences and from recent ones without a time.
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

/// The assumed error of a distance to a satellite, which is multiplied by a dilution.
///
/// The numbers are those of gpsd (`gpsd_error_model` in its `libgpsd_core.c`), for a confidence of 95 %, so
/// that a receiver read through gpsd and directly gives the same accuracy. They are cautious for today's
/// receivers.
private struct NMEARangeError {
    private let isDifferential: Bool

    /// Creates an error; `nil` if the fix doesn't come from satellites.
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
