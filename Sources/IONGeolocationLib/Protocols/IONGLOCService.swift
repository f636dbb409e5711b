/// All that the device can be asked about where it is.
public typealias IONGLOCService = IONGLOCServicesChecker & IONGLOCAuthorisationHandler
    & IONGLOCSingleLocationHandler & IONGLOCMonitorLocationHandler
