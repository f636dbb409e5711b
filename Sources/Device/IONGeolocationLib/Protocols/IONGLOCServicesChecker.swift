/// Checks whether location services are on.
///
/// `IONGLOCManagerWrapper` and `IONGLOCServicesValidator` implement it, and apps' tests do. The name and signature must stay
/// (`make foreign-suite`).
public protocol IONGLOCServicesChecker {
    /// Whether the device gives positions to any program at all.
    func areLocationServicesEnabled() -> Bool
}
