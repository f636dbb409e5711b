import TestSupport
import Testing
import YonderGeodesy
import YonderLocation

@Suite(.timeLimit(.minutes(1))) struct MonitoringTests {
    private let bench = LocationBench()

    private func watch(
        minimumDistance: Distance? = nil,
        stallInterval: Duration? = .seconds(30)
    ) -> (LocationWatch, LocationWatch.Iterator) {
        let configuration = MonitoringConfiguration(
            minimumDistance: minimumDistance,
            stallInterval: stallInterval
        )
        let watch = bench.provider.monitor(configuration)
        return (watch, watch.makeAsyncIterator())
    }

    private func move(_ meters: Double) throws {
        bench.source.move(to: try bench.position(meters))
    }

    /// Runs a watch in a task that records everything.
    private func record(_ watch: LocationWatch) -> (Task<Void, Never>, Recorder<MonitoringEvent>) {
        let events = Recorder<MonitoringEvent>()
        let task = Task {
            for await event in watch { events.record(event) }
        }
        return (task, events)
    }

    // What is delivered.

    @Test func `positions are delivered as they come`() async throws {
        let (_, iterator) = watch()
        for meters in [0.0, 1, 1, 0] {
            let position = try bench.position(meters)
            bench.source.move(to: position)
            #expect(await iterator.next()?.position == position)
        }
    }

    @Test func `a reader that waits is woken by a position`() async throws {
        let (task, events) = record(bench.provider.monitor())
        await bench.sourceIsStarted()
        try move(1)
        await events.wait(for: 1)
        await bench.clock.waitForSleepers()
        try move(2)
        #expect(await events.wait(for: 2).count == 2)
        task.cancel()
        await task.value
    }

    @Test func `an update's batch delivers its latest by time`() async throws {
        let (_, iterator) = watch()
        let latest = try bench.position(2)
        let earlier = try bench.position(3, ago: .seconds(1))
        bench.source.send(.positions([earlier, try bench.position(1), latest, earlier]))
        #expect(await iterator.next()?.position == latest)
        try move(9)
        #expect(await iterator.next()?.position == (try bench.position(9)))
    }

    @Test func `the minimum distance is measured from the last delivered position`() async throws {
        let (_, iterator) = watch(minimumDistance: .meters(10))
        try move(0)
        #expect(await iterator.next()?.position == (try bench.position(0)))
        // Each near to the one before it, but the last far from the delivered one.
        for meters in [4.0, 8, 9.9, 10.1] { try move(meters) }
        #expect(await iterator.next()?.position == (try bench.position(10.1)))
        try move(0.2)
        try move(20.2)
        #expect(await iterator.next()?.position == (try bench.position(20.2)))
    }

    @Test func `the minimum distance is measured on the sphere`() async throws {
        let (_, iterator) = watch(minimumDistance: .kilometers(2))
        // Near a pole a hundred degrees of longitude are less than two kilometers, across the antimeridian too.
        for (latitude, longitude, isDelivered) in [
            (89.99, 170.0, true), (89.99, -90, false), (89.99, -10, true), (0, 179.99, true),
            (0, -179.999, false),
            (0, -179.99, true),
        ] {
            let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
            let position = Position(coordinate: coordinate, timestamp: bench.now)
            bench.source.move(to: position)
            if isDelivered { #expect(await iterator.next()?.position == position) }
        }
    }

    @Test func `every watch has its own minimum distance`() async throws {
        let (_, near) = watch(minimumDistance: .meters(1))
        let (_, far) = watch(minimumDistance: .meters(100))
        for meters in [0.0, 50, 100] {
            try move(meters)
            #expect(await near.next()?.position == (try bench.position(meters)))
            if meters != 50 { #expect(await far.next()?.position == (try bench.position(meters))) }
        }
    }

    @Test func `a slow reader finds the newest position and the newest failure`() async throws {
        let (_, iterator) = watch()
        try move(1)
        bench.source.send(.failure(LocationError(.sourceLost, "First.")))
        bench.source.send(.failure(LocationError(.sourceLost, "Second.")))
        try move(2)
        try move(3)
        #expect(await iterator.next()?.failure?.message == "Second.")
        #expect(await iterator.next()?.position == (try bench.position(3)))
        try move(4)
        bench.source.send(.failure(LocationError(.sourceLost, "Third.")))
        #expect(await iterator.next()?.position == (try bench.position(4)))
        #expect(await iterator.next()?.failure?.message == "Third.")
    }

    @Test func `a slow reader isn't told of a way out and back`() async throws {
        let (watch, iterator) = watch(minimumDistance: .meters(10))
        try move(0)
        #expect(await iterator.next()?.position != nil)
        try move(50)
        try move(5)
        watch.update(MonitoringConfiguration(minimumDistance: .meters(1)))
        #expect(await iterator.next()?.position == (try bench.position(5)))
    }

    @Test func `a watch that joins begins with the present position`() async throws {
        let (_, first) = watch()
        try move(1)
        #expect(await first.next()?.position != nil)
        let (_, second) = watch()
        #expect(await second.next()?.position == (try bench.position(1)))
        let events = bench.provider.monitor().makeAsyncIterator()
        bench.clock.advance(by: .seconds(2))
        let (_, third) = watch()
        try move(2)
        #expect(await third.next()?.position == (try bench.position(2)))
        #expect(await events.next()?.position == (try bench.position(2)))
    }

    // Trouble.

    @Test func `an error does not end a watch, and its cause is passed on`() async throws {
        let (_, iterator) = watch()
        for code: LocationError.Code in [.positionUnavailable, .sourceLost, .servicesDisabled] {
            let error = LocationError(code, "No.", underlying: SystemComplaint(number: 5))
            bench.source.send(.failure(error))
            let failure = await iterator.next()?.failure
            #expect(failure?.code == code)
            #expect(failure?.underlying as? SystemComplaint == SystemComplaint(number: 5))
            try move(1)
            #expect(await iterator.next()?.position != nil)
        }
        #expect(bench.source.isStarted)
    }

    @Test func `that there is no fix is told once until there is one`() async throws {
        let (_, iterator) = watch()
        for meters in [1.0, 2] {
            bench.source.send(.positions([]))
            #expect(await iterator.next()?.failure?.code == .positionUnavailable)
            bench.source.send(.positions([]))
            try move(meters)
            #expect(await iterator.next()?.position == (try bench.position(meters)))
        }
    }

    @Test func `a watch that stalls reports it once and recovers by itself`() async throws {
        let (_, events) = record(bench.provider.monitor())
        await bench.sourceIsStarted()
        bench.clock.advance(by: .seconds(100))
        try move(0)
        await bench.clock.waitForSleepers()
        let arrival = bench.now
        bench.clock.advance(by: .seconds(29))
        #expect(events.values.count == 1)
        bench.clock.advance(by: .seconds(1))
        await events.wait(for: 2)
        bench.clock.advance(by: .seconds(1000))
        try move(0)
        await events.wait(for: 3)
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(30))
        await events.wait(for: 4)
        #expect(events.values.map(\.isStalled) == [false, true, false, true])
        guard case .stalled(arrival) = events.values[1] else {
            Issue.record("The stall doesn't begin with the last position: \(events.values[1])")
            return
        }
    }

    @Test func `a device at rest does not stall`() async throws {
        let (task, events) = record(
            bench.provider.monitor(MonitoringConfiguration(minimumDistance: .meters(10)))
        )
        await bench.sourceIsStarted()
        try move(0)
        for _ in 0..<10 {
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .seconds(29))
            try move(1)
        }
        #expect(events.values.count == 1)
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(30))
        await events.wait(for: 2)
        try move(1)
        // All is well again, however near.
        await events.wait(for: 3)
        #expect(events.values.last?.position == (try bench.position(1)))
        task.cancel()
    }

    @Test func `a reader that was busy is told of a stall when it comes back`() async throws {
        let (_, iterator) = watch()
        try move(0)
        #expect(await iterator.next()?.position != nil)
        bench.clock.advance(by: .seconds(40))
        #expect(await iterator.next()?.isStalled == true)
    }

    @Test func `the first position after a failure is delivered whatever its distance`() async throws {
        let (_, iterator) = watch(minimumDistance: .meters(10))
        try move(0)
        #expect(await iterator.next()?.position != nil)
        bench.source.send(.failure(LocationError(.sourceLost, "Unplugged.")))
        #expect(await iterator.next()?.failure != nil)
        try move(1)
        #expect(await iterator.next()?.position == (try bench.position(1)))
        try move(2)
        try move(11.1)
        #expect(await iterator.next()?.position == (try bench.position(11.1)))
    }

    @Test func `a source that ends, ends a watch after what it had told`() async throws {
        let (_, iterator) = watch()
        try move(1)
        bench.source.end()
        try move(2)
        #expect(await iterator.next()?.position == (try bench.position(1)))
        #expect(await iterator.next()?.failure?.code == .sourceEnded)
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        #expect(!bench.source.isStarted)
    }

    @Test func `a watch is told that permission is denied, and goes on when it is granted`() async throws {
        let bench = LocationBench(MemorySource(authorization: .denied))
        let iterator = bench.provider.monitor().makeAsyncIterator()
        #expect(await iterator.next()?.failure?.code == .notAuthorized)
        bench.source.send(.authorization(.whenInUse))
        bench.source.move(to: try bench.position())
        #expect(await iterator.next()?.position != nil)
        bench.source.send(.authorization(.restricted))
        bench.source.send(.authorization(.restricted))
        #expect(await iterator.next()?.failure?.code == .notAuthorized)
        bench.source.send(.authorization(.always))
        bench.source.move(to: try bench.position())
        #expect(await iterator.next()?.position != nil)
    }

    // Power and configuration.

    @Test func `leaving the loop stops the source, and another loop starts it again`() async throws {
        let watch = bench.provider.monitor()
        #expect(bench.source.calls.isEmpty)
        for _ in 0..<2 {
            let task = Task {
                for await _ in watch { break }
            }
            await bench.sourceIsStarted()
            try move(1)
            await task.value
            #expect(!bench.source.isStarted)
            bench.clock.advance(by: .seconds(2))
        }
        #expect(bench.source.calls == [.configure(SourceConfiguration()), .start, .stop, .start, .stop])
    }

    @Test(arguments: [nil, Duration.seconds(30)])
    func `canceling the task ends the loop and stops the source`(stallInterval: Duration?) async throws {
        let (task, events) = record(
            bench.provider.monitor(MonitoringConfiguration(stallInterval: stallInterval))
        )
        await bench.sourceIsStarted()
        try move(1)
        await events.wait(for: 1)
        if stallInterval != nil { await bench.clock.waitForSleepers() }
        task.cancel()
        await task.value
        #expect(!bench.source.isStarted)
        #expect(bench.clock.sleeperCount == 0)
    }

    @Test func `stopping a watch ends its loops at once`() async throws {
        let watch = bench.provider.monitor()
        let (first, _) = record(watch)
        let (second, events) = record(watch)
        await bench.sourceIsStarted()
        try move(1)
        await events.wait(for: 1)
        watch.stop()
        await first.value
        await second.value
        #expect(!bench.source.isStarted)
    }

    @Test func `the source stops only when nobody listens`() async throws {
        let (first, firstIterator) = watch()
        let (second, iterator) = watch()
        first.stop()
        #expect(await firstIterator.next() == nil)
        #expect(bench.source.isStarted)
        let request = await bench.waitingRequest()
        second.stop()
        #expect(await iterator.next() == nil)
        #expect(bench.source.isStarted)
        try move(1)
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
        let (high, highIterator) = watch(minimumDistance: .meters(20), stallInterval: nil)
        expect(true, 20)
        let (stalling, stallingIterator) = watch(minimumDistance: .meters(30))
        expect(true, nil)
        stalling.stop()
        #expect(await stallingIterator.next() == nil)
        expect(true, 20)
        let request = await bench.waitingRequest()
        expect(true, nil)
        try move(0)
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
        let (task, events) = record(watch)
        await bench.sourceIsStarted()
        try move(0)
        await events.wait(for: 1)
        try move(50)
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
        let (task, events) = record(watch)
        await bench.sourceIsStarted()
        try move(0)
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
        let (watch, first) = watch()
        let second = watch.makeAsyncIterator()
        try move(1)
        #expect(await first.next()?.position != nil)
        #expect(await second.next()?.position != nil)
    }
}
