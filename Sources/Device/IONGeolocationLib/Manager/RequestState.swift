/// The state of the wrapper's requests: whether it monitors, and whether a request has timed out.
///
/// A plain value. `IONGLOCManagerWrapper` has one, calls a function for each of its own calls, on the main thread, and does
/// what is returned. Any call may follow any other. The behavior is that of the library which this one replaces, and must
/// stay, odd as some of it is (`RequestStateTests`).
struct RequestState: Equatable {
    enum SingleRequest: Equatable {
        /// Request a position from the device.
        case ask

        /// The device is monitoring and won't answer twice: send the last known position again.
        case repeatKnown
    }

    /// Whether monitoring was started, and neither stopped nor timed out.
    private(set) var isMonitoring = false

    /// Whether a request has timed out.
    ///
    /// From then on positions are dropped, until the next request with options.
    private(set) var hasTimedOut = false

    /// Call this when one position is requested.
    mutating func requestSingle(isPositionKnown: Bool) -> SingleRequest {
        hasTimedOut = false
        return isMonitoring && isPositionKnown ? .repeatKnown : .ask
    }

    /// Call this when monitoring with a timeout is requested.
    mutating func startWithTimeout() {
        hasTimedOut = false
        isMonitoring = true
    }

    /// Call this when monitoring without a timeout is requested.
    ///
    /// - Returns: Whether to start the device; `false` after a timeout.
    mutating func start() -> Bool {
        guard !hasTimedOut else { return false }
        isMonitoring = true
        return true
    }

    /// Call this when monitoring is stopped; a timeout that has passed stays.
    mutating func stop() {
        isMonitoring = false
    }

    /// Call this when the timeout has passed.
    ///
    /// - Returns: Whether the device was monitoring, and must be stopped.
    mutating func timeOut() -> Bool {
        hasTimedOut = true
        defer { isMonitoring = false }
        return isMonitoring
    }
}
