/// What is going on between the wrapper and its device: whether it monitors, and whether it gave up.
struct RequestState: Equatable {
    enum SingleRequest: Equatable {
        /// The device has to be asked.
        case ask

        /// The device runs anyway and won't answer twice: tell again what is known.
        case repeatKnown
    }

    private(set) var isMonitoring = false

    /// Whether a request's time was over.
    ///
    /// From then on positions are late, until a request with options.
    private(set) var hasTimedOut = false

    /// Somebody wants one position.
    mutating func requestSingle(isPositionKnown: Bool) -> SingleRequest {
        hasTimedOut = false
        return isMonitoring && isPositionKnown ? .repeatKnown : .ask
    }

    /// Somebody wants positions, and has a limit of time.
    mutating func startWithTimeout() {
        hasTimedOut = false
        isMonitoring = true
    }

    /// Somebody wants positions, and has no limit of time.
    ///
    /// - Returns: Whether the device is to be started: not after a timeout.
    mutating func start() -> Bool {
        guard !hasTimedOut else { return false }
        isMonitoring = true
        return true
    }

    mutating func stop() {
        isMonitoring = false
    }

    /// The time is over.
    ///
    /// - Returns: Whether the device was monitoring, and is to be stopped.
    mutating func timeOut() -> Bool {
        hasTimedOut = true
        defer { isMonitoring = false }
        return isMonitoring
    }
}
