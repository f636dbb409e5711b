public import YonderGeodesy
public import YonderModel

/// Since when positions are held, and why there are none before.
///
/// `PositionStretch` decides it, `ChatPositions` returns it, and `AllPositions` says it in words; a further reason needs its
/// words there (`PositionStretchTests`).
public struct PositionReach: Hashable, Sendable {
    /// Why no older position is held.
    public enum Reason: Hashable, Sendable {
        /// Older ones are still being read.
        case loading
        /// There are older ones, for which there is no room: ``ChatPositions/earlier()`` reads them in place of these.
        case full
        /// The chat keeps positions only so long.
        case kept(PositionKeeping)
        /// The caller may read none before, such as from before joining.
        case joined
        /// There are none.
        case whole
    }

    /// The time of the oldest position held, or `nil` without any.
    public let since: Timestamp?

    /// The time of the newest position held, or `nil` without any.
    public let until: Timestamp?

    /// Why no older position is held.
    public let reason: Reason
}
