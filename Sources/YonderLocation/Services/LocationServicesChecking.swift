/// Says whether location services are on.
public protocol LocationServicesChecking: Sendable {
    /// Whether the device gives positions to any program at all; may take some time, so never waits on the caller's
    /// thread.
    ///
    /// On Apple's platforms it is the system's switch. On Linux, which has none, each source says what stands for it:
    /// a daemon that answers, a receiver that is plugged in.
    func areLocationServicesEnabled() async -> Bool
}
