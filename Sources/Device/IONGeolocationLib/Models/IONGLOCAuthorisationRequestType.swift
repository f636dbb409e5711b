import YonderLocation

/// The extent of the permission that a program requests.
///
/// Apps pass it to `requestAuthorisation(withType:)`. Names are those of the library that this module matches, and must stay
/// (`PluginTests`, `make foreign-suite`).
public enum IONGLOCAuthorisationRequestType: Sendable {
    /// While the app is in use.
    case whenInUse

    /// Also while the app is in the background.
    case always
}

extension AuthorizationRequest {
    init(_ type: IONGLOCAuthorisationRequestType) {
        switch type {
        case .whenInUse: self = .whenInUse
        case .always: self = .always
        }
    }
}
