/// Which response is a connection's last.
///
/// NIO's decoder stops after a request that has an `Upgrade` header, for it can't know in which language
/// the client goes on. Where the upgrade isn't made, that request's response must therefore end the
/// connection, and requests pipelined before it are still answered.
struct ResponseTally {
    /// How many requests have no response yet.
    private(set) var unanswered = 0

    private var untilLast: Int?

    /// Whether every request has its response.
    var isSettled: Bool { unanswered == 0 && untilLast == nil }

    /// Whether the response being written now is the connection's last.
    var isLast: Bool { untilLast == 1 }

    mutating func received(asksForUpgrade: Bool) {
        unanswered += 1
        if asksForUpgrade, untilLast == nil { untilLast = unanswered }
    }

    /// Nothing is to be read any more: the response to the last request that came ends the connection.
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
