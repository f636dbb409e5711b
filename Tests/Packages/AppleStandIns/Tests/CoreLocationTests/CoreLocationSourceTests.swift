import CoreLocation
import Synchronization
import Testing
import YonderGeodesy
import YonderLocation

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct CoreLocationSourceTests {
    /// Keeps what a source tells.
    private final class Receiver: Sendable {
        private let kept = Mutex<[LocationSourceEvent]>([])

        var events: [LocationSourceEvent] { kept.withLock { $0 } }

        func receive(_ event: LocationSourceEvent) { kept.withLock { $0.append(event) } }

        var batches: [[Position]] {
            events.compactMap { event in
                guard case .positions(let positions) = event else { return nil }
                return positions
            }
        }

        var authorizations: [LocationAuthorization] {
            events.compactMap { event in
                guard case .authorization(let authorization) = event else { return nil }
                return authorization
            }
        }

        var failures: [LocationError] {
            events.compactMap { event in
                guard case .failure(let error) = event else { return nil }
                return error
            }
        }
    }

    private let manager = MockManager()
    private let source: CoreLocationSource
    private let receiver = Receiver()

    init() {
        source = CoreLocationSource(manager: manager)
        source.setReceiver(receiver.receive)
    }

    // MARK: Calls

    @Test func `it starts and stops positions and headings, each once`() {
        source.start()
        source.start()
        #expect(manager.calls == [.startUpdatingLocation, .startUpdatingHeading])
        source.stop()
        source.stop()
        #expect(manager.calls.suffix(2) == [.stopUpdatingLocation, .stopUpdatingHeading])
        source.start()
        #expect(manager.calls.count == 6)
    }

    @Test func `it wants to know of every degree that the device turns`() {
        #expect(manager.headingFilter == 1)
    }

    @Test func `it sets the accuracy and the distance`() {
        source.configure(SourceConfiguration(isHighAccuracy: true, minimumDistance: .meters(25)))
        #expect(manager.desiredAccuracy == kCLLocationAccuracyBest)
        #expect(manager.distanceFilter == 25)
        source.configure(SourceConfiguration(isHighAccuracy: false))
        #expect(manager.desiredAccuracy == kCLLocationAccuracyThreeKilometers)
        #expect(manager.distanceFilter == kCLDistanceFilterNone)
        #expect(manager.calls.isEmpty)
    }

    @Test func `calls from elsewhere reach the manager on the main thread`() async {
        await Task.detached { [source] in source.start() }.value
        while manager.calls.count < 2 { await Task.yield() }
        await Task.detached { [source] in source.stop() }.value
        while manager.calls.count < 4 { await Task.yield() }
        #expect(manager.wasAlwaysCalledOnMainQueue)
    }

    @Test func `the main thread's last command counts, even if earlier ones are still pending`() async {
        // The main thread is busy here, so the start waits.
        runElsewhere { [source] in
            source.configure(SourceConfiguration(isHighAccuracy: true))
            source.start()
        }
        source.stop()
        source.configure(SourceConfiguration(isHighAccuracy: false))
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(manager.calls.isEmpty)
        #expect(manager.desiredAccuracy == kCLLocationAccuracyThreeKilometers)
    }

    private func runElsewhere(_ action: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            action()
            done.signal()
        }
        done.wait()
    }

    @Test func `it asks the class of its manager whether services are on`() async {
        #expect(await source.areServicesEnabled() == false)
        #expect(await CoreLocationSource(manager: CLLocationManager()).areServicesEnabled() == true)
    }

    @Test func `a source that is gone leaves its manager stopped`() async {
        var source: CoreLocationSource? = CoreLocationSource(manager: manager)
        source?.start()
        source = nil
        #expect(manager.calls.suffix(2) == [.stopUpdatingLocation, .stopUpdatingHeading])
        #expect(manager.delegate == nil)

        source = CoreLocationSource(manager: manager)
        source = nil
        #expect(manager.calls.count == 4)
    }

    // MARK: Permission

    @Test func `it asks for what it is told to`() {
        source.requestAuthorization(.whenInUse)
        source.requestAuthorization(.always)
        #expect(manager.calls == [.requestWhenInUse, .requestAlways])
    }

    @Test func `it tells each change of the permission once`() {
        #expect(source.authorization == .notDetermined)
        manager.allow(.notDetermined)
        manager.allow(.authorizedWhenInUse)
        manager.allow(.authorizedWhenInUse)
        manager.allow(.authorizedAlways)
        manager.allow(.denied)
        manager.allow(.restricted)
        #expect(receiver.authorizations == [.whenInUse, .always, .denied, .restricted])
        #expect(source.authorization == .restricted)
    }

    // MARK: Positions

    @Test func `a location becomes a position`() throws {
        manager.find(
            CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: 48.1, longitude: 11.5),
                altitude: 520,
                horizontalAccuracy: 5,
                verticalAccuracy: 8,
                course: 90,
                speed: 3,
                timestamp: Date(timeIntervalSince1970: 1_700_000_000.123)
            )
        )
        let expected = Position(
            coordinate: try #require(Coordinate(latitude: 48.1, longitude: 11.5)),
            timestamp: Timestamp(milliseconds: 1_700_000_000_123),
            altitude: .meters(520),
            horizontalAccuracy: .meters(5),
            verticalAccuracy: .meters(8),
            course: .degrees(90),
            speed: .metersPerSecond(3)
        )
        #expect(receiver.batches == [[expected]])
    }

    @Test func `a negative value is absent`() throws {
        manager.find(.at(48))
        let position = try #require(receiver.batches.first?.first)
        #expect(position.altitude == nil)
        #expect(position.verticalAccuracy == nil)
        #expect(position.course == nil)
        #expect(position.speed == nil)
        #expect(position.horizontalAccuracy == .meters(10))
    }

    @Test func `a batch keeps its order, and loses what has no valid coordinate`() {
        func location(_ latitude: Double, accuracy: Double) -> CLLocation {
            CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: 11),
                altitude: 0,
                horizontalAccuracy: accuracy,
                verticalAccuracy: -1,
                timestamp: Date()
            )
        }
        manager.find(location(1, accuracy: 5), location(2, accuracy: -1), location(91, accuracy: 5), .at(3))
        manager.find(location(.nan, accuracy: 5))
        manager.find()
        #expect(receiver.batches.map { $0.map(\.coordinate.latitude) } == [[1, 3], [], []])
    }

    // MARK: Headings

    @Test func `a heading goes with the positions that follow it`() throws {
        source.start()
        manager.find(.at(48))
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        #expect(receiver.batches.count == 1)
        manager.find(.at(49), .at(50))

        let batch = try #require(receiver.batches.last)
        #expect(batch.map(\.magneticHeading) == [nil, .degrees(90)])
        #expect(batch.map(\.trueHeading) == [nil, .degrees(92)])
        #expect(batch.map(\.headingAccuracy) == [nil, 5])
    }

    @Test func `a heading before the first position, or while stopped, is dropped`() throws {
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        source.start()
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        manager.find(.at(48))
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        source.stop()
        manager.find(.at(49))
        #expect(receiver.batches.map { $0.first?.trueHeading } == [nil, nil])
    }

    @Test func `a heading from before a stop isn't told after the next start`() {
        source.start()
        manager.find(.at(48))
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        source.stop()
        manager.turn(to: MockHeading(magnetic: 91, true: 93, accuracy: 5))
        source.start()
        manager.find(.at(49))
        #expect(receiver.batches.map { $0.first?.trueHeading } == [nil, nil])
    }

    @Test func `a heading that isn't known is absent`() throws {
        source.start()
        manager.find(.at(48))
        manager.turn(to: MockHeading(magnetic: 90, true: -1, accuracy: -1))
        manager.find(.at(49))
        let position = try #require(receiver.batches.last?.first)
        #expect(position.magneticHeading == .degrees(90))
        #expect(position.trueHeading == nil)
        #expect(position.headingAccuracy == nil)
    }

    @Test func `a disturbed compass is no failure, but forgets`() {
        source.start()
        manager.find(.at(48))
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        manager.fail(CLError(.headingFailure))
        manager.find(.at(49))
        #expect(receiver.failures.isEmpty)
        #expect(receiver.batches.last?.first?.magneticHeading == nil)
    }

    // MARK: Failures

    @Test func `a failure says what kind it is, and what Core Location said`() {
        struct Other: Error {}
        manager.fail(CLError(.locationUnknown))
        manager.fail(CLError(.denied))
        manager.fail(CLError(.network))
        manager.fail(Other())
        #expect(
            receiver.failures.map(\.code) == [
                .positionUnavailable, .notAuthorized, .positionUnavailable, .positionUnavailable,
            ]
        )
        #expect((receiver.failures[1].underlying as? CLError)?.code == .denied)
        #expect(receiver.failures[3].underlying is Other)
    }

    @Test func `a source that is called from its own receiver goes on`() {
        source.setReceiver { [source, receiver] event in
            receiver.receive(event)
            if case .positions = event { source.stop() }
        }
        source.start()
        manager.find(.at(48))
        #expect(manager.calls.last == .stopUpdatingHeading)
        #expect(receiver.batches.count == 1)
    }
}
