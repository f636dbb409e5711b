public import YonderGeodesy

/// What a watch wants to be told.
public struct MonitoringConfiguration: Hashable, Sendable {
    /// Whether positions have to be as good as the device can make them, at the cost of its battery; otherwise
    /// three kilometers will do.
    public var isHighAccuracy: Bool

    /// How far the device has to be from the position delivered last before the next is, or `nil` if any is wanted.
    ///
    /// Measured along the sphere. The first position after a stall or a failure is delivered whatever its distance,
    /// to say that all is well again. What isn't positive is as good as `nil`.
    public var minimumDistance: Distance?

    /// After how long without a position, once there was one, the watch reports that it stalls, or `nil` for never.
    ///
    /// A position too near to be delivered counts. So that a device at rest isn't taken for one that stalls, the
    /// source is asked for every position while this is set; `nil` lets the source itself keep to
    /// ``minimumDistance``, which can save power.
    public var stallInterval: Duration?

    /// Creates a configuration: as good as possible, any move, a stall reported after thirty seconds.
    public init(
        isHighAccuracy: Bool = true,
        minimumDistance: Distance? = nil,
        stallInterval: Duration? = .seconds(30)
    ) {
        self.isHighAccuracy = isHighAccuracy
        self.minimumDistance = minimumDistance
        self.stallInterval = stallInterval
    }
}
