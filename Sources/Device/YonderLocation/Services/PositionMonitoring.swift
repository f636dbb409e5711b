/// Delivers positions as they arrive.
///
/// `LocationProvider` implements it as a part of `LocationService`; apps call it from any task. It can't fail: failures are
/// events of the watch (`WatchPowerTests`).
public protocol PositionMonitoring: Sendable {
    /// Returns a watch, which starts with an iteration and stops when the iteration ends.
    ///
    /// ```swift
    /// for await event in service.monitor(MonitoringConfiguration(minimumDistance: .meters(10))) {
    ///     if let position = event.position { show(position) }
    /// }
    /// ```
    func monitor(_ configuration: MonitoringConfiguration) -> LocationWatch
}

extension PositionMonitoring {
    /// Returns a watch for every position at best accuracy; see ``monitor(_:)``.
    public func monitor() -> LocationWatch {
        monitor(MonitoringConfiguration())
    }
}
