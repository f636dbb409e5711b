import Combine
import CoreLocation
import XCTest

@testable import IONGeolocationLib

final class PositionTests: XCTestCase {
    private var manager: FakeLocationManager!
    private var geolocation: IONGLOCManagerWrapper!
    private var bag: Set<AnyCancellable>!
    private let lisbon = CLLocation(latitude: 38.7223, longitude: -9.1393)
    private let porto = CLLocation(latitude: 41.1579, longitude: -8.6291)

    override func setUp() {
        super.setUp()
        manager = FakeLocationManager()
        geolocation = IONGLOCManagerWrapper(locationManager: manager)
        bag = []
    }

    override func tearDown() {
        bag = nil
        geolocation = nil
        manager = nil
        super.tearDown()
    }

    func testConfigurationIsPassedOn() {
        geolocation.updateConfiguration(IONGLOCConfigurationModel(enableHighAccuracy: false))
        XCTAssertEqual(manager.desiredAccuracy, kCLLocationAccuracyThreeKilometers)
        XCTAssertEqual(manager.distanceFilter, kCLDistanceFilterNone)

        geolocation.updateConfiguration(.init(enableHighAccuracy: true, minimumUpdateDistanceInMeters: 25))
        XCTAssertEqual(manager.desiredAccuracy, kCLLocationAccuracyBest)
        XCTAssertEqual(manager.distanceFilter, 25, accuracy: 0.001)

        geolocation.updateConfiguration(.init(enableHighAccuracy: true))
        XCTAssertEqual(manager.distanceFilter, 25)
    }

    func testMonitoringStartsAndStopsTheManager() {
        geolocation.startMonitoringLocation()
        XCTAssertTrue(manager.isUpdatingLocation)
        XCTAssertTrue(manager.isUpdatingHeading)
        XCTAssertEqual(manager.headingFilter, 1)

        geolocation.stopMonitoringLocation()
        XCTAssertFalse(manager.isUpdatingLocation)
        XCTAssertFalse(manager.isUpdatingHeading)
    }

    func testLatestOfABatchIsDeliveredAtOnce() {
        var seen = [IONGLOCPositionModel]()
        geolocation.currentLocationPublisher
            .sink(receiveCompletion: { _ in XCTFail("ended") }, receiveValue: { seen.append($0) })
            .store(in: &bag)

        manager.deliver([lisbon, porto])

        XCTAssertEqual(seen, [IONGLOCPositionModel.create(from: porto)])
        XCTAssertEqual(geolocation.currentLocation?.latitude, porto.coordinate.latitude)
        XCTAssertEqual(manager.location, porto)
    }

    func testFailureEndsTheStreamAndTheNextOneStartsAfresh() {
        var endings = 0
        let first = expectation(description: "first stream failed")
        geolocation.currentLocationPublisher
            .sink { completion in
                if case .failure(.locationUnavailable) = completion { first.fulfill() }
                endings += 1
            } receiveValue: { _ in
                XCTFail("no position expected")
            }
            .store(in: &bag)
        manager.breakDown()
        wait(for: [first], timeout: 1)
        XCTAssertNil(geolocation.currentLocation)

        let second = expectation(description: "second stream delivers")
        geolocation.currentLocationPublisher
            .sink { _ in
                endings += 1
            } receiveValue: { position in
                XCTAssertEqual(position.longitude, self.lisbon.coordinate.longitude)
                second.fulfill()
            }
            .store(in: &bag)
        manager.deliver([lisbon])
        wait(for: [second], timeout: 1)
        XCTAssertEqual(endings, 1)
    }

    func testEmptyBatchIsAFailure() {
        var failure: IONGLOCLocationError?
        geolocation.currentLocationPublisher
            .sink(
                receiveCompletion: { if case .failure(let error) = $0 { failure = error } },
                receiveValue: { _ in }
            )
            .store(in: &bag)
        manager.deliver([lisbon])
        manager.deliver([])
        guard case .locationUnavailable? = failure else { return XCTFail("\(String(describing: failure))") }
    }

    func testFailureIsRecoveredFromWithCatch() {
        var seen = [Double]()
        geolocation.currentLocationPublisher
            .map(\.latitude)
            .catch { _ in Just(0) }
            .sink { seen.append($0) }
            .store(in: &bag)
        manager.deliver([lisbon])
        manager.breakDown(NSError(domain: kCLErrorDomain, code: CLError.network.rawValue))
        manager.deliver([porto])
        XCTAssertEqual(seen, [lisbon.coordinate.latitude, 0])
    }

    func testSingleRequestAsksTheManager() {
        geolocation.requestSingleLocation(options: IONGLOCRequestOptionsModel(timeout: 3000))
        XCTAssertEqual(manager.singleRequests, 1)
        XCTAssertFalse(manager.isUpdatingLocation)
    }

    func testSingleRequestWhileMonitoringRepeatsTheKnownPosition() {
        geolocation.startMonitoringLocation()
        manager.deliver([lisbon])

        var seen = [IONGLOCPositionModel]()
        geolocation.currentLocationPublisher
            .sink(receiveCompletion: { _ in }, receiveValue: { seen.append($0) })
            .store(in: &bag)
        geolocation.requestSingleLocation(options: IONGLOCRequestOptionsModel())

        XCTAssertEqual(seen, [IONGLOCPositionModel.create(from: lisbon)])
        XCTAssertEqual(manager.singleRequests, 0)
    }

    func testTimeoutIsFiveSecondsUnlessSaid() {
        XCTAssertEqual(IONGLOCRequestOptionsModel().timeout, 5000)
        XCTAssertEqual(IONGLOCRequestOptionsModel(timeout: 10).timeout, 10)
    }

    func testTimeoutStopsMonitoringAndDropsWhatComesLate() {
        let timedOut = expectation(description: "timed out")
        geolocation.locationTimeoutPublisher
            .sink { error in
                guard case .timeout = error else { return XCTFail("\(error)") }
                timedOut.fulfill()
            }
            .store(in: &bag)
        geolocation.startMonitoringLocation(options: .init(timeout: 20))
        XCTAssertTrue(manager.isUpdatingLocation)
        wait(for: [timedOut], timeout: 2)
        XCTAssertFalse(manager.isUpdatingLocation)
        XCTAssertFalse(manager.isUpdatingHeading)

        manager.deliver([lisbon])
        XCTAssertNil(geolocation.currentLocation)

        geolocation.startMonitoringLocation()
        XCTAssertFalse(manager.isUpdatingLocation)

        geolocation.startMonitoringLocation(options: .init(timeout: nil))
        XCTAssertTrue(manager.isUpdatingLocation)
        manager.deliver([porto])
        XCTAssertEqual(geolocation.currentLocation?.latitude, porto.coordinate.latitude)
    }

    func testPositionInTimeMeansNoTimeout() {
        let timedOut = expectation(description: "timed out")
        timedOut.isInverted = true
        geolocation.locationTimeoutPublisher
            .sink { _ in timedOut.fulfill() }
            .store(in: &bag)
        geolocation.requestSingleLocation(options: .init(timeout: 30))
        manager.deliver([lisbon])
        wait(for: [timedOut], timeout: 0.1)
    }

    func testHeadingComesWithTheNextPosition() {
        let north = FakeHeading()
        north.magnetic = 3
        north.geographic = 1.5
        north.deviation = 10
        geolocation.startMonitoringLocation()
        manager.deliver([lisbon])
        manager.deliver(north)
        XCTAssertNil(geolocation.currentLocation?.trueHeading)

        manager.deliver([porto])
        XCTAssertEqual(
            geolocation.currentLocation,
            IONGLOCPositionModel.create(from: porto, heading: north)
        )
        XCTAssertEqual(geolocation.currentLocation?.headingAccuracy, 10)
    }

    func testUnknownHeadingIsNil() {
        let position = IONGLOCPositionModel.create(from: lisbon, heading: FakeHeading())
        XCTAssertNil(position.magneticHeading)
        XCTAssertNil(position.trueHeading)
        XCTAssertNil(position.headingAccuracy)
        XCTAssertEqual(position, .create(from: lisbon))
    }

    func testPositionsAndTimersAreMergedOnTheMainRunLoop() {
        let done = expectation(description: "a tick after a position")
        var seen = [String]()
        let ticks = Timer.publish(every: 0.005, on: .main, in: .common).autoconnect()
            .map { _ in "tick" }
            .setFailureType(to: IONGLOCLocationError.self)
        geolocation.currentLocationPublisher
            .map { "\($0.latitude)" }
            .merge(with: ticks)
            .prefix(2)
            .receive(on: RunLoop.main)
            .sink { _ in
                done.fulfill()
            } receiveValue: {
                seen.append($0)
            }
            .store(in: &bag)
        manager.deliver([lisbon])
        wait(for: [done], timeout: 1)
        XCTAssertEqual(seen, ["38.7223", "tick"])
    }

    func testModelTakesOverEverything() {
        let time = Date(timeIntervalSince1970: 1_641_034_800)
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 37.7749, longitude: -122.4194),
            altitude: 12,
            horizontalAccuracy: 5,
            verticalAccuracy: 10,
            course: 180,
            speed: 2,
            timestamp: time
        )
        let position = IONGLOCPositionModel.create(from: location)
        XCTAssertEqual(position.latitude, 37.7749)
        XCTAssertEqual(position.longitude, -122.4194)
        XCTAssertEqual(position.altitude, 12)
        XCTAssertEqual(position.horizontalAccuracy, 5)
        XCTAssertEqual(position.verticalAccuracy, 10)
        XCTAssertEqual(position.course, 180)
        XCTAssertEqual(position.speed, 2)
        XCTAssertEqual(position.timestamp, 1_641_034_800_000)
    }
}
