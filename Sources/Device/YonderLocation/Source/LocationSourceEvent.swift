public import YonderGeodesy

/// An event of a source.
///
/// Every source sends it and `LocationDesk` decides on it; apps may have sources of their own. A further case needs a
/// decision there (`LocationDeskTests`).
public enum LocationSourceEvent: Sendable {
    /// The permission has changed.
    case authorization(LocationAuthorization)

    /// Positions that became known together, in any order; the one with the latest timestamp counts.
    ///
    /// An empty array means that the device has no fix.
    case positions([Position])

    /// A failure; positions may follow, unless the code is ``LocationError/Code/sourceEnded``.
    case failure(LocationError)
}
