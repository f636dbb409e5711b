/// The reason why there is no position.
public enum IONGLOCLocationError: Error {
    /// The device couldn't determine its position.
    case locationUnavailable

    /// The request timed out.
    case timeout

    /// Any other error, passed on unchanged.
    case other(_ error: any Error)
}
