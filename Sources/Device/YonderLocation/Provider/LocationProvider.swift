import Synchronization
public import YonderGeodesy

/// The location service over any source.
///
/// It starts the source for the first listener, stops it after the last, and configures it for all of them.
/// Timeouts, cache, distances and queues belong to each provider, and aren't shared between providers.
///
/// An app makes one for its source and keeps it; any task may request positions and read watches, at once and again. A
/// request throws a `LocationError`, and ends with its task; a watch has failures among its events. What to answer, and when
/// the source runs, is decided by `LocationDesk`: this class holds it in a mutex, and performs outside. One event is handled
/// after another, which must stay (`Documentation/location-apps.md`).
///
/// Only the performing is here, and may change as long as `SourceConformanceTests`, `PositionRequestTests` and
/// `WatchPowerTests` pass.
public final class LocationProvider: LocationService {
    /// The age up to which a position counts as current while the source runs, even if a request's maximum age is
    /// less: a second.
    public static let presentAge = LocationDesk.presentAge

    struct State {
        var desk: LocationDesk
        var requests: [LocationDesk.ListenerID: RequestSlot] = [:]
        /// Usually one per watch; more if several tasks read from one iteration.
        var watchers: [LocationDesk.ListenerID: [CheckedContinuation<Void, Never>]] = [:]
        var authorizations: [Int: AsyncStream<LocationAuthorization>.Continuation] = [:]
        var lastNumber = 0
        var isCommanding = false
    }

    /// The state of a request: either its waiter or its answer comes first.
    enum RequestSlot {
        case waiting(CheckedContinuation<Result<Position, LocationError>, Never>)
        case answered(Result<Position, LocationError>)
    }

    let state: Mutex<State>
    let time: ProviderTime
    private let source: any LocationSource

    /// Creates a service over a source that isn't used elsewhere.
    ///
    /// - Parameters:
    ///   - source: The source of positions.
    ///   - clock: The clock for timeouts and stalls.
    ///   - timeOfDay: The clock against which the timestamps of positions are measured; `nil` for the
    ///     system's.
    public init(
        source: any LocationSource,
        clock: any Clock<Duration> = ContinuousClock(),
        timeOfDay: (@Sendable () -> Timestamp)? = nil
    ) {
        self.source = source
        time = ProviderTime(clock, timeOfDay: timeOfDay)
        let desk = LocationDesk(
            authorization: source.authorization,
            skipsOldPositions: source.mayBeginWithOldPosition
        )
        state = Mutex(State(desk: desk))
        source.setReceiver { [weak self] event in
            self?.change { $0.receive(event, at: $1) }
        }
        // For a change between the two lines above.
        change { [authorization = source.authorization] in $0.receive(.authorization(authorization), at: $1) }
    }

    deinit {
        // A listener for positions keeps the service alive; a listener for permission doesn't.
        for other in state.withLock({ $0.authorizations.values }) { other.finish() }
    }

    /// Whether the device gives positions to any program at all; may need some time.
    public func areLocationServicesEnabled() async -> Bool {
        await source.areServicesEnabled()
    }

    /// The permission of this program.
    public var authorization: LocationAuthorization {
        state.withLock { $0.desk.authorization }
    }

    /// The permission of this program, then every change of it; a slow reader gets the newest.
    public var authorizationUpdates: AsyncStream<LocationAuthorization> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LocationAuthorization.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.withLock { state in
            state.lastNumber += 1
            state.authorizations[state.lastNumber] = continuation
            continuation.yield(state.desk.authorization)
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.authorizations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Requests permission and waits for the answer; see ``LocationAuthorizing/requestAuthorization(_:)``.
    public func requestAuthorization(_ request: AuthorizationRequest) async -> LocationAuthorization {
        source.requestAuthorization(request)
        for await authorization in authorizationUpdates where authorization != .notDetermined {
            return authorization
        }
        return authorization
    }
}

// The thin shell around the desk.
extension LocationProvider {
    /// Changes the desk, performs the resulting commands of the source, and then resumes the listeners
    /// concerned.
    func change(_ body: (inout LocationDesk, Moment) -> [LocationDesk.Effect]) {
        let told = state.withLock { state in
            body(&state.desk, time.now).compactMap { state.carryOut($0) }
        }
        command()
        for tell in told { tell() }
    }

    /// Performs the desk's commands one after another, even if several threads decided them.
    func command() {
        guard let first = state.withLock({ $0.beginCommanding() }) else { return }
        var next: LocationDesk.Command? = first
        while let command = next {
            perform(command)
            next = state.withLock { $0.nextCommand() }
        }
    }

    private func perform(_ command: LocationDesk.Command) {
        switch command {
        case .configure(let configuration): source.configure(configuration)
        case .start: source.start()
        case .stop: source.stop()
        }
    }
}

extension LocationProvider.State {
    /// The first command, unless there is none or another thread is performing commands, and will perform
    /// this one too.
    mutating func beginCommanding() -> LocationDesk.Command? {
        isCommanding ? nil : nextCommand()
    }

    mutating func nextCommand() -> LocationDesk.Command? {
        let command = desk.nextCommand()
        isCommanding = command != nil
        return command
    }

    /// The function to call after the lock is released, so that an effect takes place.
    mutating func carryOut(_ effect: LocationDesk.Effect) -> (() -> Void)? {
        switch effect {
        case .answer(let id, let result): answer(id, result)
        case .wake(let id):
            watchers.removeValue(forKey: id).map { waiters in { for waiter in waiters { waiter.resume() } } }
        case .authorization(let authorization):
            { [authorizations] in for other in authorizations.values { other.yield(authorization) } }
        }
    }

    private mutating func answer(
        _ id: LocationDesk.ListenerID,
        _ result: Result<Position, LocationError>
    ) -> (() -> Void)? {
        guard case .waiting(let waiter) = requests.removeValue(forKey: id) else {
            requests[id] = .answered(result)
            return nil
        }
        return { waiter.resume(returning: result) }
    }
}
