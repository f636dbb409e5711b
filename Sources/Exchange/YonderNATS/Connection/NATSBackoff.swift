/// The order in which addresses are tried, and the longest wait before each attempt.
///
/// Every address is tried in turn, beginning behind the last one. The wait doubles with each round of all of them.
struct NATSBackoff: Hashable, Sendable {
    private let addresses: Int
    private let shortest: Duration
    private let longest: Duration
    private var index: Int
    private var attempts = 0

    init(addresses: Int, timing: NATSTiming) {
        self.addresses = max(1, addresses)
        shortest = timing.shortestBackoff
        longest = timing.longestBackoff
        index = self.addresses - 1
    }

    /// Chooses the next address.
    ///
    /// - Returns: its index, and the longest wait before it is tried. The caller waits a random part of that, at
    ///   least half, so that clients of a server that restarts come back spread over time.
    mutating func next() -> (address: Int, wait: Duration) {
        index = (index + 1) % addresses
        let wait = min(longest, shortest * (1 << min(attempts / addresses, 16)))
        attempts += 1
        return (index, wait)
    }

    /// Begins with the shortest wait again, after a connection.
    mutating func reset() {
        attempts = 0
    }
}
