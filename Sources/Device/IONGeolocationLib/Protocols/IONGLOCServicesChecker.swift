/// Checks whether location services are on.
public protocol IONGLOCServicesChecker {
    /// Whether the device gives positions to any program at all.
    func areLocationServicesEnabled() -> Bool
}
