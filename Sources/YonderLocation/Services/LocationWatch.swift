import Synchronization

/// Positions as they come: iterate over it to start, leave the loop to stop.
///
/// It never throws, and an error doesn't end it; it ends when its task is canceled, when it is stopped, or after the
/// source has ended (``LocationError/Code/sourceEnded``). Each iteration is a listener of its own that gets
/// everything; all of them follow one configuration.
///
/// What a slow reader hasn't taken is bounded: the newest position, and the newest failure. Older ones are dropped.
public final class LocationWatch: AsyncSequence, Sendable {
    /// What a watch tells.
    public typealias Element = MonitoringEvent

    /// It never throws.
    public typealias Failure = Never

    /// One iteration's end of whatever gives positions: what an implementation of ``PositionMonitoring`` provides.
    public struct Listener: Sendable {
        let next: @Sendable () async -> MonitoringEvent?
        let update: @Sendable (MonitoringConfiguration) -> Void
        let end: @Sendable () -> Void

        /// Creates a listener.
        ///
        /// - Parameters:
        ///   - next: Waits for what comes next, or answers `nil` at the end; it honors cancellation, and one call
        ///     follows another.
        ///   - update: Changes what the listener wants to be told.
        ///   - end: Stops listening and ends a `next` that waits; called at least once.
        public init(
            next: @escaping @Sendable () async -> MonitoringEvent?,
            update: @escaping @Sendable (MonitoringConfiguration) -> Void,
            end: @escaping @Sendable () -> Void
        ) {
            self.next = next
            self.update = update
            self.end = end
        }
    }

    private struct State {
        var configuration: MonitoringConfiguration
        var listeners: [Int: Listener] = [:]
        var lastNumber = 0
    }

    private let state: Mutex<State>
    private let listen: @Sendable (MonitoringConfiguration) -> Listener

    /// Creates a watch from a function that begins to listen, called once for each iteration.
    public init(
        _ configuration: MonitoringConfiguration,
        listen: @escaping @Sendable (MonitoringConfiguration) -> Listener
    ) {
        state = Mutex(State(configuration: configuration))
        self.listen = listen
    }

    /// What it wants to be told.
    public var configuration: MonitoringConfiguration {
        state.withLock { $0.configuration }
    }

    /// Changes what it wants to be told, from now on; iterations that run keep running.
    public func update(_ configuration: MonitoringConfiguration) {
        let listeners = state.withLock { state in
            state.configuration = configuration
            return state.listeners.values
        }
        for listener in listeners { bring(listener, to: configuration) }
    }

    /// Tells a listener a configuration, and then what it was changed to meanwhile, until it is the current one.
    private func bring(_ listener: Listener, to configuration: MonitoringConfiguration) {
        var told: MonitoringConfiguration
        var current = configuration
        repeat {
            told = current
            listener.update(told)
            current = self.configuration
        } while current != told
    }

    /// Ends every iteration that runs, at once; what they haven't taken is dropped.
    public func stop() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        for listener in listeners { listener.end() }
    }

    /// Starts listening.
    public func makeAsyncIterator() -> Iterator {
        let configuration = configuration
        let listener = listen(configuration)
        let (number, current) = state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = listener
            return (state.lastNumber, state.configuration)
        }
        // Updated meanwhile, when the listener wasn't known yet.
        if current != configuration { bring(listener, to: current) }
        return Iterator(listener, number: number, watch: self)
    }

    private func remove(_ number: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }

    /// One iteration over a watch; when it is gone, it no longer listens.
    public final class Iterator: AsyncIteratorProtocol, Sendable {
        private let listener: Listener
        private let number: Int
        private let watch: LocationWatch

        init(_ listener: Listener, number: Int, watch: LocationWatch) {
            self.listener = listener
            self.number = number
            self.watch = watch
        }

        deinit {
            watch.remove(number)
            listener.end()
        }

        /// Waits for what comes next; `nil` at the end.
        public func next(isolation actor: isolated (any Actor)? = #isolation) async -> MonitoringEvent? {
            await listener.next()
        }
    }
}
