/// Requests single positions.
///
/// `IONGLOCManagerWrapper` implements it; apps call it on the main thread. Names and signatures are those of the library that
/// this module matches, and must stay (`PluginTests`, `make foreign-suite`).
public protocol IONGLOCSingleLocationHandler: IONGLOCLocationHandler {
    /// Requests one position and returns at once; the publishers send the result.
    ///
    /// While monitoring, the last known position is sent again instead.
    func requestSingleLocation(options: IONGLOCRequestOptionsModel)
}
