import Synchronization
public import YonderGeodesy

/// A source that sends the events it is given: the device of tests, previews and simulations.
///
/// ```swift
/// let source = MemorySource()
/// let service = LocationProvider(source: source)
/// source.move(to: position)
/// ```
///
/// Tests, previews and simulated phones make one and send it events; `LocationProvider` calls it as any source. Nothing
/// throws or is checked: an event is sent as it is given. It behaves as a receiver does where `SourceConformanceTests` says
/// so, and ``calls`` grows with each call, so it isn't for a long-lived program. Names are public, and samples and tests of
/// apps use them.
///
/// Further ways to misbehave may be added; the conformance suite holds what is here.
public final class MemorySource: LocationSource {
    /// A call that a source received.
    public enum Call: Hashable, Sendable {
        /// The source was configured.
        case configure(SourceConfiguration)

        /// The source was started.
        case start

        /// The source was stopped.
        case stop

        /// Permission was requested.
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

    /// Whether the first position after a start may be an old one; see
    /// ``LocationSource/mayBeginWithOldPosition``.
    public let mayBeginWithOldPosition: Bool

    /// Creates a source that isn't started.
    ///
    /// - Parameters:
    ///   - authorization: The permission at first.
    ///   - answer: The user's answer to a request while the permission isn't determined, or `nil` for no
    ///     answer.
    ///   - mayBeginWithOldPosition: Whether the first position after a start may be an old one.
    public init(
        authorization: LocationAuthorization = .whenInUse,
        answer: LocationAuthorization? = nil,
        mayBeginWithOldPosition: Bool = false
    ) {
        state = Mutex(State(authorization: authorization, answer: answer))
        self.mayBeginWithOldPosition = mayBeginWithOldPosition
    }

    /// Sends any event, whether started or not: a real source's event may still be under way when it is
    /// stopped.
    public func send(_ event: LocationSourceEvent) {
        if case .authorization(let authorization) = event {
            state.withLock { $0.authorization = authorization }
        }
        outlet.send(event)
    }

    /// Sends a position if the source is started and hasn't ended, as a real receiver would.
    public func move(to position: Position) {
        if state.withLock({ $0.isStarted && !$0.hasEnded }) { outlet.send(.positions([position])) }
    }

    /// Ends the source for good, and reports it now if it is started, and at every later start.
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

    /// Sets whether the device gives positions to any program at all; at first it does.
    public func setServicesEnabled(_ areEnabled: Bool) {
        state.withLock { $0.areServicesEnabled = areEnabled }
    }

    /// Whether the source is started.
    public var isStarted: Bool {
        state.withLock { $0.isStarted }
    }

    /// The last configuration, or `nil` if there was none.
    public var configuration: SourceConfiguration? {
        state.withLock { $0.configuration }
    }

    /// All calls received, in order; ``start()`` while started and ``stop()`` while stopped included.
    public var calls: [Call] {
        state.withLock { $0.calls }
    }

    /// The permission of this program.
    public var authorization: LocationAuthorization {
        state.withLock { $0.authorization }
    }

    /// The value set by ``setServicesEnabled(_:)``.
    public func areServicesEnabled() async -> Bool {
        state.withLock { $0.areServicesEnabled }
    }

    /// Sets the receiver of events.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        outlet.setReceiver(receiver)
    }

    /// Applies the answer that the source was created with.
    public func requestAuthorization(_ request: AuthorizationRequest) {
        let answer = state.withLock { state in
            state.calls.append(.requestAuthorization(request))
            return state.authorization == .notDetermined ? state.answer : nil
        }
        if let answer { send(.authorization(answer)) }
    }

    /// Stores the configuration.
    public func configure(_ configuration: SourceConfiguration) {
        state.withLock { state in
            state.calls.append(.configure(configuration))
            state.configuration = configuration
        }
    }

    /// Starts the source.
    public func start() {
        let saysEnd = state.withLock { state in
            state.calls.append(.start)
            defer { state.isStarted = true }
            return state.hasEnded && !state.isStarted
        }
        if saysEnd { sendEnd() }
    }

    /// Stops the source.
    public func stop() {
        state.withLock { state in
            state.calls.append(.stop)
            state.isStarted = false
        }
    }
}
