public import YonderGeodesy

/// Returns single positions.
///
/// `LocationProvider` implements it as a part of `LocationService`; apps call it from any task. Codes are promised
/// (`PositionRequestTests`, `Documentation/location-apps.md`).
public protocol SinglePositioning: Sendable {
    /// Returns the device's position.
    ///
    /// Each request has its own timeout, independent of other listeners, and starts the source if there are
    /// none. The request doesn't ask for permission: if the user wasn't asked yet, it waits for permission
    /// until its timeout.
    ///
    /// - Throws: ``LocationError``, with code `timedOut` (``LocationError/underlying`` is then the source's
    ///   last error, if there was one), `notAuthorized` at once if permission is denied, `canceled` with the
    ///   task, or `servicesDisabled`, `sourceLost`, `sourceUnreadable` or `sourceEnded` as soon as the source
    ///   reports it. `positionUnavailable` doesn't end the request: a position may still arrive in time.
    func position(_ request: PositionRequest) async throws(LocationError) -> Position
}

extension SinglePositioning {
    /// Returns the device's position: best accuracy, within five seconds, and not from a cache.
    ///
    /// - Throws: ``LocationError``; see ``position(_:)``.
    public func position() async throws(LocationError) -> Position {
        try await position(PositionRequest())
    }
}
