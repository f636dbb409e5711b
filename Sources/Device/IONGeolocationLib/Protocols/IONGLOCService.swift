/// All operations for reading the device's location.
///
/// Apps hold the wrapper as this type; the name is that of the library that this module matches, and must stay
/// (`make foreign-suite`).
public typealias IONGLOCService = IONGLOCServicesChecker & IONGLOCAuthorisationHandler
    & IONGLOCSingleLocationHandler & IONGLOCMonitorLocationHandler
