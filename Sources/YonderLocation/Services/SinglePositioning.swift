public import YonderGeodesy

/// Gives one position.
public protocol SinglePositioning: Sendable {
    /// Where the device is.
    ///
    /// It has a time limit of its own, whatever others ask meanwhile, and powers the source up if nobody listens.
    /// It doesn't ask for permission: where nobody was asked, it waits for it until its time is over.
    ///
    /// - Throws: ``LocationError``, with code `timedOut` (``LocationError/underlying`` is then what the source last
    ///   complained of, if it did), `notAuthorized` at once where permission is denied, `canceled` with the task, or
    ///   `servicesDisabled`, `sourceLost`, `sourceUnreadable` or `sourceEnded` as soon as the source says so.
    ///   `positionUnavailable` doesn't end it: a position may still come in time.
    func position(_ request: PositionRequest) async throws(LocationError) -> Position
}

extension SinglePositioning {
    /// Where the device is: as good as it can, within five seconds, and not from a cache.
    ///
    /// - Throws: ``LocationError``; see ``position(_:)``.
    public func position() async throws(LocationError) -> Position {
        try await position(PositionRequest())
    }
}
