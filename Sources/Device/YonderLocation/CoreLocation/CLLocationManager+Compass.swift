#if canImport(CoreLocation) && !os(macOS)
import CoreLocation

extension CLLocationManager {
    func startCompass() {
        startUpdatingHeading()
    }

    func stopCompass() {
        stopUpdatingHeading()
    }
}
#endif
