import TestSupport
import Testing
import YonderGeodesy
import YonderLocation

/// A provider over a source in memory, whose time a test moves by hand.
struct LocationBench {
    static let beginning = Timestamp(milliseconds: 1_700_000_000_000)

    let clock = ManualClock()
    let source: MemorySource
    let provider: LocationProvider

    init(_ source: MemorySource = MemorySource()) {
        self.source = source
        provider = LocationProvider(source: source, clock: clock, timeOfDay: Self.timeOfDay(by: clock))
    }

    static func timeOfDay(by clock: ManualClock) -> @Sendable () -> Timestamp {
        { beginning + clock.now.offset }
    }

    /// The time of day.
    var now: Timestamp {
        Self.beginning + clock.now.offset
    }

    /// A position so many meters north of the beginning, now or some time ago.
    func position(_ meters: Double = 0, ago age: Duration = .zero) throws -> Position {
        let origin = try #require(Coordinate(latitude: 46, longitude: 14))
        return Position(
            coordinate: origin.destination(bearing: .north, distance: .meters(meters)),
            timestamp: now - age
        )
    }

    /// Begins a request, and returns when it waits.
    func waitingRequest(
        _ request: PositionRequest = PositionRequest()
    ) async -> Task<Result<Position, LocationError>, Never> {
        let sleepers = clock.sleeperCount
        let task = Task { await result(request) }
        await clock.waitForSleepers(sleepers + 1)
        return task
    }

    /// What comes of a request.
    func result(_ request: PositionRequest = PositionRequest()) async -> Result<Position, LocationError> {
        do throws(LocationError) {
            return .success(try await provider.position(request))
        } catch {
            return .failure(error)
        }
    }
}

extension Result where Success == Position, Failure == LocationError {
    var position: Position? { try? get() }

    var failure: LocationError? {
        if case .failure(let error) = self { error } else { nil }
    }

    var code: LocationError.Code? { failure?.code }
}

extension MonitoringEvent {
    var failure: LocationError? {
        if case .failure(let error) = self { error } else { nil }
    }

    var isStalled: Bool {
        if case .stalled = self { true } else { false }
    }
}

/// What a system says.
struct SystemComplaint: Error, Equatable {
    var number: Int
}

extension LocationBench {
    /// Returns when the source has been started by a task that runs.
    func sourceIsStarted() async {
        while !source.isStarted { await Task.yield() }
    }

    func watch(
        minimumDistance: Distance? = nil,
        stallInterval: Duration? = .seconds(30)
    ) -> (LocationWatch, LocationWatch.Iterator) {
        let configuration = MonitoringConfiguration(
            minimumDistance: minimumDistance,
            stallInterval: stallInterval
        )
        let watch = provider.monitor(configuration)
        return (watch, watch.makeAsyncIterator())
    }

    func move(_ meters: Double) throws {
        source.move(to: try position(meters))
    }

    /// Runs a watch in a task that records everything.
    func record(_ watch: LocationWatch) -> (Task<Void, Never>, Recorder<MonitoringEvent>) {
        let events = Recorder<MonitoringEvent>()
        let task = Task {
            for await event in watch { events.record(event) }
        }
        return (task, events)
    }
}
