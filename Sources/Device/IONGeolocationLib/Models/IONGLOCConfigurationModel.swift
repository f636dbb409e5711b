/// The accuracy and minimum distance of positions.
///
/// Apps pass it to `updateConfiguration(_:)`; nothing is checked. Names are those of the library that this module matches,
/// and must stay (`make foreign-suite`).
public struct IONGLOCConfigurationModel: Sendable {
    /// Whether positions must have the device's best accuracy, at the cost of its battery; otherwise three
    /// kilometers suffice.
    public let enableHighAccuracy: Bool

    /// The distance in meters that the device must move before a new position is sent, or `nil` to leave it
    /// unchanged.
    public let minimumUpdateDistanceInMeters: Double?

    /// Creates a configuration.
    public init(enableHighAccuracy: Bool, minimumUpdateDistanceInMeters: Double? = nil) {
        self.enableHighAccuracy = enableHighAccuracy
        self.minimumUpdateDistanceInMeters = minimumUpdateDistanceInMeters
    }
}
