import NIOCore

/// The backoff for accepting connections while the process has no file descriptors left.
///
/// Pauses double from 50 ms to 1 s. A shortage is over once connections were accepted for 5 s without a
/// failure, so that an intermittent one is logged once.
///
/// `AcceptRestHandler` has one on the listening channel's loop, and pauses as it says. It is a plain value, and nothing
/// fails. The times may be changed (`AcceptRestTests`).
struct AcceptRest {
    /// The reaction to a failure.
    struct Pause: Equatable {
        let length: TimeAmount

        /// Whether a shortage begins with this failure and should be logged.
        let isFirst: Bool
    }

    private static let shortest = TimeAmount.milliseconds(50)
    private static let longest = TimeAmount.seconds(1)
    private static let calm = TimeAmount.seconds(5)

    private var began: NIODeadline?
    private var lastFailure = NIODeadline.uptimeNanoseconds(0)
    private var next = shortest

    /// Call this when a connection couldn't be accepted.
    mutating func failed(at now: NIODeadline) -> Pause {
        defer {
            began = began ?? now
            lastFailure = now
            next = min(next * 2, Self.longest)
        }
        return Pause(length: next, isFirst: began == nil)
    }

    /// Call this when a connection was accepted.
    ///
    /// - Returns: The duration of the shortage if it is over now, or else `nil`.
    mutating func accepted(at now: NIODeadline) -> TimeAmount? {
        guard let began else { return nil }
        next = Self.shortest
        guard now - lastFailure >= Self.calm else { return nil }
        self.began = nil
        return lastFailure - began
    }
}
