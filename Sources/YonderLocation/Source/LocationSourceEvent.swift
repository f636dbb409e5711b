public import YonderGeodesy

/// What a source tells.
public enum LocationSourceEvent: Sendable {
    /// What the program may do has changed.
    case authorization(LocationAuthorization)

    /// Positions that became known together, in any order; the latest by its own time is the one that counts.
    ///
    /// None at all says that the device has no fix.
    case positions([Position])

    /// Something went wrong; positions may come again, unless the code is ``LocationError/Code/sourceEnded``.
    case failure(LocationError)
}
