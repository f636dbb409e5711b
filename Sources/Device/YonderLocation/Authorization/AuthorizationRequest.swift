/// The extent of the permission that a program requests.
///
/// Apps pass it to `requestAuthorization(_:)`; sources on Linux treat both alike (`AuthorizationTests`).
public enum AuthorizationRequest: String, Hashable, Sendable, CaseIterable {
    /// While the app is in use.
    case whenInUse

    /// Also while the app is in the background.
    case always
}
