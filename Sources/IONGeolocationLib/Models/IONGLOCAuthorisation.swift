import YonderLocation

/// Whether this program may know where the device is.
public enum IONGLOCAuthorisation: Sendable {
    /// Nobody was asked yet.
    case notDetermined

    /// Something other than the person forbids it, such as parental controls.
    case restricted

    /// The person refused.
    case denied

    /// At any time, also while the program is in the background.
    case authorisedAlways

    /// Only while the program is used.
    case authorisedWhenInUse
}

extension IONGLOCAuthorisation {
    init(_ authorization: LocationAuthorization) {
        switch authorization {
        case .notDetermined: self = .notDetermined
        case .restricted: self = .restricted
        case .denied: self = .denied
        case .always: self = .authorisedAlways
        case .whenInUse: self = .authorisedWhenInUse
        }
    }
}
