import NIOCore

/// How long accepting rests while the system has no descriptors left.
///
/// The pauses double from 50 ms to 1 s. A shortage is over once connections were accepted for 5 s without a failure, so
/// that one which comes and goes is logged once.
struct AcceptRest {
    /// What follows from a failure.
    struct Pause: Equatable {
        let length: TimeAmount

        /// Whether a shortage begins, which is worth a line in the log.
        let isFirst: Bool
    }

    private static let shortest = TimeAmount.milliseconds(50)
    private static let longest = TimeAmount.seconds(1)
    private static let calm = TimeAmount.seconds(5)

    private var began: NIODeadline?
    private var lastFailure = NIODeadline.uptimeNanoseconds(0)
    private var next = shortest

    /// A connection couldn't be accepted.
    mutating func failed(at now: NIODeadline) -> Pause {
        defer {
            began = began ?? now
            lastFailure = now
            next = min(next * 2, Self.longest)
        }
        return Pause(length: next, isFirst: began == nil)
    }

    /// A connection was accepted.
    ///
    /// - Returns: How long the shortage lasted, if it is over now.
    mutating func accepted(at now: NIODeadline) -> TimeAmount? {
        guard let began else { return nil }
        next = Self.shortest
        guard now - lastFailure >= Self.calm else { return nil }
        self.began = nil
        return lastFailure - began
    }
}
