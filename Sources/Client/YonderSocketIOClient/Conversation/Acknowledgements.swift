/// The events that wait for an acknowledgement, each with its caller.
///
/// Invariants:
///
/// 1. Each caller is returned once: with its acknowledgement, when its time is over, when its task is canceled, or by ``removeAll()``.
/// 2. At most ``limit`` events wait.
///
/// `SocketConversation` has one: it adds each event that asks, and removes it by the server's answer, its time, or the
/// caller. It can't fail; the caller checks ``isFull`` first, and refuses the event then. ``limit`` may change with the
/// documentation of `emit` (`AcknowledgementsTests`).
struct Acknowledgements<Waiter: Sendable>: Sendable {
    /// The most events that wait at once.
    static var limit: Int { 1_000 }

    private var waiting: [UInt64: (waiter: Waiter, end: Duration)] = [:]

    /// A time at which, or before which, the first event's time is over; `nil` if none waits.
    private(set) var deadline: Duration?

    var isFull: Bool { waiting.count >= Self.limit }

    /// Adds an event.
    mutating func add(_ id: UInt64, _ waiter: Waiter, until end: Duration) {
        waiting[id] = (waiter, end)
        deadline = min(deadline ?? end, end)
    }

    /// Returns the caller of an event that was acknowledged or given up; `nil` if it doesn't wait.
    mutating func remove(_ id: UInt64) -> Waiter? {
        waiting.removeValue(forKey: id)?.waiter
    }

    /// Returns the callers whose time is over, in the order of their events.
    mutating func removeExpired(at now: Duration) -> [Waiter] {
        guard let deadline, now >= deadline else { return [] }
        let expired = waiting.filter { $0.value.end <= now }.keys.sorted()
        let waiters = expired.compactMap { remove($0) }
        self.deadline = waiting.values.map(\.end).min()
        return waiters
    }

    /// Returns all callers, in the order of their events.
    mutating func removeAll() -> [Waiter] {
        defer { (waiting, deadline) = ([:], nil) }
        return waiting.sorted { $0.key < $1.key }.map(\.value.waiter)
    }
}
