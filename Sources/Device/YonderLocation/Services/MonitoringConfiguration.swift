public import YonderGeodesy

/// The configuration of a watch.
///
/// An app passes one to `monitor(_:)` or `LocationWatch.update(_:)`; `LocationDesk` and `WatchQueue` follow it. Nothing is
/// checked. The defaults are promised in `Documentation/location-apps.md` (`LocationDeskTests`).
public struct MonitoringConfiguration: Hashable, Sendable {
    /// Whether positions must have the device's best accuracy, at the cost of its battery; otherwise three
    /// kilometers suffice.
    public var isHighAccuracy: Bool

    /// The distance of the device from the last delivered position at which the next is delivered, or `nil`
    /// for every one.
    ///
    /// Measured along the sphere. The first position after a stall or a failure is delivered at any distance,
    /// to show that the source works again. A distance of zero or less counts as `nil`.
    public var minimumDistance: Distance?

    /// The time without a position after which the watch reports a stall, or `nil` for never.
    ///
    /// It runs from the first position on. A position too near to be delivered counts as one. While this is
    /// set, the source sends every position, so that a resting device isn't mistaken for a stall; with `nil`
    /// the source itself may apply ``minimumDistance``, which can save power.
    public var stallInterval: Duration?

    /// Creates a configuration, by default: best accuracy, any distance, and a stall after thirty seconds.
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
