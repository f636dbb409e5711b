import IONGeolocationLib

/// The errors that both plug-ins pass to the page, with the codes by which its script decides.
enum PluginError: String {
    case positionUnavailable = "OS-PLUG-GLOC-0002"
    case permissionDenied = "OS-PLUG-GLOC-0003"
    case invalidArguments = "OS-PLUG-GLOC-0004"
    case servicesDisabled = "OS-PLUG-GLOC-0007"
    case permissionRestricted = "OS-PLUG-GLOC-0008"
    case timeout = "OS-PLUG-GLOC-0010"

    init(_ error: IONGLOCLocationError) {
        switch error {
        case .timeout: self = .timeout
        case .locationUnavailable, .other: self = .positionUnavailable
        }
    }
}

/// What a program may do, and why not.
enum PluginPermission {
    case granted, prompt
    case refused(PluginError)

    init(_ status: IONGLOCAuthorisation) {
        switch status {
        case .notDetermined: self = .prompt
        case .restricted: self = .refused(.permissionRestricted)
        case .denied: self = .refused(.permissionDenied)
        case .authorisedAlways, .authorisedWhenInUse: self = .granted
        }
    }
}
