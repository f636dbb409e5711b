import TestSupport
import Testing
import YonderLocation

@Suite(.timeLimit(.minutes(20))) struct AuthorizationTests {
    @Test func `changes begin with what is allowed now`() async throws {
        let bench = LocationBench(MemorySource(authorization: .notDetermined))
        var updates = bench.provider.authorizationUpdates.makeAsyncIterator()
        #expect(await updates.next() == .notDetermined)
        bench.source.send(.authorization(.whenInUse))
        #expect(await updates.next() == .whenInUse)
        #expect(bench.provider.authorization == .whenInUse)
        // The same once more is no change.
        bench.source.send(.authorization(.whenInUse))
        bench.source.send(.authorization(.always))
        #expect(await updates.next() == .always)
    }

    @Test func `a slow reader of changes gets the newest`() async {
        let bench = LocationBench(MemorySource(authorization: .notDetermined))
        var updates = bench.provider.authorizationUpdates.makeAsyncIterator()
        for authorization: LocationAuthorization in [.whenInUse, .always, .restricted] {
            bench.source.send(.authorization(authorization))
        }
        #expect(await updates.next() == .restricted)
    }

    @Test func `changes end with the service`() async {
        var provider: LocationProvider? = LocationProvider(source: MemorySource())
        var updates = provider?.authorizationUpdates.makeAsyncIterator()
        provider = nil
        #expect(await updates?.next() == .whenInUse)
        #expect(await updates?.next() == nil)
    }

    @Test func `each reader of changes gets all of them`() async {
        let bench = LocationBench()
        var first = bench.provider.authorizationUpdates.makeAsyncIterator()
        var second = bench.provider.authorizationUpdates.makeAsyncIterator()
        bench.source.send(.authorization(.denied))
        #expect(await first.next() == .denied)
        #expect(await second.next() == .denied)
    }

    @Test func `a request for permission waits for the person's answer`() async {
        let bench = LocationBench(MemorySource(authorization: .notDetermined))
        let request = Task { await bench.provider.requestAuthorization(.always) }
        while bench.source.calls.isEmpty { await Task.yield() }
        bench.source.send(.authorization(.whenInUse))
        #expect(await request.value == .whenInUse)
        #expect(bench.source.calls == [.requestAuthorization(.always)])
    }

    @Test(arguments: LocationAuthorization.allCases)
    func `a request for permission answers what the person does`(answer: LocationAuthorization) async {
        guard answer != .notDetermined else { return }
        let bench = LocationBench(MemorySource(authorization: .notDetermined, answer: answer))
        #expect(await bench.provider.requestAuthorization(.whenInUse) == answer)
    }

    @Test func `a request for permission returns at once where it is decided`() async {
        let bench = LocationBench(MemorySource(authorization: .denied, answer: .always))
        #expect(await bench.provider.requestAuthorization(.whenInUse) == .denied)
    }

    @Test func `a canceled request for permission returns what is allowed`() async {
        let bench = LocationBench(MemorySource(authorization: .notDetermined))
        let request = Task { await bench.provider.requestAuthorization(.whenInUse) }
        while bench.source.calls.isEmpty { await Task.yield() }
        request.cancel()
        #expect(await request.value == .notDetermined)
    }

    @Test func `location services are as the source says`() async {
        let bench = LocationBench()
        #expect(await bench.provider.areLocationServicesEnabled())
        bench.source.setServicesEnabled(false)
        #expect(await bench.provider.areLocationServicesEnabled() == false)
    }
}
