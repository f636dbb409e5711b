import TestSupport
import Testing
import YonderGeodesy
import YonderLocation

@Suite(.timeLimit(.minutes(20))) struct MonitoringTests {
    private let bench = LocationBench()

    // What is delivered.

    @Test func `positions are delivered as they come`() async throws {
        let (_, iterator) = bench.watch()
        for meters in [0.0, 1, 1, 0] {
            let position = try bench.position(meters)
            bench.source.move(to: position)
            #expect(await iterator.next()?.position == position)
        }
    }

    @Test func `a reader that waits is woken by a position`() async throws {
        let (task, events) = bench.record(bench.provider.monitor())
        await bench.sourceIsStarted()
        try bench.move(1)
        await events.wait(for: 1)
        await bench.clock.waitForSleepers()
        try bench.move(2)
        #expect(await events.wait(for: 2).count == 2)
        task.cancel()
        await task.value
    }

    @Test func `an update's batch delivers its latest by time`() async throws {
        let (_, iterator) = bench.watch()
        let latest = try bench.position(2)
        let earlier = try bench.position(3, ago: .seconds(1))
        bench.source.send(.positions([earlier, try bench.position(1), latest, earlier]))
        #expect(await iterator.next()?.position == latest)
        try bench.move(9)
        #expect(await iterator.next()?.position == (try bench.position(9)))
    }

    @Test func `the minimum distance is measured from the last delivered position`() async throws {
        let (_, iterator) = bench.watch(minimumDistance: .meters(10))
        try bench.move(0)
        #expect(await iterator.next()?.position == (try bench.position(0)))
        // Each near to the one before it, but the last far from the delivered one.
        for meters in [4.0, 8, 9.9, 10.1] { try bench.move(meters) }
        #expect(await iterator.next()?.position == (try bench.position(10.1)))
        try bench.move(0.2)
        try bench.move(20.2)
        #expect(await iterator.next()?.position == (try bench.position(20.2)))
    }

    @Test func `the minimum distance is measured on the sphere`() async throws {
        let (_, iterator) = bench.watch(minimumDistance: .kilometers(2))
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
        let (_, near) = bench.watch(minimumDistance: .meters(1))
        let (_, far) = bench.watch(minimumDistance: .meters(100))
        for meters in [0.0, 50, 100] {
            try bench.move(meters)
            #expect(await near.next()?.position == (try bench.position(meters)))
            if meters != 50 { #expect(await far.next()?.position == (try bench.position(meters))) }
        }
    }

    @Test func `a slow reader finds the newest position and the newest failure`() async throws {
        let (_, iterator) = bench.watch()
        try bench.move(1)
        bench.source.send(.failure(LocationError(.sourceLost, "First.")))
        bench.source.send(.failure(LocationError(.sourceLost, "Second.")))
        try bench.move(2)
        try bench.move(3)
        #expect(await iterator.next()?.failure?.message == "Second.")
        #expect(await iterator.next()?.position == (try bench.position(3)))
        try bench.move(4)
        bench.source.send(.failure(LocationError(.sourceLost, "Third.")))
        #expect(await iterator.next()?.position == (try bench.position(4)))
        #expect(await iterator.next()?.failure?.message == "Third.")
    }

    @Test func `a slow reader isn't told of a way out and back`() async throws {
        let (watch, iterator) = bench.watch(minimumDistance: .meters(10))
        try bench.move(0)
        #expect(await iterator.next()?.position != nil)
        try bench.move(50)
        try bench.move(5)
        watch.update(MonitoringConfiguration(minimumDistance: .meters(1)))
        #expect(await iterator.next()?.position == (try bench.position(5)))
    }

    @Test func `a watch that joins begins with the present position`() async throws {
        let (_, first) = bench.watch()
        try bench.move(1)
        #expect(await first.next()?.position != nil)
        let (_, second) = bench.watch()
        #expect(await second.next()?.position == (try bench.position(1)))
        let events = bench.provider.monitor().makeAsyncIterator()
        bench.clock.advance(by: .seconds(2))
        let (_, third) = bench.watch()
        try bench.move(2)
        #expect(await third.next()?.position == (try bench.position(2)))
        #expect(await events.next()?.position == (try bench.position(2)))
    }

    // Trouble.

    @Test func `an error does not end a watch, and its cause is passed on`() async throws {
        let (_, iterator) = bench.watch()
        for code: LocationError.Code in [.positionUnavailable, .sourceLost, .servicesDisabled] {
            let error = LocationError(code, "No.", underlying: SystemComplaint(number: 5))
            bench.source.send(.failure(error))
            let failure = await iterator.next()?.failure
            #expect(failure?.code == code)
            #expect(failure?.underlying as? SystemComplaint == SystemComplaint(number: 5))
            try bench.move(1)
            #expect(await iterator.next()?.position != nil)
        }
        #expect(bench.source.isStarted)
    }

    @Test func `that there is no fix is told once until there is one`() async throws {
        let (_, iterator) = bench.watch()
        for meters in [1.0, 2] {
            bench.source.send(.positions([]))
            #expect(await iterator.next()?.failure?.code == .positionUnavailable)
            bench.source.send(.positions([]))
            try bench.move(meters)
            #expect(await iterator.next()?.position == (try bench.position(meters)))
        }
    }

    @Test func `a watch that stalls reports it once and recovers by itself`() async throws {
        let (_, events) = bench.record(bench.provider.monitor())
        await bench.sourceIsStarted()
        bench.clock.advance(by: .seconds(100))
        try bench.move(0)
        await bench.clock.waitForSleepers()
        let arrival = bench.now
        bench.clock.advance(by: .seconds(29))
        #expect(events.values.count == 1)
        bench.clock.advance(by: .seconds(1))
        await events.wait(for: 2)
        bench.clock.advance(by: .seconds(1000))
        try bench.move(0)
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
        let (task, events) = bench.record(
            bench.provider.monitor(MonitoringConfiguration(minimumDistance: .meters(10)))
        )
        await bench.sourceIsStarted()
        try bench.move(0)
        for _ in 0..<10 {
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .seconds(29))
            try bench.move(1)
        }
        #expect(events.values.count == 1)
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(30))
        await events.wait(for: 2)
        try bench.move(1)
        // All is well again, however near.
        await events.wait(for: 3)
        #expect(events.values.last?.position == (try bench.position(1)))
        task.cancel()
    }

    @Test func `a reader that was busy is told of a stall when it comes back`() async throws {
        let (_, iterator) = bench.watch()
        try bench.move(0)
        #expect(await iterator.next()?.position != nil)
        bench.clock.advance(by: .seconds(40))
        #expect(await iterator.next()?.isStalled == true)
    }

    @Test func `the first position after a failure is delivered whatever its distance`() async throws {
        let (_, iterator) = bench.watch(minimumDistance: .meters(10))
        try bench.move(0)
        #expect(await iterator.next()?.position != nil)
        bench.source.send(.failure(LocationError(.sourceLost, "Unplugged.")))
        #expect(await iterator.next()?.failure != nil)
        try bench.move(1)
        #expect(await iterator.next()?.position == (try bench.position(1)))
        try bench.move(2)
        try bench.move(11.1)
        #expect(await iterator.next()?.position == (try bench.position(11.1)))
    }

    @Test func `a source that ends, ends a watch after what it had told`() async throws {
        let (_, iterator) = bench.watch()
        try bench.move(1)
        bench.source.end()
        try bench.move(2)
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
}
