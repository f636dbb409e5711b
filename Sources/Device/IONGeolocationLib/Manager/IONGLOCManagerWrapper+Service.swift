public import YonderLocation

// The wrapper over any location service, which is all that there is without Core Location. Apps call it on the main thread;
// `ServiceDevice` does the work (`ServiceWrapperTests`).
extension IONGLOCManagerWrapper {
    /// Creates a wrapper over any location service: gpsd, a receiver, a recorded track, Core Location.
    ///
    /// It works on all platforms, and is the only one without Core Location. ``areLocationServicesEnabled()``
    /// returns the service's last answer and checks again in the background, since that may need some time;
    /// before the first answer, location services count as on. Every failure of the service becomes
    /// ``IONGLOCLocationError/locationUnavailable``.
    ///
    /// - Parameter service: The source of positions, usually a `LocationProvider`.
    public convenience init(service: any LocationService) {
        self.init(device: ServiceDevice(service))
    }
}
