import TestSupport
import Testing
import YonderGeodesy
import YonderLocation

@Suite(.timeLimit(.minutes(20))) struct PositionRequestTests {
    private let bench = LocationBench()

    // Time.

    @Test func `a request's timeout is its own`() async throws {
        let short = await bench.waitingRequest(PositionRequest(timeout: .seconds(2)))
        bench.clock.advance(by: .seconds(1))
        let long = await bench.waitingRequest(PositionRequest(timeout: .seconds(20)))
        bench.clock.advance(by: .seconds(1))
        #expect(await short.value.code == .timedOut)
        #expect(bench.source.isStarted)

        bench.clock.advance(by: .seconds(18))
        let position = try bench.position()
        bench.source.move(to: position)
        #expect(await long.value.position == position)
    }

    @Test func `a timeout is five seconds if none is given`() async throws {
        let request = await bench.waitingRequest()
        bench.clock.advance(by: .milliseconds(4999))
        #expect(bench.source.isStarted)
        bench.clock.advance(by: .milliseconds(1))
        #expect(await request.value.code == .timedOut)
        #expect(!bench.source.isStarted)
    }

    @Test func `a request that may not wait does not start the source`() async throws {
        #expect(await bench.result(PositionRequest(timeout: .zero)).code == .timedOut)
        #expect(await bench.result(PositionRequest(timeout: .seconds(-1))).code == .timedOut)
        #expect(bench.source.calls.isEmpty)
    }

    @Test func `a timeout that no clock could add is waited for`() async throws {
        let request = await bench.waitingRequest(PositionRequest(timeout: .seconds(Int64.max)))
        bench.source.move(to: try bench.position())
        #expect(await request.value.position != nil)
    }

    // Age.

    /// Leaves a position known whose age is five seconds, and the source off.
    private func leaveOldPosition() async throws -> Position {
        let request = await bench.waitingRequest()
        let position = try bench.position(ago: .seconds(2))
        bench.source.move(to: position)
        #expect(await request.value.position == position)
        bench.clock.advance(by: .seconds(3))
        return position
    }

    @Test func `a cached position is returned only if it is young enough`() async throws {
        let known = try await leaveOldPosition()
        let calls = bench.source.calls
        #expect(await bench.result(PositionRequest(maximumAge: .seconds(5))).position == known)
        #expect(bench.source.calls == calls)

        let request = await bench.waitingRequest(PositionRequest(maximumAge: .milliseconds(4999)))
        #expect(bench.source.isStarted)
        let new = try bench.position(1)
        bench.source.move(to: new)
        #expect(await request.value.position == new)
    }

    @Test func `with a maximum age of zero no position is cached once the source is off`() async throws {
        let first = await bench.waitingRequest()
        bench.source.move(to: try bench.position())
        #expect(await first.value.position != nil)
        #expect(await bench.result(PositionRequest(timeout: .zero)).code == .timedOut)
    }

    @Test func `a position from the future ages from when it arrived`() async throws {
        let first = await bench.waitingRequest()
        bench.source.move(to: try bench.position(ago: .seconds(-3600)))
        #expect(await first.value.position != nil)
        bench.clock.advance(by: .seconds(10))
        let wishes = [10, 9].map { PositionRequest(timeout: .zero, maximumAge: .seconds($0)) }
        #expect(await bench.result(wishes[0]).position != nil)
        #expect(await bench.result(wishes[1]).position == nil)
    }

    @Test func `a single request during monitoring answers at once with a young enough position`()
        async throws
    {
        let watch = bench.provider.monitor()
        let iterator = watch.makeAsyncIterator()
        let position = try bench.position()
        bench.source.move(to: position)
        let calls = bench.source.calls

        bench.clock.advance(by: LocationProvider.presentAge)
        #expect(await bench.result(PositionRequest(timeout: .zero)).position == position)
        bench.clock.advance(by: .milliseconds(1))
        #expect(await bench.result(PositionRequest(timeout: .zero)).code == .timedOut)
        let generous = PositionRequest(timeout: .zero, maximumAge: .seconds(2))
        #expect(await bench.result(generous).position == position)
        #expect(bench.source.calls == calls)
        #expect(await iterator.next()?.position == position)
    }

    @Test func `a position that the system kept from before answers only if it is young enough`() async throws
    {
        let bench = LocationBench(MemorySource(mayBeginWithOldPosition: true))
        let strict = await bench.waitingRequest()
        let generous = await bench.waitingRequest(PositionRequest(maximumAge: .seconds(60)))
        let old = try bench.position(1, ago: .seconds(50))
        bench.source.move(to: old)
        #expect(await generous.value.position == old)
        bench.clock.advance(by: .seconds(2))
        let new = try bench.position(2)
        bench.source.move(to: new)
        #expect(await strict.value.position == new)
    }

    @Test func `an update's batch answers with its latest by time`() async throws {
        let request = await bench.waitingRequest()
        let latest = try bench.position(2)
        let batch = [
            try bench.position(1, ago: .seconds(1)), latest, try bench.position(3, ago: .seconds(2)),
        ]
        bench.source.send(.positions(batch))
        #expect(await request.value.position == latest)
    }

    // Failures.

    @Test func `a failure ends a request, with its cause`() async throws {
        for code: LocationError.Code in [.sourceLost, .servicesDisabled, .sourceUnreadable, .notAuthorized] {
            let request = await bench.waitingRequest()
            let error = LocationError(code, "No.", underlying: SystemComplaint(number: 7))
            bench.source.send(.failure(error))
            let failure = await request.value.failure
            #expect(failure?.code == code)
            #expect(failure?.message == "No.")
            #expect(failure?.underlying as? SystemComplaint == SystemComplaint(number: 7))
            #expect(!bench.source.isStarted)
        }
    }

    @Test func `a request waits while no position is to be had yet`() async throws {
        let request = await bench.waitingRequest()
        bench.source.send(.positions([]))
        bench.source.send(.failure(LocationError(.positionUnavailable, "Indoors.")))
        let position = try bench.position()
        bench.source.move(to: position)
        #expect(await request.value.position == position)
    }

    @Test func `a timeout passes on what the source complained of last`() async throws {
        let request = await bench.waitingRequest()
        let complaint = SystemComplaint(number: 3)
        bench.source.send(.failure(LocationError(.positionUnavailable, "Indoors.", underlying: complaint)))
        bench.clock.advance(by: .seconds(5))
        let failure = await request.value.failure
        #expect(failure?.code == .timedOut)
        let underlying = try #require(failure?.underlying as? LocationError)
        #expect(underlying.code == .positionUnavailable)
        #expect(underlying.underlying as? SystemComplaint == complaint)

        let next = await bench.waitingRequest()
        bench.clock.advance(by: .seconds(5))
        #expect(await next.value.failure?.underlying == nil)
    }

    @Test func `a source that ends, ends a request`() async throws {
        let request = await bench.waitingRequest()
        bench.source.end()
        #expect(await request.value.code == .sourceEnded)
        #expect(await bench.result().code == .sourceEnded)
        #expect(!bench.source.isStarted)
    }

    @Test(arguments: [LocationAuthorization.denied, .restricted])
    func `without permission a request fails at once`(authorization: LocationAuthorization) async throws {
        let bench = LocationBench(MemorySource(authorization: authorization))
        #expect(await bench.result().code == .notAuthorized)
        #expect(bench.source.calls.isEmpty)
    }

    @Test func `a refusal ends a request that waits`() async throws {
        let request = await bench.waitingRequest()
        bench.source.send(.authorization(.denied))
        #expect(await request.value.code == .notAuthorized)
        #expect(!bench.source.isStarted)
    }

    @Test func `a request does not ask for permission, but waits for it`() async throws {
        let bench = LocationBench(MemorySource(authorization: .notDetermined, answer: .denied))
        let first = await bench.waitingRequest()
        bench.clock.advance(by: .seconds(5))
        #expect(await first.value.failure?.message.contains("Permission") == true)
        let second = await bench.waitingRequest()
        bench.source.send(.authorization(.whenInUse))
        bench.source.move(to: try bench.position())
        #expect(await second.value.position != nil)
        #expect(!bench.source.calls.contains(.requestAuthorization(.whenInUse)))
    }

    // Power.

    @Test func `a request powers the source up, and down when it is over`() async throws {
        let request = await bench.waitingRequest(PositionRequest(isHighAccuracy: false))
        bench.source.move(to: try bench.position())
        #expect(await request.value.position != nil)
        let configuration = SourceConfiguration(isHighAccuracy: false)
        #expect(bench.source.calls == [.configure(configuration), .start, .stop])
    }

    @Test func `canceling a task stops its request`() async throws {
        let request = await bench.waitingRequest()
        let other = await bench.waitingRequest()
        request.cancel()
        #expect(await request.value.code == .canceled)
        #expect(bench.source.isStarted)
        other.cancel()
        #expect(await other.value.code == .canceled)
        #expect(!bench.source.isStarted)
        #expect(bench.clock.sleeperCount == 0)
    }

    @Test func `a canceled task starts no request`() async throws {
        let task = Task { [bench] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await bench.result()
        }
        #expect(await task.value.code == .canceled)
        #expect(bench.source.calls.isEmpty)
    }

    @Test func `the source stays on when one request ends as another has begun`() async throws {
        let first = await bench.waitingRequest(PositionRequest(timeout: .seconds(1)))
        let second = await bench.waitingRequest()
        bench.clock.advance(by: .seconds(1))
        #expect(await first.value.code == .timedOut)
        let third = await bench.waitingRequest()
        second.cancel()
        _ = await second.value
        bench.source.move(to: try bench.position())
        #expect(await third.value.position != nil)
        #expect(bench.source.calls == [.configure(SourceConfiguration()), .start, .stop])
    }

    @Test func `two providers share nothing`() async throws {
        let other = LocationBench()
        let request = await bench.waitingRequest()
        other.source.send(.positions([try other.position()]))
        other.source.send(.authorization(.denied))
        #expect(other.source.calls.isEmpty)
        #expect(bench.provider.authorization == .whenInUse)
        bench.clock.advance(by: .seconds(5))
        #expect(await request.value.code == .timedOut)
    }
}
