import Testing
import YonderGeodesy
import YonderLocation

@testable import IONGeolocationLib

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ServiceWrapperTests {
    let source = MemorySource(authorization: .notDetermined, answer: .whenInUse)
    let wrapper: IONGLOCManagerWrapper
    let recorder: WrapperRecorder

    init() {
        wrapper = IONGLOCManagerWrapper(service: LocationProvider(source: source))
        recorder = WrapperRecorder(wrapper)
    }

    func position(latitude: Double) throws -> Position {
        Position(
            coordinate: try #require(Coordinate(latitude: latitude, longitude: 11)),
            timestamp: Timestamp(milliseconds: 1_700_000_000_000)
        )
    }

    /// Waits longer than any test: the usual five seconds go by on a machine that is busy enough.
    private static let patient = IONGLOCRequestOptionsModel(timeout: 3_600_000)

    @Test func `the permission is the service's and follows it`() async {
        #expect(wrapper.authorisationStatus == .notDetermined)
        source.send(.authorization(.denied))
        await until { wrapper.authorisationStatus == .denied }
        source.send(.authorization(.always))
        await until { wrapper.authorisationStatus == .authorisedAlways }
        #expect(recorder.statuses.first == .notDetermined)
        #expect(recorder.statuses.last == .authorisedAlways)
    }

    @Test(arguments: [IONGLOCAuthorisationRequestType.whenInUse, .always])
    func `a request for permission reaches the source`(type: IONGLOCAuthorisationRequestType) async {
        wrapper.requestAuthorisation(withType: type)
        await until { wrapper.authorisationStatus == .authorisedWhenInUse }
        #expect(source.calls.contains(.requestAuthorization(AuthorizationRequest(type))))
    }

    @Test func `one position comes, and then the source rests`() async throws {
        source.send(.authorization(.whenInUse))
        wrapper.requestSingleLocation(options: Self.patient)
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { recorder.positions.count == 1 }
        #expect(wrapper.currentLocation?.latitude == 48)
        await until { !source.isStarted }
    }

    @Test func `monitoring keeps the source awake until it is stopped`() async throws {
        source.send(.authorization(.whenInUse))
        wrapper.startMonitoringLocation()
        wrapper.startMonitoringLocation()
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { recorder.positions.count == 1 }
        source.move(to: try position(latitude: 49))
        await until { recorder.positions.count == 2 }
        #expect(source.isStarted)

        wrapper.stopMonitoringLocation()
        await until { !source.isStarted }
    }

    @Test func `monitoring begins again after the source has ended`() async throws {
        source.send(.authorization(.whenInUse))
        wrapper.startMonitoringLocation()
        await until { source.isStarted }
        source.end()
        await until { !source.isStarted }
        await until {
            // It isn't watched any more once the last event was handled, which no call tells.
            wrapper.startMonitoringLocation()
            return source.calls.count { $0 == .start } == 2
        }
    }

    @Test func `monitoring that is stopped at once wakes nobody`() async throws {
        source.send(.authorization(.whenInUse))
        wrapper.startMonitoringLocation()
        wrapper.stopMonitoringLocation()
        wrapper.requestSingleLocation(options: Self.patient)
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { !source.isStarted }
        #expect(source.calls.count { $0 == .start } == 1)
    }

    @Test func `a single request while monitoring tells the known position again`() async throws {
        source.send(.authorization(.whenInUse))
        wrapper.startMonitoringLocation()
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { recorder.positions.count == 1 }

        wrapper.requestSingleLocation(options: Self.patient)
        #expect(recorder.positions.map(\.latitude) == [48, 48])
    }

    @Test func `a failure ends a subscription, and a later one starts afresh`() async throws {
        source.send(.authorization(.whenInUse))
        wrapper.startMonitoringLocation()
        await until { source.isStarted }
        source.send(.failure(LocationError(.positionUnavailable, "Under a bridge.")))
        await until { recorder.failures == 1 }
        #expect(wrapper.currentLocation == nil)

        source.move(to: try position(latitude: 48))
        await until { wrapper.currentLocation != nil }
        #expect(recorder.positions.isEmpty)

        recorder.followPositions(of: wrapper)
        source.move(to: try position(latitude: 49))
        await until { recorder.positions.map(\.latitude) == [49] }
    }

    @Test func `a timeout stops monitoring until a request with options`() async throws {
        source.send(.authorization(.whenInUse))
        wrapper.startMonitoringLocation(options: IONGLOCRequestOptionsModel(timeout: 50))
        await until { recorder.timeouts == 1 }
        await until { !source.isStarted }
        #expect(recorder.failures == 0)

        let starts = source.calls.count { $0 == .start }
        wrapper.startMonitoringLocation()
        #expect(source.calls.count { $0 == .start } == starts)

        wrapper.startMonitoringLocation(options: IONGLOCRequestOptionsModel(timeout: 60_000))
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { recorder.positions.count == 1 }
    }

    @Test func `a timeout ends a single request`() async {
        source.send(.authorization(.whenInUse))
        wrapper.requestSingleLocation(options: IONGLOCRequestOptionsModel(timeout: 50))
        await until { recorder.timeouts == 1 }
        await until { !source.isStarted }
        #expect(recorder.failures == 0)
    }

    @Test func `a configuration reaches the source, also while monitoring`() async {
        source.send(.authorization(.whenInUse))
        wrapper.updateConfiguration(IONGLOCConfigurationModel(enableHighAccuracy: false))
        wrapper.startMonitoringLocation()
        await until { source.isStarted }
        #expect(source.configuration?.isHighAccuracy == false)
        #expect(source.configuration?.minimumDistance == nil)

        wrapper.updateConfiguration(
            IONGLOCConfigurationModel(enableHighAccuracy: true, minimumUpdateDistanceInMeters: 10)
        )
        await until { source.configuration?.isHighAccuracy == true }
        #expect(source.configuration?.minimumDistance == .meters(10))

        wrapper.updateConfiguration(IONGLOCConfigurationModel(enableHighAccuracy: false))
        await until { source.configuration?.isHighAccuracy == false }
        #expect(source.configuration?.minimumDistance == .meters(10))
    }

    @Test func `services count as on until the service says otherwise`() async {
        source.setServicesEnabled(false)
        #expect(wrapper.areLocationServicesEnabled())
        await until { !wrapper.areLocationServicesEnabled() }
        source.setServicesEnabled(true)
        await until { wrapper.areLocationServicesEnabled() }
    }

    @Test func `a wrapper that is gone lets the source rest`() async {
        source.send(.authorization(.whenInUse))
        let source = MemorySource()
        var wrapper: IONGLOCManagerWrapper? = IONGLOCManagerWrapper(service: LocationProvider(source: source))
        wrapper?.startMonitoringLocation()
        await until { source.isStarted }
        wrapper = nil
        await until { !source.isStarted }
    }

    @Test func `a position's missing values are negative, but a missing heading is absent`() throws {
        let bare = IONGLOCPositionModel(try position(latitude: 48))
        #expect(bare.latitude == 48)
        #expect(bare.longitude == 11)
        #expect(bare.timestamp == 1_700_000_000_000)
        #expect(bare.altitude == 0)
        #expect(
            [bare.course, bare.speed, bare.horizontalAccuracy, bare.verticalAccuracy] == [-1, -1, -1, -1]
        )
        #expect(bare.magneticHeading == nil)
        #expect(bare.trueHeading == nil)
        #expect(bare.headingAccuracy == nil)

        var position = try position(latitude: 48)
        position.altitude = .meters(520)
        position.horizontalAccuracy = .meters(5)
        position.verticalAccuracy = .meters(8)
        position.course = .degrees(90)
        position.speed = .metersPerSecond(3)
        position.magneticHeading = .degrees(88)
        position.trueHeading = .degrees(91)
        position.headingAccuracy = 10
        let full = IONGLOCPositionModel(position)
        #expect([full.altitude, full.horizontalAccuracy, full.verticalAccuracy] == [520, 5, 8])
        #expect([full.course, full.speed] == [90, 3])
        #expect([full.magneticHeading, full.trueHeading, full.headingAccuracy] == [88, 91, 10])
        #expect(full != bare)
    }
}
