/// Whether this program is permitted to read the device's location.
///
/// On Apple's platforms the user decides, in the system's prompt or settings. Linux has no such prompt: there
/// each source reports an equivalent, such as the permission to open a receiver's device.
///
/// Sources report it, `LocationProvider` passes it on, and apps switch over it: a further case would break them
/// (`make check-api`, `AuthorizationTests`).
public enum LocationAuthorization: String, Hashable, Sendable, CaseIterable {
    /// The user wasn't asked yet.
    case notDetermined

    /// The system forbids it, for instance by parental controls or a device's policy.
    case restricted

    /// The user refused, or the program may not open the receiver.
    case denied

    /// Permitted at any time, also while the app is in the background.
    case always

    /// Permitted only while the app is in use.
    case whenInUse

    /// Whether the program may receive positions.
    public var isAuthorized: Bool {
        self == .always || self == .whenInUse
    }
}
