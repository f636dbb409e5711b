/// Whether this program may know where the device is.
///
/// On Apple's platforms the person decides, in the system's prompt or settings. Linux has no such prompt: there
/// each source says what stands for it, such as the permission to open a receiver's device.
public enum LocationAuthorization: String, Hashable, Sendable, CaseIterable {
    /// Nobody was asked yet.
    case notDetermined

    /// Something other than the person forbids it, such as parental controls or a device's policy.
    case restricted

    /// The person refused, or the program may not open the receiver.
    case denied

    /// At any time, also while the program is in the background.
    case always

    /// Only while the program is used.
    case whenInUse

    /// Whether positions may be expected.
    public var isAuthorized: Bool {
        self == .always || self == .whenInUse
    }
}
