import Combine
import CoreLocation
import IONGeolocationLib
import XCTest

final class AuthorisationTests: XCTestCase {
    private var manager: FakeLocationManager!
    private var geolocation: IONGLOCManagerWrapper!
    private var bag = Set<AnyCancellable>()

    override func setUp() {
        super.setUp()
        manager = FakeLocationManager()
        geolocation = IONGLOCManagerWrapper(locationManager: manager)
    }

    override func tearDown() {
        bag.removeAll()
        geolocation = nil
        manager = nil
        FakeLocationManager.servicesAreOn = true
        super.tearDown()
    }

    func testBecomesTheDelegateOnce() {
        XCTAssertEqual(manager.delegateWasSet, 1)
        XCTAssertTrue(manager.delegate === geolocation)
    }

    func testEveryStatusIsMapped() {
        let expected: [(CLAuthorizationStatus, IONGLOCAuthorisation)] = [
            (.notDetermined, .notDetermined), (.restricted, .restricted), (.denied, .denied),
            (.authorizedAlways, .authorisedAlways), (.authorizedWhenInUse, .authorisedWhenInUse),
        ]
        for (status, authorisation) in expected {
            manager.decide(status)
            XCTAssertEqual(geolocation.authorisationStatus, authorisation)
        }
    }

    func testPromptIsAnsweredThroughThePublisher() {
        var seen = [IONGLOCAuthorisation]()
        geolocation.authorisationStatusPublisher
            .sink { seen.append($0) }
            .store(in: &bag)

        geolocation.requestAuthorisation(withType: .whenInUse)
        geolocation.requestAuthorisation(withType: .always)

        XCTAssertEqual(manager.prompts, ["when in use", "always"])
        XCTAssertEqual(seen, [.notDetermined, .authorisedWhenInUse, .authorisedAlways])
    }

    func testPublishedPropertyCanBeObservedDirectly() {
        let answered = expectation(description: "answered")
        geolocation.$authorisationStatus
            .dropFirst()
            .removeDuplicates()
            .receive(on: DispatchQueue.main)
            .sink { status in
                XCTAssertEqual(status, .denied)
                answered.fulfill()
            }
            .store(in: &bag)
        manager.decide(.denied)
        wait(for: [answered], timeout: 1)
    }

    func testServicesCheckerDecides() {
        struct Off: IONGLOCServicesChecker {
            func areLocationServicesEnabled() -> Bool { false }
        }
        XCTAssertTrue(geolocation.areLocationServicesEnabled())
        let other = IONGLOCManagerWrapper(locationManager: manager, servicesChecker: Off())
        XCTAssertFalse(other.areLocationServicesEnabled())
        XCTAssertTrue(IONGLOCServicesValidator().areLocationServicesEnabled())
    }

    func testWrapperIsTheWholeService() {
        let service: IONGLOCService = geolocation
        service.requestAuthorisation(withType: .always)
        XCTAssertEqual(service.authorisationStatus, .authorisedAlways)
    }
}
