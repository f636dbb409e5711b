import YonderLocation

/// Whether the app may read the device's position.
///
/// `OwnPlace` makes it of the device's answers, and views switch over it. A further case needs its text here
/// (`SharingModelTests`).
public enum Permission: Hashable, Sendable {
    /// The person wasn't asked yet: the app asks when they share.
    case notAsked
    /// The app may read the position.
    case allowed
    /// The person refused: only the device's settings allow it.
    case refused
    /// The device forbids it.
    case restricted
    /// Location is off for the whole device.
    case off

    init(_ authorization: LocationAuthorization, areServicesEnabled: Bool) {
        self =
            switch authorization {
            case _ where !areServicesEnabled: .off
            case .notDetermined: .notAsked
            case .restricted: .restricted
            case .denied: .refused
            case .always, .whenInUse: .allowed
            }
    }
}

extension AppContext {
    /// What the person should do about a permission; empty for nothing.
    func text(of permission: Permission) -> String {
        switch permission {
        case .notAsked: say(.appAskPermission)
        case .allowed: ""
        case .refused: say(.appDenied)
        case .restricted: say(.appRestricted)
        case .off: say(.appServicesOff)
        }
    }
}
