/// Reports whether location services are on.
///
/// `LocationProvider` implements it as a part of `LocationService`, and asks its source; apps call it from any task
/// (`SourceConformanceTests`).
public protocol LocationServicesChecking: Sendable {
    /// Whether the device gives positions to any program at all; may need some time, but never blocks the
    /// caller's thread.
    ///
    /// On Apple's platforms this is the system's switch. Linux has none, so each source reports an
    /// equivalent: whether the daemon answers, or whether the receiver is plugged in.
    func areLocationServicesEnabled() async -> Bool
}
