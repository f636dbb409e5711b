/// Why there is no position.
public enum IONGLOCLocationError: Error {
    /// The device couldn't find out where it is.
    case locationUnavailable

    /// A request's time was over.
    case timeout

    /// Something else, passed on as it was.
    case other(_ error: any Error)
}
