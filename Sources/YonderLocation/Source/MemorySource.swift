import Synchronization
public import YonderGeodesy

/// A source that tells what it is given: the device of tests, previews and simulations.
///
/// ```swift
/// let source = MemorySource()
/// let service = LocationProvider(source: source)
/// source.move(to: position)
/// ```
public final class MemorySource: LocationSource {
    /// What a source was told to do.
    public enum Call: Hashable, Sendable {
        /// It was configured.
        case configure(SourceConfiguration)

        /// It was powered up.
        case start

        /// It was powered down.
        case stop

        /// It was asked for permission.
        case requestAuthorization(AuthorizationRequest)
    }

    private struct State {
        var authorization: LocationAuthorization
        var areServicesEnabled = true
        var answer: LocationAuthorization?
        var isStarted = false
        var hasEnded = false
        var configuration: SourceConfiguration?
        var calls: [Call] = []
    }

    private let state: Mutex<State>
    private let outlet = SourceOutlet()

    /// Whether its first position after a start may be an old one; see
    /// ``LocationSource/mayBeginWithOldPosition``.
    public let mayBeginWithOldPosition: Bool

    /// Creates a source that isn't started.
    ///
    /// - Parameters:
    ///   - authorization: What the program may do at first.
    ///   - answer: What the person answers when asked for permission while that isn't determined, or `nil` if they
    ///     don't answer.
    ///   - mayBeginWithOldPosition: Whether its first position after a start may be an old one.
    public init(
        authorization: LocationAuthorization = .whenInUse,
        answer: LocationAuthorization? = nil,
        mayBeginWithOldPosition: Bool = false
    ) {
        state = Mutex(State(authorization: authorization, answer: answer))
        self.mayBeginWithOldPosition = mayBeginWithOldPosition
    }

    /// Tells any event, whether started or not: a real source's may still be on its way when it is stopped.
    public func send(_ event: LocationSourceEvent) {
        if case .authorization(let authorization) = event {
            state.withLock { $0.authorization = authorization }
        }
        outlet.send(event)
    }

    /// Tells where the device is now if it is started and hasn't ended, as a real receiver would.
    public func move(to position: Position) {
        if state.withLock({ $0.isStarted && !$0.hasEnded }) { outlet.send(.positions([position])) }
    }

    /// Ends for good: it says so if it is started, and whenever it is started from now on.
    public func end() {
        let isStarted = state.withLock { state in
            state.hasEnded = true
            return state.isStarted
        }
        if isStarted { sendEnd() }
    }

    private func sendEnd() {
        outlet.send(.failure(LocationError(.sourceEnded, "The source has ended.")))
    }

    /// Says whether the device gives positions to any program at all; at first it does.
    public func setServicesEnabled(_ areEnabled: Bool) {
        state.withLock { $0.areServicesEnabled = areEnabled }
    }

    /// Whether it is powered up.
    public var isStarted: Bool {
        state.withLock { $0.isStarted }
    }

    /// How it was configured last, or `nil` if it never was.
    public var configuration: SourceConfiguration? {
        state.withLock { $0.configuration }
    }

    /// Everything it was told to do, in order; ``start()`` while started and ``stop()`` while stopped included.
    public var calls: [Call] {
        state.withLock { $0.calls }
    }

    /// What the program may do now.
    public var authorization: LocationAuthorization {
        state.withLock { $0.authorization }
    }

    /// What ``setServicesEnabled(_:)`` said.
    public func areServicesEnabled() async -> Bool {
        state.withLock { $0.areServicesEnabled }
    }

    /// Says who is told.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        outlet.setReceiver(receiver)
    }

    /// Asks the person it was created with.
    public func requestAuthorization(_ request: AuthorizationRequest) {
        let answer = state.withLock { state in
            state.calls.append(.requestAuthorization(request))
            return state.authorization == .notDetermined ? state.answer : nil
        }
        if let answer { send(.authorization(answer)) }
    }

    /// Keeps the configuration for whoever looks.
    public func configure(_ configuration: SourceConfiguration) {
        state.withLock { state in
            state.calls.append(.configure(configuration))
            state.configuration = configuration
        }
    }

    /// Powers up.
    public func start() {
        let saysEnd = state.withLock { state in
            state.calls.append(.start)
            defer { state.isStarted = true }
            return state.hasEnded && !state.isStarted
        }
        if saysEnd { sendEnd() }
    }

    /// Powers down.
    public func stop() {
        state.withLock { state in
            state.calls.append(.stop)
            state.isStarted = false
        }
    }
}
