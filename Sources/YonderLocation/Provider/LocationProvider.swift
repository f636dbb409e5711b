import Synchronization
public import YonderGeodesy

/// The location service over any source.
///
/// It powers the source up when somebody listens and down when nobody does, and configures it for all who do.
/// Everything else (timeouts, the cache, distances, queues) belongs to each provider: two never share anything.
public final class LocationProvider: LocationService {
    /// How long a position counts as present while the source runs, whatever maximum age a request gives: a second.
    public static let presentAge = LocationDesk.presentAge

    struct State {
        var desk: LocationDesk
        var requests: [LocationDesk.ListenerID: RequestSlot] = [:]
        /// Usually one for a watch; more if several tasks take from one iteration.
        var watchers: [LocationDesk.ListenerID: [CheckedContinuation<Void, Never>]] = [:]
        var authorizations: [Int: AsyncStream<LocationAuthorization>.Continuation] = [:]
        var lastNumber = 0
        var isCommanding = false
    }

    /// The two ends of a request meet here, whichever comes first.
    enum RequestSlot {
        case waiting(CheckedContinuation<Result<Position, LocationError>, Never>)
        case answered(Result<Position, LocationError>)
    }

    let state: Mutex<State>
    let time: ProviderTime
    private let source: any LocationSource

    /// Creates a service over a source that nobody else uses.
    ///
    /// - Parameters:
    ///   - source: Where positions come from.
    ///   - clock: What timeouts and stalls go by.
    ///   - timeOfDay: What the age of a position is measured by, against its own timestamp; `nil` is the system's.
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
        // What changed between the two lines above.
        change { [authorization = source.authorization] in $0.receive(.authorization(authorization), at: $1) }
    }

    deinit {
        // Whoever listens for positions keeps the service; whoever listens for permission doesn't.
        for other in state.withLock({ $0.authorizations.values }) { other.finish() }
    }

    /// Whether the device gives positions to any program at all; may take some time.
    public func areLocationServicesEnabled() async -> Bool {
        await source.areServicesEnabled()
    }

    /// What this program may do now.
    public var authorization: LocationAuthorization {
        state.withLock { $0.desk.authorization }
    }

    /// What this program may do now, then every change of it; a slow reader gets the newest.
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

    /// Asks for permission and waits for the answer; see ``LocationAuthorizing/requestAuthorization(_:)``.
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
    /// Changes the desk, has the source do what follows, and then tells those it concerns.
    func change(_ body: (inout LocationDesk, Moment) -> [LocationDesk.Effect]) {
        let told = state.withLock { state in
            body(&state.desk, time.now).compactMap { state.carryOut($0) }
        }
        command()
        for tell in told { tell() }
    }

    /// Has the source do what the desk wants, one thing after another, whichever thread it was decided on.
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
    /// The first command, if there is one and nobody commands yet; who does sees to all that follow.
    mutating func beginCommanding() -> LocationDesk.Command? {
        isCommanding ? nil : nextCommand()
    }

    mutating func nextCommand() -> LocationDesk.Command? {
        let command = desk.nextCommand()
        isCommanding = command != nil
        return command
    }

    /// What is to be called, once the lock is given back, for an effect to take place.
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
