import Combine
import CoreLocation
import IONGeolocationLib
import Testing

/// The wrapper over a manager where the foreign suite doesn't look: late fixes, one clock, headings.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ManagerWrapperTests {
    private let manager = MockManager()
    private let wrapper: IONGLOCManagerWrapper

    init() {
        wrapper = IONGLOCManagerWrapper(locationManager: manager)
    }

    /// Waits for the next timeout.
    private func timeout(after action: () -> Void) async {
        var subscription: AnyCancellable?
        await withCheckedContinuation { done in
            subscription = wrapper.locationTimeoutPublisher.first().sink { _ in done.resume() }
            action()
        }
        subscription?.cancel()
    }

    @Test func `without a checker of its own it asks the system`() {
        #expect(wrapper.areLocationServicesEnabled() == CLLocationManager.locationServicesEnabled())
    }

    @Test func `the status is the manager's from the beginning`() {
        manager.status = .authorizedAlways
        #expect(IONGLOCManagerWrapper(locationManager: manager).authorisationStatus == .authorisedAlways)
    }

    @Test func `after a timeout a late fix is dropped, until a request with options`() async {
        await timeout { wrapper.requestSingleLocation(options: IONGLOCRequestOptionsModel(timeout: 1)) }
        manager.find(.at(48))
        #expect(wrapper.currentLocation == nil)

        wrapper.startMonitoringLocation()
        #expect(manager.calls == [.requestLocation])

        wrapper.requestSingleLocation(options: IONGLOCRequestOptionsModel())
        manager.find(.at(49))
        #expect(wrapper.currentLocation?.latitude == 49)
    }

    @Test func `a timeout stops monitoring`() async {
        await timeout { wrapper.startMonitoringLocation(options: IONGLOCRequestOptionsModel(timeout: 1)) }
        #expect(
            manager.calls == [
                .startUpdatingLocation, .startUpdatingHeading, .stopUpdatingLocation, .stopUpdatingHeading,
            ]
        )
    }

    @Test func `a request made while a timeout is delivered is answered`() async {
        let subscription = wrapper.locationTimeoutPublisher.first().sink { [wrapper] _ in
            wrapper.startMonitoringLocation(options: IONGLOCRequestOptionsModel())
        }
        await timeout { wrapper.startMonitoringLocation(options: IONGLOCRequestOptionsModel(timeout: 1)) }
        subscription.cancel()
        #expect(manager.isUpdatingLocation)
        manager.find(.at(48))
        #expect(wrapper.currentLocation?.latitude == 48)
        wrapper.stopMonitoringLocation()
        #expect(!manager.isUpdatingLocation)
    }

    @Test func `a fix stops the clock`() async {
        var timeouts = 0
        let subscription = wrapper.locationTimeoutPublisher.sink { _ in timeouts += 1 }
        wrapper.startMonitoringLocation(options: IONGLOCRequestOptionsModel(timeout: 1))
        manager.find(.at(48))
        // The main thread's clock is past the timeout when this is over.
        await withCheckedContinuation { done in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) { done.resume() }
        }
        subscription.cancel()
        #expect(timeouts == 0)
        manager.find(.at(49))
        #expect(wrapper.currentLocation?.latitude == 49)
    }

    @Test func `a heading waits for the next fix, and counts only while monitoring`() {
        manager.find(.at(48))
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        manager.find(.at(49))
        #expect(wrapper.currentLocation?.trueHeading == nil)

        wrapper.startMonitoringLocation()
        manager.find(.at(50))
        #expect(wrapper.currentLocation?.trueHeading == 92)
        manager.turn(to: MockHeading(magnetic: -1, true: 100, accuracy: -1))
        #expect(wrapper.currentLocation?.trueHeading == 92)
        manager.find(.at(51))
        #expect(wrapper.currentLocation?.trueHeading == 100)
        #expect(wrapper.currentLocation?.magneticHeading == nil)
        #expect(wrapper.currentLocation?.headingAccuracy == nil)

        wrapper.stopMonitoringLocation()
        manager.find(.at(52))
        #expect(wrapper.currentLocation?.trueHeading == nil)
    }

    @Test func `a failure forgets the heading`() {
        wrapper.startMonitoringLocation()
        manager.find(.at(48))
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        manager.fail(CLError(.locationUnknown))
        #expect(wrapper.currentLocation == nil)
        manager.turn(to: MockHeading(magnetic: 91, true: 93, accuracy: 5))
        manager.find(.at(49))
        #expect(wrapper.currentLocation?.trueHeading == nil)
    }

    @Test func `negative values of a location are passed on as they are`() {
        manager.find(.at(48))
        #expect(wrapper.currentLocation?.course == -1)
        #expect(wrapper.currentLocation?.speed == -1)
        #expect(wrapper.currentLocation?.verticalAccuracy == -1)
    }
}
