import YonderGeodesy

/// Assembles positions from the reports of gpsd.
///
/// `GpsdConversation` has one for a connection, and calls it for each report; it can't fail. ``headingAge`` may change. That
/// a time of the receiver's goes before that of arrival, and the larger error in the plane is the accuracy, must stay, as
/// positions of both ways of reading a receiver are compared (`GpsdReportTests`, `RealGpsdTests`).
struct GpsdPosition: Sendable {
    /// The time for which a heading is valid, as it arrives in a separate report.
    static let headingAge = Duration.seconds(2)

    private var heading: (bearing: Bearing, device: String?, time: Timestamp)?

    /// Stores a heading for the fixes that follow.
    mutating func take(_ attitude: GpsdReport.Attitude, at time: Timestamp) {
        guard let bearing = attitude.heading.flatMap({ Bearing(degrees: $0) }) else { return }
        heading = (bearing, attitude.device, time)
    }

    /// Assembles the position of a fix.
    ///
    /// Values that aren't finite or are out of range are left out.
    ///
    /// - Parameters:
    ///   - fix: The report of gpsd.
    ///   - time: The time of arrival, used if gpsd doesn't know the time.
    /// - Returns: The position, or `nil` if there is no fix.
    func position(of fix: GpsdReport.Fix, at time: Timestamp) -> Position? {
        guard fix.hasFix, let latitude = fix.lat, let longitude = fix.lon,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return Position(
            coordinate: coordinate,
            timestamp: fix.time.flatMap { Timestamp(iso8601: $0) } ?? time,
            altitude: (fix.altMSL ?? fix.alt).flatMap { Distance(meters: $0) },
            horizontalAccuracy: (fix.eph ?? fix.largerError).flatMap { Distance(meters: $0) },
            verticalAccuracy: fix.epv.flatMap { Distance(meters: $0) },
            course: fix.track.flatMap { Bearing(degrees: $0) },
            speed: fix.speed.flatMap { $0 < 0 ? nil : Speed(metersPerSecond: $0) },
            heading: heading(of: fix.device, at: time)
        )
    }

    private func heading(of device: String?, at time: Timestamp) -> Bearing? {
        guard let heading, heading.device == device, time - heading.time <= Self.headingAge else {
            return nil
        }
        return heading.bearing
    }
}

extension GpsdReport.Fix {
    /// Whether the receiver has a position.
    var hasFix: Bool { (mode ?? 0) >= 2 }

    /// The larger of the errors to the east and to the north, if one of them is known.
    fileprivate var largerError: Double? {
        [epx, epy].compactMap(\.self).max()
    }
}
