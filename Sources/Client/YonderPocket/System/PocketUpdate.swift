public import YonderGeodesy
public import YonderLocation

/// One of Core Location's updates.
///
/// `ApplePocketSystem` makes it of Core Location's update, `PocketSharing` passes it on, one after another
/// (`PocketSharingTests`).
public struct PocketUpdate: Hashable, Sendable {
    /// The position, or `nil` if the update has none.
    public let position: Position?

    /// Whether the device is at rest: Core Location then sends nothing until it moves, and goes on by itself.
    public let isStationary: Bool

    /// Why there is no position, or `nil` if nothing is wrong.
    public let failure: LocationError.Code?

    /// Creates an update.
    public init(position: Position?, isStationary: Bool = false, failure: LocationError.Code? = nil) {
        (self.position, self.isStationary, self.failure) = (position, isStationary, failure)
    }
}
