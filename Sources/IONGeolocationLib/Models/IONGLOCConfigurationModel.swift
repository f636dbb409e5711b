/// How accurate positions have to be.
public struct IONGLOCConfigurationModel: Sendable {
    /// Whether positions have to be as good as the device can make them, at the cost of its battery; otherwise three
    /// kilometers will do.
    public let enableHighAccuracy: Bool

    /// How many meters the device has to move before a new position is told, or `nil` to leave it as it was.
    public let minimumUpdateDistanceInMeters: Double?

    /// Creates a configuration.
    public init(enableHighAccuracy: Bool, minimumUpdateDistanceInMeters: Double? = nil) {
        self.enableHighAccuracy = enableHighAccuracy
        self.minimumUpdateDistanceInMeters = minimumUpdateDistanceInMeters
    }
}
