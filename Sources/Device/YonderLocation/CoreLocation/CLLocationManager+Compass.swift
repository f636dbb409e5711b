#if canImport(CoreLocation) && !os(macOS)
import CoreLocation

// For `CLLocationManager+Requests.swift`; a Mac's are in the file beside this one.
extension CLLocationManager {
    func startCompass() {
        startUpdatingHeading()
    }

    func stopCompass() {
        stopUpdatingHeading()
    }
}
#endif
