/// The Engine.IO sessions that hold memory without a connection, and which of them to close at a limit.
///
/// A session is here while its client neither polls nor has a WebSocket. It counts for the client's network, as a connection
/// does, with the bytes that it and what waits for its client take. At an address's limit the address's own session that has
/// been here longest is closed. At the server's limit one of an address that holds the most is closed, within a factor of two;
/// so a new session is never refused, and an address that takes everything displaces only its own sessions. A session that isn't
/// polled for `timeout` is closed; what its client posts meanwhile changes nothing about that.
///
/// - Complexity: Constant time for each call and each session that it returns.
struct UnpolledSessions: Sendable {
    /// What the sessions of one server may hold.
    struct Limits: Hashable, Sendable {
        /// How long a session may go without a poll.
        var timeout: Duration

        /// The memory that a session takes without what waits for its client, in bytes.
        var sessionBytes: Int

        /// The most bytes of all sessions.
        var bytes: Int

        /// The most bytes of one address's sessions.
        var bytesPerAddress: Int

        /// The most sessions of one address.
        var sessionsPerAddress: Int
    }

    private struct Entry {
        let holder: Admission.Holder
        let since: ContinuousClock.Instant
        var bytes: Int
    }

    private struct Share {
        var bytes = 0
        var sessions = RecencyList<Int>()
    }

    private let limits: Limits
    private var entries: [Int: Entry] = [:]
    private var order = RecencyList<Int>()
    private var shares: [Admission.Holder: Share] = [:]

    /// The holders by the highest bit of the bytes that they hold.
    private var weights = [RecencyList<Admission.Holder>](repeating: RecencyList(), count: Int.bitWidth)

    /// The bytes of all sessions.
    private(set) var bytes = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// The number of sessions.
    var count: Int { entries.count }

    /// The number of sessions of an address.
    func count(of holder: Admission.Holder) -> Int { shares[holder]?.sessions.count ?? 0 }

    /// When the session that has been here longest has to be closed; `nil` if there is none.
    var nextEnd: ContinuousClock.Instant? {
        order.oldest.flatMap { entries[$0]?.since }.map { $0.advanced(by: limits.timeout) }
    }

    /// Counts a session that isn't polled any more, or what one that is here holds now.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - holder: The network of its client.
    ///   - held: The bytes that wait for the client.
    ///   - now: The time.
    /// - Returns: The sessions to close, which have been removed; the session itself may be one of them.
    mutating func hold(
        _ id: Int,
        for holder: Admission.Holder,
        _ held: Int,
        at now: ContinuousClock.Instant
    ) -> [Int] {
        let former = entries[id]
        let entry = Entry(
            holder: former?.holder ?? holder,
            since: former?.since ?? now,
            bytes: limits.sessionBytes + held
        )
        entries[id] = entry
        if former == nil { order.touch(id) }
        change(entry.holder, by: entry.bytes - (former?.bytes ?? 0)) { share in
            if former == nil { share.sessions.touch(id) }
        }
        return makeRoom(entry.holder)
    }

    /// Removes a session that is polled, has a WebSocket, or is over.
    mutating func release(_ id: Int) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        order.remove(id)
        change(entry.holder, by: -entry.bytes) { $0.sessions.remove(id) }
    }

    /// Removes the sessions that weren't polled for their time.
    ///
    /// - Returns: The sessions to close.
    mutating func expire(at now: ContinuousClock.Instant) -> [Int] {
        var over: [Int] = []
        while let end = nextEnd, end <= now, let id = order.oldest {
            over.append(id)
            release(id)
        }
        return over
    }

    private mutating func makeRoom(_ holder: Admission.Holder) -> [Int] {
        var displaced: [Int] = []
        while let share = shares[holder],
            share.bytes > limits.bytesPerAddress || share.sessions.count > limits.sessionsPerAddress,
            let oldest = share.sessions.oldest
        {
            displaced.append(oldest)
            release(oldest)
        }
        while bytes > limits.bytes, let oldest = heaviest.flatMap({ shares[$0]?.sessions.oldest }) {
            displaced.append(oldest)
            release(oldest)
        }
        return displaced
    }

    /// A holder of the most bytes, within a factor of two.
    private var heaviest: Admission.Holder? { weights.last { $0.count > 0 }?.oldest }

    private mutating func change(
        _ holder: Admission.Holder,
        by difference: Int,
        _ update: (inout Share) -> Void
    ) {
        var share = shares.removeValue(forKey: holder) ?? Share()
        let before = Self.weight(share.bytes)
        share.bytes += difference
        bytes += difference
        update(&share)
        let after = Self.weight(share.bytes)
        if before != after || share.sessions.count == 0 { weights[before].remove(holder) }
        guard share.sessions.count > 0 else { return }
        if before != after || share.sessions.count == 1 { weights[after].touch(holder) }
        shares[holder] = share
    }

    private static func weight(_ bytes: Int) -> Int {
        Int.bitWidth - 1 - max(bytes, 1).leadingZeroBitCount
    }
}
