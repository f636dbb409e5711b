/// The reads of the store that are queued or under way for one session, and when there are too many.
///
/// `Session` has one on its loop, and receives no more while a function says that there are too many. It is a plain
/// value, and nothing fails. Without it a client could queue reads without end by subscribing (`SessionReadsTests`). The
/// limit may be changed.
struct SessionReads {
    private let limit: Int
    private var reads: [ObjectIdentifier: PendingRead] = [:]

    /// The frames that are decided before the client's next one is received.
    private var decisions = 0

    /// Creates the reads of a session that is received from while it has fewer than `limit`.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many are queued or under way.
    var count: Int { reads.count }

    /// Adds a read.
    ///
    /// - Returns: Whether nothing more may be received from the session's client.
    mutating func insert(_ read: PendingRead) -> Bool {
        reads[ObjectIdentifier(read)] = read
        return reads.count >= limit
    }

    /// Called when a read has ended.
    ///
    /// - Returns: Whether the client may be received from again.
    mutating func remove(_ id: ObjectIdentifier) -> Bool {
        guard reads.removeValue(forKey: id) != nil else { return false }
        return reads.count == limit - 1 && decisions == 0
    }

    /// Called when a decision begins before which nothing more may be received.
    mutating func beginDecision() { decisions += 1 }

    /// Called when such a decision has ended.
    ///
    /// - Returns: Whether the client may be received from again.
    mutating func endDecision() -> Bool {
        decisions -= 1
        return decisions == 0 && reads.count < limit
    }

    /// Removes and returns all reads, in no order.
    mutating func takeAll() -> some Collection<PendingRead> {
        defer { reads = [:] }
        return reads.values
    }
}
