// Follows the device by the names of IONGeolocationLib, over any source.

import IONGeolocationLib
import YonderLocation

// snippet.facade
final class Follower {
    private let geolocation: any IONGLOCService
    private var subscriptions: Set<AnyCancellable> = []

    init(_ geolocation: any IONGLOCService) {
        self.geolocation = geolocation
        geolocation.locationTimeoutPublisher
            .sink { _ in print("Nothing in time.") }
            .store(in: &subscriptions)
    }

    func follow() {
        geolocation.currentLocationPublisher
            .sink(
                receiveCompletion: { _ in print("Lost; subscribe anew to go on.") },
                receiveValue: { print("Here:", $0.latitude, $0.longitude) }
            )
            .store(in: &subscriptions)
        geolocation.updateConfiguration(IONGLOCConfigurationModel(enableHighAccuracy: true))
        geolocation.startMonitoringLocation(options: IONGLOCRequestOptionsModel(timeout: 10_000))
    }
}
// snippet.end

// snippet.service
func follower(over source: any LocationSource) -> Follower {
    Follower(IONGLOCManagerWrapper(service: LocationProvider(source: source)))
}
// snippet.end
