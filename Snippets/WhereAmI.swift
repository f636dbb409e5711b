// Asks for permission, then for one position, then watches them come.

import YonderGeodesy
import YonderLocation

// snippet.permission
func mayLocate(_ service: any LocationService) async -> Bool {
    guard await service.areLocationServicesEnabled() else { return false }
    return await service.requestAuthorization(.whenInUse).isAuthorized
}
// snippet.end

// snippet.single
func whereAmI(_ service: any LocationService) async -> Position? {
    do {
        return try await service.position(PositionRequest(timeout: .seconds(10), maximumAge: .seconds(60)))
    } catch {
        switch error.code {
        case .timedOut: print("No position yet:", error.underlying ?? error)
        case .notAuthorized: print("The person would rather not say.")
        default: print("\(error.code): \(error.message)")
        }
        return nil
    }
}
// snippet.end

// snippet.monitoring
func follow(_ service: any LocationService) async {
    let watch = service.monitor(MonitoringConfiguration(minimumDistance: .meters(10)))
    for await event in watch {
        switch event {
        case .position(let position):
            print("Here:", position.coordinate)
            // Far from everything, less often will do.
            watch.update(MonitoringConfiguration(isHighAccuracy: false, minimumDistance: .kilometers(1)))
        case .stalled(let since): print("Nothing has come since", since)
        case .failure(let error): print("Trouble, but the watch goes on:", error.message)
        }
    }
}
// snippet.end

// snippet.service
func service() -> any LocationService {
    LocationProvider(source: MemorySource())
}
// snippet.end
