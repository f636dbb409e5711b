public import YonderLocation

/// Reports and requests the permission to read the device's location.
///
/// `IONGLOCManagerWrapper` implements it; apps call it on the main thread. Names and signatures are those of the library that
/// this module matches, and must stay (`PluginTests`, `make foreign-suite`).
public protocol IONGLOCAuthorisationHandler {
    /// The permission of this program.
    var authorisationStatus: IONGLOCAuthorisation { get }

    /// The permission of this program, then every change of it.
    var authorisationStatusPublisher: Published<IONGLOCAuthorisation>.Publisher { get }

    /// Requests permission and returns at once; ``authorisationStatusPublisher`` sends the answer.
    ///
    /// Linux has no prompt: there the service's source reports its access.
    func requestAuthorisation(withType authorisationType: IONGLOCAuthorisationRequestType)
}
