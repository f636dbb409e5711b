import Synchronization

/// Positions as they arrive: iterate over the watch to start, and leave the loop to stop.
///
/// The sequence never throws, and an error doesn't end it. It ends when its task is canceled, when the watch
/// is stopped, or after the source has ended (``LocationError/Code/sourceEnded``). Each iteration is a
/// separate listener that gets every event; all of them use one configuration.
///
/// The queue of a slow reader is bounded: the newest position and the newest failure. Older ones are dropped.
///
/// ``PositionMonitoring/monitor(_:)`` returns one; `OwnPlace` of the app models, the command `yonder share`, the publishers
/// and `ServiceDevice` iterate over it. Each iteration makes one ``Listener``, whose functions an implementation of the
/// protocol gives, as `LocationProvider+Monitoring.swift` does. Failures are elements. ``stop()`` and ``update(_:)`` may be
/// called at any time, from any thread.
///
/// That a slow reader gets the newest, and that leaving the loop stops the source, is promised
/// (`Documentation/location-apps.md`, `WatchPowerTests`, `SourceConformanceTests`).
///
/// How listeners are numbered and locked may change (`ContentionTests`).
public final class LocationWatch: AsyncSequence, Sendable {
    /// An event of a watch.
    public typealias Element = MonitoringEvent

    /// The sequence never throws.
    public typealias Failure = Never

    /// The connection of one iteration to its source of positions, provided by an implementation of
    /// ``PositionMonitoring``.
    public struct Listener: Sendable {
        let next: @Sendable () async -> MonitoringEvent?
        let update: @Sendable (MonitoringConfiguration) -> Void
        let end: @Sendable () -> Void

        /// Creates a listener.
        ///
        /// - Parameters:
        ///   - next: Waits for the next event and returns it, or `nil` at the end; it honors cancellation,
        ///     and isn't called concurrently.
        ///   - update: Changes the listener's configuration.
        ///   - end: Stops listening and ends a waiting `next`; called at least once.
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

    /// The configuration of all iterations.
    public var configuration: MonitoringConfiguration {
        state.withLock { $0.configuration }
    }

    /// Changes the configuration from now on; running iterations continue.
    public func update(_ configuration: MonitoringConfiguration) {
        let listeners = state.withLock { state in
            state.configuration = configuration
            return state.listeners.values
        }
        for listener in listeners { bring(listener, to: configuration) }
    }

    /// Passes a configuration to a listener, and again any later one, until the listener has the current one.
    private func bring(_ listener: Listener, to configuration: MonitoringConfiguration) {
        var told: MonitoringConfiguration
        var current = configuration
        repeat {
            told = current
            listener.update(told)
            current = self.configuration
        } while current != told
    }

    /// Ends every running iteration at once; events not yet taken are dropped.
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
        // The configuration changed before the listener was registered.
        if current != configuration { bring(listener, to: current) }
        return Iterator(listener, number: number, watch: self)
    }

    private func remove(_ number: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }

    /// One iteration over a watch, which stops listening when it is released.
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

        /// Waits for the next event; `nil` at the end.
        public func next(isolation actor: isolated (any Actor)? = #isolation) async -> MonitoringEvent? {
            await listener.next()
        }
    }
}
