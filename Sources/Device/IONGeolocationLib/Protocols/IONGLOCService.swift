/// All operations for reading the device's location.
public typealias IONGLOCService = IONGLOCServicesChecker & IONGLOCAuthorisationHandler
    & IONGLOCSingleLocationHandler & IONGLOCMonitorLocationHandler
