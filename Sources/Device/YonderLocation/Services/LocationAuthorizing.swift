/// Reports and requests the permission to read the device's location.
///
/// `LocationProvider` implements it as a part of `LocationService`; apps call it from any task. Nothing throws: a refusal is
/// a value (`AuthorizationTests`, `Documentation/location-apps.md`).
public protocol LocationAuthorizing: Sendable {
    /// The permission of this program.
    var authorization: LocationAuthorization { get }

    /// The permission of this program, then every change of it.
    ///
    /// Each call returns a sequence of its own, which ends with the task that reads it or with the service. A
    /// slow reader gets only the newest value.
    var authorizationUpdates: AsyncStream<LocationAuthorization> { get }

    /// Requests permission and waits for the answer.
    ///
    /// Only this method asks the user: a position request or a watch without permission waits, as in Core
    /// Location.
    ///
    /// If the user wasn't asked before, the call returns when the user has answered, or when the task is
    /// canceled. Otherwise it returns at once with the present permission: whether the system asks a user who
    /// permitted *when in use* again for *always*, and when, is the system's choice; ``authorizationUpdates``
    /// reports a change. On Apple's platforms the program's `Info.plist` must give the reason; otherwise the
    /// system shows no prompt, and the call waits until its task is canceled.
    ///
    /// Linux has no prompt. There the source checks its access: the first call waits until the source's
    /// device or daemon is present, or until the task is canceled; after a refusal the source checks again,
    /// and ``authorizationUpdates`` reports a change.
    ///
    /// - Returns: The permission after the answer.
    func requestAuthorization(_ request: AuthorizationRequest) async -> LocationAuthorization
}
