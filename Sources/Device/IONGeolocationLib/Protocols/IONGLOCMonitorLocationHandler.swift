/// Monitors the device's position.
///
/// `IONGLOCManagerWrapper` implements it; apps call it on the main thread. Names and signatures are those of the library that
/// this module matches, and must stay (`PluginTests`, `make foreign-suite`).
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
