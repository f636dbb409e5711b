public import YonderLocation

/// Says whether this program may know where the device is, and asks for it.
public protocol IONGLOCAuthorisationHandler {
    /// What this program may do now.
    var authorisationStatus: IONGLOCAuthorisation { get }

    /// What this program may do now, then every change of it.
    var authorisationStatusPublisher: Published<IONGLOCAuthorisation>.Publisher { get }

    /// Asks for permission and returns at once; ``authorisationStatusPublisher`` tells the answer.
    ///
    /// Linux has no prompt: there the service's source says what is permitted.
    func requestAuthorisation(withType authorisationType: IONGLOCAuthorisationRequestType)
}
