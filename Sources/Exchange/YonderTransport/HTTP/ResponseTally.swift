/// Determines which response is a connection's last.
///
/// NIO's decoder stops after a request with an `Upgrade` header, because the following bytes may be of
/// another protocol. If the upgrade isn't made, the response to that request must therefore end the
/// connection; requests pipelined before it are still answered.
struct ResponseTally {
    /// The number of requests without a response from which no further request is parsed.
    static let limit = 16

    /// The number of requests without a response.
    private(set) var unanswered = 0

    private var untilLast: Int?

    /// Whether every request has its response.
    var isSettled: Bool { unanswered == 0 && untilLast == nil }

    /// Whether no further request may be parsed until a response has ended.
    var isFull: Bool { unanswered >= Self.limit }

    /// Whether the response being written now is the connection's last.
    var isLast: Bool { untilLast == 1 }

    mutating func received(asksForUpgrade: Bool) {
        unanswered += 1
        if asksForUpgrade, untilLast == nil { untilLast = unanswered }
    }

    /// No further requests are read: the response to the last received request ends the connection.
    mutating func endsHere() {
        untilLast = untilLast ?? unanswered
    }

    /// - Returns: Whether the response that just ended was the last.
    mutating func answered() -> Bool {
        defer {
            unanswered -= 1
            untilLast = untilLast.map { $0 - 1 }
        }
        return isLast
    }
}
