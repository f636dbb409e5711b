import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderLocation

/// What happens at the same instant, from within, or from many sides at once.
@Suite(.timeLimit(.minutes(20))) struct ContentionTests {
    private let bench = LocationBench()

    @Test func `canceled as its time is over, a request ends once`() async {
        for _ in 0..<200 {
            let request = await bench.waitingRequest()
            async let canceling: Void = request.cancel()
            bench.clock.advance(by: .seconds(5))
            await canceling
            let code = await request.value.code
            #expect(code == .canceled || code == .timedOut)
            #expect(!bench.source.isStarted)
            #expect(bench.clock.sleeperCount == 0)
        }
    }

    @Test func `requests that are begun, canceled, answered and late at random all end`() async throws {
        let position = try bench.position()
        let mover = Task { [bench] in
            while !Task.isCancelled {
                bench.source.move(to: position)
                bench.clock.advance(by: .milliseconds(300))
                await Task.yield()
            }
        }
        let ended = await withTaskGroup { group in
            for number in 0..<2000 {
                group.addTask { await outcome(ofRequest: number) }
            }
            return await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
        }
        mover.cancel()
        await mover.value
        #expect(ended == 2000)
        #expect(!bench.source.isStarted)
        #expect(bench.clock.sleeperCount == 0)
    }

    private func outcome(ofRequest number: Int) async -> Bool? {
        var random = SeededGenerator(seed: UInt64(number))
        let wish = PositionRequest(timeout: .milliseconds(Int.random(in: 0...1000, using: &random)))
        let request = Task { await bench.result(wish) }
        if Bool.random(using: &random) { await Task.yield() }
        if Bool.random(using: &random) { request.cancel() }
        let result = await request.value
        let codes: [LocationError.Code] = [.canceled, .timedOut]
        return result.position != nil ? true : result.code.flatMap { codes.contains($0) ? false : nil }
    }

    @Test func `a source that tells before its start has returned is heard`() async throws {
        let position = try bench.position()
        let source = HastySource(.positions([position]))
        let provider = LocationProvider(source: source)
        #expect(try await provider.position() == position)
        #expect(source.calls == ["configure", "start", "stop"])

        let iterator = provider.monitor().makeAsyncIterator()
        #expect(await iterator.next()?.position == position)
        #expect(source.calls.suffix(1) == ["start"])
    }

    @Test func `a source that ends before its start has returned ends who listens`() async throws {
        let source = HastySource(.failure(LocationError(.sourceEnded, "Over.")))
        let provider = LocationProvider(source: source)
        await #expect { try await provider.position() } throws: {
            ($0 as? LocationError)?.code == .sourceEnded
        }
        var failures: [LocationError.Code?] = []
        for await event in provider.monitor() { failures.append(event.failure?.code) }
        #expect(failures == [.sourceEnded])
        #expect(source.calls == ["configure", "start", "stop", "start", "stop"])
    }

    @Test func `stopped from within its loop, a watch ends`() async throws {
        let watch = bench.provider.monitor()
        let loop = Task {
            var count = 0
            for await _ in watch {
                count += 1
                watch.stop()
            }
            return count
        }
        await bench.sourceIsStarted()
        try bench.move(1)
        #expect(await loop.value == 1)
        #expect(!bench.source.isStarted)
    }

    @Test func `a service that nobody holds any more answers who waits`() async throws {
        let source = MemorySource()
        let clock = ManualClock()
        var provider: LocationProvider? = LocationProvider(source: source, clock: clock)
        let request = Task { [provider] in try await provider?.position() }
        await clock.waitForSleepers()
        provider = nil
        let position = try bench.position()
        source.move(to: position)
        #expect(try await request.value == position)
        #expect(!source.isStarted)
    }

    @Test func `updated while it stalls, a watch doesn't say so again`() async throws {
        let (watch, iterator) = bench.watch(minimumDistance: .meters(100))
        try bench.move(0)
        #expect(await iterator.next()?.position != nil)
        bench.clock.advance(by: .seconds(30))
        #expect(await iterator.next()?.isStalled == true)
        watch.update(MonitoringConfiguration(minimumDistance: .meters(200), stallInterval: .seconds(1)))
        bench.clock.advance(by: .seconds(2))
        try bench.move(1)
        // Near, and told all the same: positions have returned.
        #expect(await iterator.next()?.position == (try bench.position(1)))
        bench.clock.advance(by: .seconds(1))
        #expect(await iterator.next()?.isStalled == true)
    }

    @Test func `two tasks that take from one iteration share what comes, and both end`() async throws {
        let (watch, iterator) = bench.watch(stallInterval: nil)
        let takers = (0..<2).map { _ in
            Task {
                var count = 0
                while await iterator.next() != nil { count += 1 }
                return count
            }
        }
        for meters in 0..<50 {
            try bench.move(Double(meters))
            await Task.yield()
        }
        watch.stop()
        var taken = 0
        for taker in takers { taken += await taker.value }
        #expect(taken <= 50)
        #expect(!bench.source.isStarted)
    }

    @Test func `updated from many sides, a watch follows what it says it follows`() async {
        let (watch, iterator) = bench.watch(stallInterval: nil)
        for _ in 0..<200 {
            await withTaskGroup { group in
                for meters in 1...4 {
                    group.addTask {
                        watch.update(
                            MonitoringConfiguration(
                                minimumDistance: .meters(Double(meters)),
                                stallInterval: nil
                            )
                        )
                    }
                }
            }
            #expect(bench.source.configuration?.minimumDistance == watch.configuration.minimumDistance)
        }
        watch.stop()
        #expect(await iterator.next() == nil)
    }

    @Test func `a time of day that is set back doesn't make new positions old`() async throws {
        let clock = ManualClock()
        let timeOfDay = Mutex(LocationBench.beginning)
        let source = MemorySource(mayBeginWithOldPosition: true)
        let provider = LocationProvider(source: source, clock: clock) { timeOfDay.withLock { $0 } }
        let request = Task { try await provider.position() }
        await clock.waitForSleepers()
        let earlier = LocationBench.beginning - .seconds(3600)
        timeOfDay.withLock { $0 = earlier }
        var position = try bench.position()
        position.timestamp = earlier
        source.move(to: position)
        clock.advance(by: .seconds(5))
        #expect(try await request.value == position)
    }
}

/// A source that tells an event from within its start, and again from within its stop.
private final class HastySource: LocationSource {
    private let event: LocationSourceEvent
    private let state = Mutex((calls: [String](), receiver: (@Sendable (LocationSourceEvent) -> Void)?.none))

    init(_ event: LocationSourceEvent) {
        self.event = event
    }

    var calls: [String] { state.withLock { $0.calls } }

    var authorization: LocationAuthorization { .always }

    func areServicesEnabled() async -> Bool { true }

    func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        state.withLock { $0.receiver = receiver }
    }

    func requestAuthorization(_ request: AuthorizationRequest) {}

    func configure(_ configuration: SourceConfiguration) {
        state.withLock { $0.calls.append("configure") }
    }

    func start() { tell("start") }

    func stop() { tell("stop") }

    private func tell(_ call: String) {
        let receiver = state.withLock { state in
            state.calls.append(call)
            return state.receiver
        }
        receiver?(event)
    }
}
