/// Requests single positions.
public protocol IONGLOCSingleLocationHandler: IONGLOCLocationHandler {
    /// Requests one position and returns at once; the publishers send the result.
    ///
    /// While monitoring, the last known position is sent again instead.
    func requestSingleLocation(options: IONGLOCRequestOptionsModel)
}
