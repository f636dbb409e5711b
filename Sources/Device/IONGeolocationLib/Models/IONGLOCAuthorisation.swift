import YonderLocation

/// Whether this program is permitted to read the device's location.
///
/// `IONGLOCManagerWrapper` publishes it. Cases and their spelling are those of the library that this module matches, and must
/// stay (`PluginTests`, `make foreign-suite`).
public enum IONGLOCAuthorisation: Sendable {
    /// The user wasn't asked yet.
    case notDetermined

    /// The system forbids it, for instance by parental controls.
    case restricted

    /// The user refused.
    case denied

    /// Permitted at any time, also while the app is in the background.
    case authorisedAlways

    /// Permitted only while the app is in use.
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
