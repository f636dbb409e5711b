import TestSupport
import Testing
import YonderGeodesy
import YonderLocation

@Suite(.timeLimit(.minutes(20))) struct PublisherTests {
    private let bench = LocationBench()

    /// A subscriber that asks for values by hand.
    private final class Asker<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
        // Safe because the subscription is set before anything else happens.
        private var subscription: (any Subscription)?
        let values = Recorder<Input>()
        let ends = Recorder<Subscribers.Completion<Failure>>()

        func receive(subscription: any Subscription) {
            self.subscription = subscription
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            values.record(input)
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            ends.record(completion)
        }

        func ask(_ count: Int) {
            subscription?.request(.max(count))
        }

        func cancel() {
            subscription?.cancel()
        }
    }

    @Test func `a position is published once, and that is all`() async throws {
        let asker = Asker<Position, LocationError>()
        bench.provider.positionPublisher().subscribe(asker)
        #expect(!bench.source.isStarted)
        asker.ask(1)
        await bench.sourceIsStarted()
        let position = try bench.position()
        bench.source.move(to: position)
        await asker.ends.wait(for: 1)
        #expect(asker.values.values == [position])
        #expect(!bench.source.isStarted)
    }

    @Test func `a position that fails is published as a failure`() async {
        let asker = Asker<Position, LocationError>()
        bench.provider.positionPublisher(PositionRequest(timeout: .zero)).subscribe(asker)
        asker.ask(1)
        guard case .failure(let error) = await asker.ends.wait(for: 1).first else {
            Issue.record("A timeout isn't published.")
            return
        }
        #expect(error.code == .timedOut)
    }

    @Test func `canceling the subscription stops the request`() async {
        let asker = Asker<Position, LocationError>()
        bench.provider.positionPublisher().subscribe(asker)
        asker.ask(1)
        await bench.clock.waitForSleepers()
        asker.cancel()
        while bench.source.isStarted { await Task.yield() }
        #expect(asker.ends.values.isEmpty)
    }

    @Test func `each subscription asks anew`() async throws {
        let publisher = bench.provider.positionPublisher()
        for meters in [1.0, 2] {
            let asker = Asker<Position, LocationError>()
            publisher.subscribe(asker)
            asker.ask(1)
            await bench.sourceIsStarted()
            bench.source.move(to: try bench.position(meters))
            #expect(await asker.values.wait(for: 1) == [try bench.position(meters)])
            await asker.ends.wait(for: 1)
        }
    }

    @Test func `a watch is published as long as somebody subscribes`() async throws {
        let values = Recorder<MonitoringEvent>()
        var subscriptions: [AnyCancellable] = []
        bench.provider.monitoringPublisher().sink { values.record($0) }.store(in: &subscriptions)
        #expect(bench.source.isStarted)
        bench.source.move(to: try bench.position(1))
        await values.wait(for: 1)
        bench.source.send(.failure(LocationError(.sourceLost, "Unplugged.")))
        await values.wait(for: 2)
        bench.source.move(to: try bench.position(2))
        await values.wait(for: 3)
        #expect(values.values.map { $0.position != nil } == [true, false, true])
        subscriptions = []
        while bench.source.isStarted { await Task.yield() }
    }

    @Test func `a watch gives no more than was asked for, and then the newest`() async throws {
        let asker = Asker<MonitoringEvent, Never>()
        let watch = bench.provider.monitor()
        watch.publisher.subscribe(asker)
        for meters in [1.0, 2, 3] { bench.source.move(to: try bench.position(meters)) }
        asker.ask(1)
        await asker.values.wait(for: 1)
        for meters in [4.0, 5] { bench.source.move(to: try bench.position(meters)) }
        asker.ask(2)
        await asker.values.wait(for: 2)
        bench.source.move(to: try bench.position(6))
        let values = await asker.values.wait(for: 3)
        #expect(values.map(\.position) == [3, 5, 6].map { try? bench.position($0) })
        asker.ask(1)
        watch.stop()
        await asker.ends.wait(for: 1)
        #expect(!bench.source.isStarted)
    }

    @Test func `nothing is taken that wasn't asked for`() async {
        let taken = Recorder<Int>()
        let watch = LocationWatch(MonitoringConfiguration()) { _ in
            LocationWatch.Listener {
                taken.record(0)
                return .stalled(since: LocationBench.beginning)
            } update: { _ in
            } end: {
            }
        }
        let asker = Asker<MonitoringEvent, Never>()
        watch.publisher.subscribe(asker)
        asker.ask(2)
        await asker.values.wait(for: 2)
        for _ in 0..<1000 { await Task.yield() }
        #expect(taken.values.count == 2)
        asker.cancel()
    }

    @Test func `canceled from within, a subscription gets no more`() async throws {
        let values = Recorder<Position>()
        let subscription = bench.provider.monitoringPublisher().compactMap(\.position).first()
            .sink { values.record($0) }
        bench.source.move(to: try bench.position(1))
        await values.wait(for: 1)
        while bench.source.isStarted { await Task.yield() }
        subscription.cancel()
        #expect(values.values.count == 1)
    }

    @Test func `permission and its changes are published`() async {
        let bench = LocationBench(MemorySource(authorization: .notDetermined, answer: .always))
        let values = Recorder<LocationAuthorization>()
        let changes = bench.provider.authorizationPublisher.sink { values.record($0) }
        await values.wait(for: 1)
        let answers = Recorder<LocationAuthorization>()
        let request = bench.provider.authorizationRequestPublisher(.always).sink { answers.record($0) }
        #expect(await answers.wait(for: 1) == [.always])
        #expect(await values.wait(for: 2) == [.notDetermined, .always])
        changes.cancel()
        request.cancel()
    }

    @Test func `whether services are on is published`() async {
        let values = Recorder<Bool>()
        bench.source.setServicesEnabled(false)
        let subscription = bench.provider.servicesEnabledPublisher.sink { values.record($0) }
        #expect(await values.wait(for: 1) == [false])
        subscription.cancel()
    }
}
