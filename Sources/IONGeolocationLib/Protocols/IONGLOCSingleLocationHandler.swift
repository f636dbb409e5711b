/// Asks for one position.
public protocol IONGLOCSingleLocationHandler: IONGLOCLocationHandler {
    /// Asks for one position and returns at once; the publishers tell what comes of it.
    ///
    /// While monitoring, the position that is known is told again instead.
    func requestSingleLocation(options: IONGLOCRequestOptionsModel)
}
