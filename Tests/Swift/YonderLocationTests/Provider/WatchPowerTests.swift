import TestSupport
import Testing
import YonderGeodesy
import YonderLocation

@Suite(.timeLimit(.minutes(20))) struct WatchPowerTests {
    private let bench = LocationBench()

    @Test func `leaving the loop stops the source, and another loop starts it again`() async throws {
        let watch = bench.provider.monitor()
        #expect(bench.source.calls.isEmpty)
        for _ in 0..<2 {
            let task = Task {
                for await _ in watch { break }
            }
            await bench.sourceIsStarted()
            try bench.move(1)
            await task.value
            #expect(!bench.source.isStarted)
            bench.clock.advance(by: .seconds(2))
        }
        #expect(bench.source.calls == [.configure(SourceConfiguration()), .start, .stop, .start, .stop])
    }

    @Test(arguments: [nil, Duration.seconds(30)])
    func `canceling the task ends the loop and stops the source`(stallInterval: Duration?) async throws {
        let (task, events) = bench.record(
            bench.provider.monitor(MonitoringConfiguration(stallInterval: stallInterval))
        )
        await bench.sourceIsStarted()
        try bench.move(1)
        await events.wait(for: 1)
        if stallInterval != nil { await bench.clock.waitForSleepers() }
        task.cancel()
        await task.value
        #expect(!bench.source.isStarted)
        #expect(bench.clock.sleeperCount == 0)
    }

    @Test func `stopping a watch ends its loops at once`() async throws {
        let watch = bench.provider.monitor()
        let (first, _) = bench.record(watch)
        let (second, events) = bench.record(watch)
        await bench.sourceIsStarted()
        try bench.move(1)
        await events.wait(for: 1)
        watch.stop()
        await first.value
        await second.value
        #expect(!bench.source.isStarted)
    }

    @Test func `the source stops only when nobody listens`() async throws {
        let (first, firstIterator) = bench.watch()
        let (second, iterator) = bench.watch()
        first.stop()
        #expect(await firstIterator.next() == nil)
        #expect(bench.source.isStarted)
        let request = await bench.waitingRequest()
        second.stop()
        #expect(await iterator.next() == nil)
        #expect(bench.source.isStarted)
        try bench.move(1)
        #expect(await request.value.position != nil)
        #expect(!bench.source.isStarted)
    }

    @Test func `the source is configured for all who listen`() async throws {
        let low = bench.provider.monitor(
            MonitoringConfiguration(isHighAccuracy: false, minimumDistance: .meters(50), stallInterval: nil)
        )
        let lowIterator = low.makeAsyncIterator()
        let expect = { (isHigh: Bool, meters: Double?) in
            let distance = meters.map(Distance.meters)
            let expected = SourceConfiguration(isHighAccuracy: isHigh, minimumDistance: distance)
            #expect(bench.source.configuration == expected)
        }
        expect(false, 50)
        let (high, highIterator) = bench.watch(minimumDistance: .meters(20), stallInterval: nil)
        expect(true, 20)
        let (stalling, stallingIterator) = bench.watch(minimumDistance: .meters(30))
        expect(true, nil)
        stalling.stop()
        #expect(await stallingIterator.next() == nil)
        expect(true, 20)
        let request = await bench.waitingRequest()
        expect(true, nil)
        try bench.move(0)
        _ = await request.value
        expect(true, 20)
        high.stop()
        expect(false, 50)
        low.update(MonitoringConfiguration(isHighAccuracy: true, stallInterval: nil))
        expect(true, nil)
        #expect(await lowIterator.next()?.position != nil)
        #expect(await highIterator.next() == nil)
        #expect(bench.source.calls.count { $0 == .start || $0 == .stop } == 1)
    }

    @Test func `a configuration changes while its watch runs`() async throws {
        let configuration = MonitoringConfiguration(minimumDistance: .meters(100), stallInterval: nil)
        let watch = bench.provider.monitor(configuration)
        let (task, events) = bench.record(watch)
        await bench.sourceIsStarted()
        try bench.move(0)
        await events.wait(for: 1)
        try bench.move(50)
        watch.update(MonitoringConfiguration(minimumDistance: .meters(20), stallInterval: .seconds(7)))
        // The position that was too near is near enough no longer, and the clock of the stall runs.
        await events.wait(for: 2)
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(7))
        await events.wait(for: 3)
        #expect(events.values.last?.isStalled == true)
        #expect(watch.configuration.minimumDistance == .meters(20))
        task.cancel()
    }

    @Test func `a stall interval that is set while the reader waits counts from the last position`()
        async throws
    {
        let watch = bench.provider.monitor(MonitoringConfiguration(stallInterval: nil))
        let (task, events) = bench.record(watch)
        await bench.sourceIsStarted()
        try bench.move(0)
        await events.wait(for: 1)
        bench.clock.advance(by: .seconds(20))
        watch.update(MonitoringConfiguration(stallInterval: .seconds(25)))
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(5))
        await events.wait(for: 2)
        #expect(events.values.last?.isStalled == true)
        task.cancel()
    }

    @Test func `a watch keeps its service, and nothing keeps a service without one`() async throws {
        let source = MemorySource()
        weak var service: LocationProvider?
        do {
            let provider = LocationProvider(source: source)
            service = provider
            let iterator = provider.monitor().makeAsyncIterator()
            source.move(to: try bench.position())
            #expect(await iterator.next()?.position != nil)
        }
        #expect(service == nil)
        #expect(!source.isStarted)
    }

    @Test func `two loops over one watch both get everything`() async throws {
        let (watch, first) = bench.watch()
        let second = watch.makeAsyncIterator()
        try bench.move(1)
        #expect(await first.next()?.position != nil)
        #expect(await second.next()?.position != nil)
    }
}
