/// The reason why there is no position.
///
/// The wrapper's publishers send it. Cases are those of the library that this module matches, and must stay (`PluginTests`,
/// `make foreign-suite`).
public enum IONGLOCLocationError: Error {
    /// The device couldn't determine its position.
    case locationUnavailable

    /// The request timed out.
    case timeout

    /// Any other error, passed on unchanged.
    case other(_ error: any Error)
}
