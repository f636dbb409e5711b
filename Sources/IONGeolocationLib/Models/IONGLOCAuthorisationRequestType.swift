import YonderLocation

/// How far the permission reaches that a program asks for.
public enum IONGLOCAuthorisationRequestType: Sendable {
    /// While the program is used.
    case whenInUse

    /// Also while it is in the background.
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
