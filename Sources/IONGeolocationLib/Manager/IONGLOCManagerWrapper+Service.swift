public import YonderLocation

extension IONGLOCManagerWrapper {
    /// Creates a wrapper over any location service: gpsd, a receiver, a recorded track, Core Location.
    ///
    /// It works everywhere, and is what there is without Core Location. ``areLocationServicesEnabled()`` answers what
    /// the service said last and asks it anew, since the service may take its time; before its first answer location
    /// services count as on. What fails in the service is ``IONGLOCLocationError/locationUnavailable``.
    ///
    /// - Parameter service: Where positions come from, usually a `LocationProvider`.
    public convenience init(service: any LocationService) {
        self.init(device: ServiceDevice(service))
    }
}
