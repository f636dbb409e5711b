/// The requests to other nodes that wait for their answers.
///
/// `NodeRequests` has one behind a mutex. It is a plain value, and nothing throws. Beyond the limit a request isn't
/// begun. Parts that come twice, out of order or from another node than the asked one end in no answer, never in a wrong
/// one (`PendingRequestsTests`). The limit may be changed.
struct PendingRequests<Waiter> {
    private struct Entry {
        let node: UInt64
        let waiter: Waiter
        let until: ContinuousClock.Instant
        var nextPart = 0
        var bytes: [UInt8] = []
    }

    /// The most requests that wait at once.
    static var limit: Int { 10_000 }

    /// The most bytes of an answer.
    static var byteLimit: Int { 4_194_304 }

    private var entries: [UInt64: Entry] = [:]

    /// The number of requests that wait.
    var count: Int { entries.count }

    private var next: UInt64 = 0

    /// Returns the number of the next request: at least 1, and never used before.
    mutating func number() -> UInt64 {
        next += 1
        return next
    }

    /// Adds a request to a node, which must answer before `until`.
    ///
    /// - Returns: Whether it was added: not if too many are waiting.
    mutating func begin(
        _ request: UInt64,
        to node: UInt64,
        until: ContinuousClock.Instant,
        _ waiter: Waiter
    ) -> Bool {
        guard count < Self.limit else { return false }
        entries[request] = Entry(node: node, waiter: waiter, until: until)
        return true
    }

    /// Removes a request, and returns its waiter; `nil` if it doesn't wait.
    mutating func cancel(_ request: UInt64) -> Waiter? {
        entries.removeValue(forKey: request)?.waiter
    }

    /// Receives a part of an answer; parts are counted from 0.
    ///
    /// - Returns: The waiter with the bytes of the complete answer, or without bytes if a part is missing or the answer is too long; `nil`
    ///   until then.
    mutating func receive(_ part: AnswerPart, from node: UInt64) -> (waiter: Waiter, bytes: [UInt8]?)? {
        guard var entry = entries[part.request], entry.node == node else { return nil }
        guard part.number == entry.nextPart, let bytes = part.bytes,
            entry.bytes.count + bytes.count <= Self.byteLimit
        else {
            entries[part.request] = nil
            return (entry.waiter, nil)
        }
        entry.bytes += bytes
        entry.nextPart += 1
        entries[part.request] = part.isLast ? nil : entry
        return part.isLast ? (entry.waiter, entry.bytes) : nil
    }

    /// Removes the requests to nodes that are gone, and returns their waiters.
    mutating func cancel(to nodes: [UInt64]) -> [Waiter] {
        take { nodes.contains($0.node) }
    }

    /// Removes the requests whose timeout has passed at `now`, and returns their waiters.
    mutating func expire(at now: ContinuousClock.Instant) -> [Waiter] {
        take { $0.until <= now }
    }

    private mutating func take(where isOver: (Entry) -> Bool) -> [Waiter] {
        let over = entries.filter { isOver($0.value) }.sorted { $0.key < $1.key }
        for request in over { entries[request.key] = nil }
        return over.map(\.value.waiter)
    }
}
