import Combine
import CoreLocation
import Testing
import YonderGeodesy
import YonderLocation

/// The whole way: a manager's delegate calls, the source, the provider, and who listens to it.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct CoreLocationProviderTests {
    private let manager = MockManager()
    private let provider: LocationProvider

    init() {
        manager.status = .authorizedWhenInUse
        provider = LocationProvider(source: CoreLocationSource(manager: manager))
    }

    /// Waits until the manager was told so; the test's time limit ends a vain wait.
    private func called(_ call: MockManager.Call, times: Int = 1) async {
        while manager.calls.count(where: { $0 == call }) < times, !Task.isCancelled { await Task.yield() }
    }

    @Test func `one position powers Core Location up and down`() async throws {
        async let position = provider.position(PositionRequest(timeout: .seconds(50)))
        await called(.startUpdatingLocation)
        manager.find(.at(48, time: Date()))
        #expect(try await position.coordinate.latitude == 48)
        await called(.stopUpdatingLocation)
        #expect(manager.wasAlwaysCalledOnMainQueue)
    }

    @Test func `the old position with which Core Location begins isn't taken for a new one`() async throws {
        async let position = provider.position(PositionRequest(timeout: .seconds(50)))
        await called(.startUpdatingLocation)
        manager.find(.at(47, time: Date(timeIntervalSinceNow: -3600)))
        manager.find(.at(48, time: Date()))
        #expect(try await position.coordinate.latitude == 48)
    }

    @Test func `a refusal ends a request, with Core Location's own error`() async {
        async let position = provider.position(PositionRequest(timeout: .seconds(50)))
        await called(.startUpdatingLocation)
        manager.fail(CLError(.denied))
        do {
            _ = try await position
            Issue.record("no error")
        } catch let error as LocationError {
            #expect(error.code == .notAuthorized)
            #expect((error.underlying as? CLError)?.code == .denied)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `a watch goes on after a failure, and gets headings`() async {
        let watch = provider.monitor(MonitoringConfiguration(isHighAccuracy: false, stallInterval: nil))
        let task = Task {
            var told: [String] = []
            for await event in watch {
                switch event {
                case .position(let position):
                    let heading = position.trueHeading.map { " \($0.degrees)" } ?? ""
                    told.append("\(position.coordinate.latitude)\(heading)")
                case .failure(let error): told.append(error.code.rawValue)
                case .stalled: told.append("stalled")
                }
                if told.count == 1 { failAndReturn() }
                if told.last?.hasPrefix("49") == true { return told }
            }
            return told
        }
        await called(.startUpdatingLocation)
        #expect(manager.desiredAccuracy == kCLLocationAccuracyThreeKilometers)
        manager.find(.at(48, time: Date()))
        #expect(await task.value == ["48.0", "positionUnavailable", "49.0 92.0"])
        await called(.stopUpdatingLocation)
    }

    private func failAndReturn() {
        manager.fail(CLError(.locationUnknown))
        manager.find(.at(49, time: Date()))
        manager.turn(to: MockHeading(magnetic: 90, true: 92, accuracy: 5))
        manager.find(.at(49, time: Date()))
    }

    @Test func `permission is asked for on the main thread and answered`() async {
        manager.status = .notDetermined
        let provider = LocationProvider(source: CoreLocationSource(manager: manager))
        #expect(provider.authorization == .notDetermined)
        async let answer = provider.requestAuthorization(.always)
        await called(.requestAlways)
        manager.allow(.authorizedAlways)
        #expect(await answer == .always)
        #expect(manager.wasAlwaysCalledOnMainQueue)
    }

    @Test func `positions come as a publisher of the module that is named Combine`() async {
        var subscription: AnyCancellable?
        let position: Position? = await withCheckedContinuation { done in
            subscription = provider.monitoringPublisher()
                .compactMap(\.position)
                .first()
                .sink { done.resume(returning: $0) }
            Task {
                await called(.startUpdatingLocation)
                manager.find(.at(48, time: Date()))
            }
        }
        subscription?.cancel()
        #expect(position?.coordinate.latitude == 48)
    }
}
