/// Monitors the device's position.
public protocol IONGLOCMonitorLocationHandler: IONGLOCLocationHandler {
    /// Starts monitoring, and stops on its own if no position arrives within the options' timeout.
    func startMonitoringLocation(options: IONGLOCRequestOptionsModel)

    /// Starts monitoring without a timeout.
    ///
    /// Does nothing after a timeout; see ``IONGLOCManagerWrapper``.
    func startMonitoringLocation()

    /// Stops monitoring.
    func stopMonitoringLocation()
}
