public import YonderGeodesy

/// What a receiver said about one moment: where it was if it knew, or else that it didn't.
public struct NMEAEpoch: Hashable, Sendable {
    /// How the receiver came by its fix.
    public enum Quality: Hashable, Sendable {
        /// There is none; what the receiver may say of a place isn't to be trusted.
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

        /// Typed in.
        case manual

        /// Made up by a simulator.
        case simulated
    }

    /// Whether the fix has a height.
    public enum Dimensions: Hashable, Sendable {
        /// Latitude and longitude; a height, if there is one, is the last known or typed in.
        case two

        /// Latitude, longitude and height.
        case three
    }

    /// The time of day in UTC, to the millisecond, or `nil` if the receiver didn't know it.
    public var timeOfDay: Duration?

    /// Where the receiver was and when.
    ///
    /// It is `nil` without a fix; and without a time or as long as the day is unknown, which needs an RMC, a ZDA
    /// or the reader's reference. See ``coordinate``.
    ///
    /// - `altitude` is above mean sea level; in two ``dimensions`` it wasn't measured.
    /// - `course` is true, over ground; of many receivers that stand still, it is missing or at random.
    /// - `horizontalAccuracy` and `verticalAccuracy` are what the receiver estimates (GST, standard deviations;
    ///   in the plane the root of both squares), else what ``NMEAReader`` derives, else `nil`.
    /// - `trueHeading` and `magneticHeading` come from a compass (HDT, HDG), never from the course.
    public var position: Position?

    /// Where the receiver was, or `nil` without a fix.
    public var coordinate: Coordinate?

    /// How the receiver came by its fix, or that it has none.
    public var quality: Quality

    /// Whether the fix has a height; `nil` without a fix.
    public var dimensions: Dimensions?

    /// How many satellites the fix is made of.
    public var satellitesUsed: Int?

    /// How many satellites are above the horizon, of all systems together.
    public var satellitesInView: Int?

    /// What the satellites' geometry does to the error in the plane (HDOP): about 1 when good, in `0..<99`.
    public var horizontalDilution: Double?

    /// What the satellites' geometry does to the error in height (VDOP), in `0..<99`.
    public var verticalDilution: Double?

    /// What the satellites' geometry does to the error in space (PDOP), in `0..<99`.
    public var positionDilution: Double?

    /// How far mean sea level lies above the WGS 84 ellipsoid here, negative below.
    public var geoidSeparation: Distance?

    /// Where magnetic north lies as seen from true north, in degrees; negative in the west.
    public var magneticVariation: Double?

    /// The direction the device faces, from true north, with a fix or without.
    public var trueHeading: Angle?

    /// The direction the device faces, from magnetic north, with a fix or without.
    public var magneticHeading: Angle?
}
