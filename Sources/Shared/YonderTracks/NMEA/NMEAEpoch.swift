public import YonderGeodesy

/// The data of a receiver about one moment: its position, or that it has no fix.
///
/// `NMEADraft` makes it, `NMEAReader` delivers it; `NMEAConversation` turns it into positions and a known permission,
/// `TrackSource` into a track. A program that reads a receiver itself sees all of it. Nothing here can fail. Which sentence
/// gives which value must stay, as `NMEARecordedTests` compares recordings with gpsd's reading of them; a further value may
/// be added.
public struct NMEAEpoch: Hashable, Sendable {
    /// The method by which the receiver got its fix.
    public enum Quality: Hashable, Sendable {
        /// No fix; a position in the sentences isn't valid.
        case noFix

        /// From satellites alone.
        case autonomous

        /// With corrections, from a station or from satellites such as EGNOS and WAAS.
        case differential

        /// By the precise service (PPS, or the mode called precise).
        case precise

        /// Real time kinematic with whole cycles: centimeters.
        case fixedRealTimeKinematic

        /// Real time kinematic with fractional cycles: decimeters.
        case floatRealTimeKinematic

        /// Dead reckoning: from speed and course, without satellites.
        case estimated

        /// Entered by hand.
        case manual

        /// Created by a simulator.
        case simulated
    }

    /// Whether the fix has a height.
    public enum Dimensions: Hashable, Sendable {
        /// Latitude and longitude; a height, if there is one, is the last known or entered by hand.
        case two

        /// Latitude, longitude and height.
        case three
    }

    /// The time of day in UTC, to the millisecond, or `nil` if the receiver didn't know it.
    public var timeOfDay: Duration?

    /// The position with its time.
    ///
    /// `nil` without a fix, without a time, or while the day is unknown, for which an RMC, a ZDA or the
    /// reader's reference is needed. See ``coordinate``.
    ///
    /// - `altitude` is above mean sea level; in two ``dimensions`` it wasn't measured.
    /// - `course` is true, over ground; at rest, many receivers omit it or send a random one.
    /// - `horizontalAccuracy` and `verticalAccuracy` are the receiver's estimates (GST, standard deviations;
    ///   in the plane the root of both squares), or else derived by ``NMEAReader``, or `nil`.
    /// - `trueHeading` and `magneticHeading` come from a compass (HDT, HDG), never from the course.
    public var position: Position?

    /// The position without a time, or `nil` without a fix.
    public var coordinate: Coordinate?

    /// The method of the fix, or that there is none.
    public var quality: Quality

    /// Whether the fix has a height; `nil` without a fix.
    public var dimensions: Dimensions?

    /// The number of satellites used for the fix.
    public var satellitesUsed: Int?

    /// The number of satellites above the horizon, of all systems together.
    public var satellitesInView: Int?

    /// The factor by which the satellites' geometry increases the error in the plane (HDOP): about 1 when
    /// good, in `0..<99`.
    public var horizontalDilution: Double?

    /// The factor by which the satellites' geometry increases the error in height (VDOP), in `0..<99`.
    public var verticalDilution: Double?

    /// The factor by which the satellites' geometry increases the error in space (PDOP), in `0..<99`.
    public var positionDilution: Double?

    /// The height of mean sea level above the WGS 84 ellipsoid here; negative if it is below.
    public var geoidSeparation: Distance?

    /// The direction of magnetic north from true north, in degrees; negative in the west.
    public var magneticVariation: Double?

    /// The direction the device faces, from true north, with a fix or without.
    public var trueHeading: Bearing?

    /// The direction the device faces, from magnetic north, with a fix or without.
    public var magneticHeading: Bearing?
}
