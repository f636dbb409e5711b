import CoreLocation
import LocationTestSupport
import Testing
import YonderGeodesy
import YonderLocation

/// The promises that every source keeps, kept by Core Location's.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct CoreLocationConformanceTests {
    /// A manager whose device is where services are on.
    private final class LiveManager: MockManager {
        private var latitude = 48.0

        override class func locationServicesEnabled() -> Bool { true }

        /// Moves the device, which tells only while it is followed.
        func move() -> CLLocation {
            latitude += 0.001
            let location = CLLocation.at(latitude, time: Date())
            if isUpdatingLocation { find(location) }
            return location
        }
    }

    @Test(arguments: SourceRule.all)
    func `it keeps every source's promises`(rule: SourceRule) async throws {
        let manager = LiveManager()
        manager.status = .authorizedWhenInUse
        let stage = SourceStage(
            source: CoreLocationSource(manager: manager),
            givePosition: { @MainActor in
                let place = manager.move().coordinate
                return try #require(Coordinate(latitude: place.latitude, longitude: place.longitude))
            }
        )
        try await rule.check(stage)
    }
}
