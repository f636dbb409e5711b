#if canImport(CoreLocation) && os(macOS)
import CoreLocation

// A Mac has no compass, and its Core Location can't stop one.
extension CLLocationManager {
    func startCompass() {}

    func stopCompass() {}
}
#endif
