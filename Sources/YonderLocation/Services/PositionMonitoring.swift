/// Gives positions as they come.
public protocol PositionMonitoring: Sendable {
    /// A watch, which starts when it is iterated over and stops when that ends.
    ///
    /// ```swift
    /// for await event in service.monitor(MonitoringConfiguration(minimumDistance: .meters(10))) {
    ///     if let position = event.position { show(position) }
    /// }
    /// ```
    func monitor(_ configuration: MonitoringConfiguration) -> LocationWatch
}

extension PositionMonitoring {
    /// A watch for every position, as good as possible; see ``monitor(_:)``.
    public func monitor() -> LocationWatch {
        monitor(MonitoringConfiguration())
    }
}
