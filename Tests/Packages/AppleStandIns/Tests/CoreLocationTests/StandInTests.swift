import CoreLocation
import Testing

/// The stand-in itself, as far as what runs against it relies on it.
struct StandInTests {
    private final class Silent: NSObject, CLLocationManagerDelegate {}

    private final class Listener: NSObject, CLLocationManagerDelegate {
        var heard: [String] = []

        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            heard.append("\(locations.count) locations")
        }

        func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
            heard.append("heading")
        }

        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            heard.append("failure")
        }

        func locationManager(
            _ manager: CLLocationManager,
            didChangeAuthorization status: CLAuthorizationStatus
        ) {
            heard.append("status \(status.rawValue)")
        }

        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            heard.append("authorization")
        }
    }

    private func callEverything(_ manager: CLLocationManager) {
        manager.delegate?.locationManager?(
            manager,
            didUpdateLocations: [CLLocation(latitude: 1, longitude: 2)]
        )
        manager.delegate?.locationManager?(manager, didUpdateHeading: CLHeading())
        manager.delegate?.locationManager?(manager, didFailWithError: CLError(.denied))
        manager.delegate?.locationManager?(manager, didChangeAuthorization: .authorizedAlways)
        manager.delegate?.locationManagerDidChangeAuthorization?(manager)
        manager.delegate?.locationManagerDidPauseLocationUpdates?(manager)
    }

    @Test func `a delegate is called as on Apple's platforms`() {
        let manager = CLLocationManager()
        let listener = Listener()
        manager.delegate = listener
        callEverything(manager)
        #expect(listener.heard == ["1 locations", "heading", "failure", "status 3", "authorization"])
    }

    @Test func `a delegate may have none of the methods, or be gone`() {
        let manager = CLLocationManager()
        var silent: Silent? = Silent()
        manager.delegate = silent
        callEverything(manager)
        silent = nil
        #expect(manager.delegate == nil)
        callEverything(manager)
    }

    @Test func `a location made of two numbers says nothing else`() {
        let location = CLLocation(latitude: 48, longitude: 11)
        #expect(location.horizontalAccuracy == 0)
        #expect([location.verticalAccuracy, location.course, location.speed] == [-1, -1, -1])
    }

    @Test func `a degree along the equator is 111 kilometers`() {
        let distance = CLLocation(latitude: 0, longitude: 179.5)
            .distance(from: CLLocation(latitude: 0, longitude: -179.5))
        #expect(abs(distance - 111_195) < 1)
    }

    @Test func `a location survives an archive`() throws {
        let location = CLLocation(
            coordinate: CLLocationCoordinate2DMake(48.1, 11.5),
            altitude: 520,
            horizontalAccuracy: 5,
            verticalAccuracy: 8,
            course: 90,
            speed: 3,
            timestamp: Date(timeIntervalSince1970: 1_700_000_000)
        )
        let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
        #expect(copy.coordinate.latitude == 48.1)
        #expect(copy.timestamp == location.timestamp)
        #expect([copy.altitude, copy.course, copy.speed, copy.speedAccuracy] == [520, 90, 3, -1])
    }

    @Test func `an error of Core Location's domain is taken over`() {
        let error = NSError(domain: kCLErrorDomain, code: CLError.denied.rawValue)
        #expect(CLError(_nsError: error) == CLError(.denied))
        #expect(Set([CLError(.denied), CLError(_nsError: error), CLError(.network)]).count == 2)
    }

    @Test func `an error is caught by its code`() {
        do {
            throw CLError(.denied)
        } catch CLError.denied {
            return
        } catch {
            Issue.record("caught \(error)")
        }
    }
}
