/// Follows the device.
public protocol IONGLOCMonitorLocationHandler: IONGLOCLocationHandler {
    /// Starts to follow the device; if nothing comes in the options' time, it stops by itself.
    func startMonitoringLocation(options: IONGLOCRequestOptionsModel)

    /// Starts to follow the device, with no limit of time.
    ///
    /// Does nothing after a timeout; see ``IONGLOCManagerWrapper``.
    func startMonitoringLocation()

    /// Stops following the device.
    func stopMonitoringLocation()
}
