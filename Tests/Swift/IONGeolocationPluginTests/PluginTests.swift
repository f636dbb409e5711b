import Foundation
import IONGeolocationLib
import Testing
import YonderGeodesy
import YonderLocation

/// The library as its two users have it: plug-ins in Swift 5, which know its public names alone.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct PluginTests {
    let source = MemorySource(authorization: .notDetermined, answer: .whenInUse)
    let wrapper: IONGLOCManagerWrapper

    init() {
        wrapper = IONGLOCManagerWrapper(service: LocationProvider(source: source))
    }

    private static let patient = ["timeout": 3_600_000]

    @Test func `Capacitor: one position waits for the permission, and has one answer`() async throws {
        let plugin = CapacitorLikeness(wrapper)
        let call = CapacitorCall(Self.patient)
        plugin.getCurrentPosition(call)
        await until { source.isStarted }
        #expect(source.calls.contains(.requestAuthorization(.whenInUse)))
        source.move(to: try position(latitude: 48))
        await until { !call.resolved.isEmpty }
        #expect(call.resolved.map { $0["latitude"] } == [48])
        #expect(call.resolved.first?["altitude"] == nil && call.resolved.first?["heading"] == nil)
        #expect(call.rejected.isEmpty)
        await until { !source.isStarted }
    }

    @Test func `Capacitor: a watch has every position until it is cleared`() async throws {
        source.send(.authorization(.whenInUse))
        await until { wrapper.authorisationStatus == .authorisedWhenInUse }
        let plugin = CapacitorLikeness(wrapper)
        let (watch, single) = (CapacitorCall(Self.patient), CapacitorCall(Self.patient))
        plugin.watchPosition(watch, id: "1")
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { watch.resolved.count == 1 }
        plugin.getCurrentPosition(single)
        #expect(single.resolved.count == 1)
        let known = watch.resolved.count
        source.move(to: try position(latitude: 49))
        await until { watch.resolved.count == known + 1 }
        #expect(single.resolved.count == 1)
        plugin.clearWatch(id: "1")
        await until { !source.isStarted }
        #expect(watch.keepAlive && watch.rejected.isEmpty)
    }

    @Test(arguments: [
        (LocationAuthorization.denied, "OS-PLUG-GLOC-0003"), (.restricted, "OS-PLUG-GLOC-0008"),
    ])
    func `Capacitor: a refused permission has a code`(_ answer: LocationAuthorization, code: String) async {
        source.send(.authorization(answer))
        await until { wrapper.authorisationStatus != .notDetermined }
        let call = CapacitorCall()
        CapacitorLikeness(wrapper).getCurrentPosition(call)
        #expect(call.rejected.map(\.rawValue) == [code])
    }

    @Test func `Capacitor: a timeout ends the calls with its code, and the next call begins afresh`()
        async throws
    {
        source.send(.authorization(.whenInUse))
        await until { wrapper.authorisationStatus == .authorisedWhenInUse }
        let plugin = CapacitorLikeness(wrapper)
        let (late, next) = (CapacitorCall(["timeout": 1]), CapacitorCall(Self.patient))
        plugin.watchPosition(late, id: "1")
        await until { !late.rejected.isEmpty }
        #expect(late.rejected == [.timeout])
        plugin.getCurrentPosition(next)
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { !next.resolved.isEmpty }
        #expect(late.resolved.isEmpty)
    }

    @Test func `Cordova: a position is JSON of eight numbers, and a failure doesn't end what follows`()
        async throws
    {
        let plugin = CordovaLikeness(wrapper)
        plugin.getCurrentPosition(callback: "a")
        await until { source.isStarted }
        source.move(to: try position(latitude: 48))
        await until { plugin.results.count == 1 }
        let json = try JSONSerialization.jsonObject(with: Data(plugin.results[0].json.utf8))
        let numbers = try #require(json as? [String: Double])
        #expect(numbers["latitude"] == 48 && numbers["timestamp"] == 1_700_000_000_000 && numbers.count == 8)

        plugin.watchPosition(callback: "b", id: "1")
        await until { source.isStarted }
        source.send(.failure(LocationError(.positionUnavailable, "Nothing found.")))
        await until { plugin.results.count == 2 }
        #expect(plugin.results[1].isError && plugin.results[1].json.contains("OS-PLUG-GLOC-0002"))
        plugin.watchPosition(callback: "c", id: "2")
        source.move(to: try position(latitude: 49))
        await until { plugin.results.count == 3 }
        #expect(plugin.results[2].callback == "c" && plugin.results[2].isKept)
        plugin.clearWatch(callback: "d", id: "2")
        plugin.clearWatch(callback: "e", id: "2")
        #expect(plugin.results.suffix(2).map(\.isError) == [false, true])
        await until { !source.isStarted }
    }

    @Test func `Cordova: a refusal of the permission answers the command that asked for it`() async {
        let refusing = MemorySource(authorization: .notDetermined, answer: .denied)
        let plugin = CordovaLikeness(IONGLOCManagerWrapper(service: LocationProvider(source: refusing)))
        plugin.getCurrentPosition(callback: "a")
        await until { !plugin.results.isEmpty }
        #expect(plugin.results.map(\.json) == [#"{"code":"OS-PLUG-GLOC-0003"}"#])
    }

    private func position(latitude: Double) throws -> Position {
        Position(
            coordinate: try #require(Coordinate(latitude: latitude, longitude: 11)),
            timestamp: Timestamp(milliseconds: 1_700_000_000_000)
        )
    }
}

/// Lets others run on the main thread until a condition holds; the test's time limit ends a vain wait.
@MainActor private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
