import YonderModel

/// The order of one chat's messages on one node: nothing passes out of turn, twice, or with a hole before it.
///
/// Nodes commit to the same log, and their frames arrive late, twice, or not at all. The gate passes the message with
/// the next number, drops messages that have passed, and holds messages that arrive early. When these have waited too
/// long, the missing ones are read from the store.
///
/// | the gate receives | the gate |
/// |---|---|
/// | the number after ``head`` | passes the message, and the held messages that follow it without a hole |
/// | a number up to ``head`` | drops the message |
/// | a later number | holds the message; ``wish(at:)`` returns a read when the hold is over |
/// | the answer of a read | passes the messages that follow ``head``, and wants a further read if the answer was cut short |
/// | two whole answers in a row without the next number | takes the store's word that there is none, and passes what it holds |
/// | a last number above ``head`` from a sweep | wants a read at the second such sweep |
///
/// ``ChatGates`` has one for each chat, under its mutex, and passes it messages, answers and the time. It is a plain
/// value, and nothing throws. The order of numbers without a hole must stay, as sessions rest on it (decision 32,
/// `ChatGateTests`, with frames lost, late and twice). How long messages are held may be changed.
package struct ChatGate: Sendable {
    /// The most messages, and their bytes, that are held for one chat; further ones are dropped, and read from the store
    /// at once.
    static let limits = (count: 256, bytes: 1_048_576)

    /// A read of the store that a gate asks for.
    package struct Wish: Hashable, Sendable {
        /// The number behind which the read begins.
        package let after: Int64

        /// The number before which the read may end, or `nil` to read up to the last.
        package let below: Int64?
    }

    private enum Reading {
        case no
        case wanted
        case underWay
    }

    /// The number of the last message that has passed.
    package private(set) var head: Int64

    /// The number behind which the gate opened: no message up to this number has passed.
    package let opened: Int64

    private var held: [Int64: Published] = [:]
    private var heldBytes = 0
    private var sweepsAhead = 0
    private var holdEnds: ContinuousClock.Instant?
    private var reading = Reading.no

    /// The number behind which the read under way begins.
    private var readAfter: Int64?

    /// How many whole answers didn't have the number behind a head: only that head's count.
    private var fruitless = (head: Int64(-1), count: 0)

    /// The highest number that is known to be in the store and isn't held: dropped for lack of room, or named by a sweep.
    private var missing: Int64 = 0

    /// Creates a gate behind a number.
    package init(head: Int64) {
        self.head = head
        opened = head
    }

    /// Whether no message is held, known to be missing, or being read.
    package var isLevel: Bool { held.isEmpty && missing <= head && reading == .no }

    /// Passes the message with the next number, if the gate holds no messages.
    ///
    /// - Returns: Whether the message has passed; else call ``receive(_:at:hold:)`` with it.
    @inline(__always)
    package mutating func passes(_ number: Int64) -> Bool {
        guard number == head &+ 1, held.isEmpty else { return false }
        head = number
        return true
    }

    /// Receives a committed message.
    ///
    /// - Parameters:
    ///   - published: The message.
    ///   - now: The monotonic time.
    ///   - hold: How long to wait for missing numbers before they are read.
    /// - Returns: The messages that pass, in order.
    package mutating func receive(
        _ published: Published,
        at now: ContinuousClock.Instant,
        hold: Duration
    ) -> [Published] {
        guard let number = published.message.number, number > head, held[number] == nil else { return [] }
        guard number == head + 1 || hasRoom(for: published) else {
            missing = max(missing, number)
            want()
            return []
        }
        held[number] = published
        heldBytes += published.byteCount
        let passed = takeFollowing()
        if held.isEmpty {
            holdEnds = nil
        } else if holdEnds == nil || !passed.isEmpty {
            holdEnds = now + hold
        }
        return passed
    }

    private func hasRoom(for published: Published) -> Bool {
        held.count < Self.limits.count && heldBytes + published.byteCount <= Self.limits.bytes
    }

    private mutating func takeFollowing() -> [Published] {
        var passed: [Published] = []
        while let next = held.removeValue(forKey: head + 1) {
            head += 1
            heldBytes -= next.byteCount
            passed.append(next)
        }
        return passed
    }

    private mutating func want() {
        if reading == .no { reading = .wanted }
    }

    /// The read that is due at `now`, or `nil`; it counts as under way from this call on.
    package mutating func wish(at now: ContinuousClock.Instant) -> Wish? {
        if let due, due <= now { want() }
        guard reading == .wanted else { return nil }
        reading = .underWay
        readAfter = head
        return Wish(after: head, below: isOneHole ? lowestHeld : nil)
    }

    /// The lowest number of a held message, or `nil` if none is held.
    var lowestHeld: Int64? { held.keys.min() }

    /// Whether only the numbers before the first held message are missing.
    ///
    /// Where there are more holes, as after an outage in which several nodes wrote, one read across all holes takes less
    /// time than a read of each.
    private var isOneHole: Bool {
        guard let first = held.keys.min(), let last = held.keys.max() else { return false }
        return last - first + 1 == held.count && missing <= last
    }

    /// When ``wish(at:)`` should be called next: in the past if a read is due already; `nil` if no message is held, or a
    /// read is wanted or under way.
    package var due: ContinuousClock.Instant? { reading == .no && !held.isEmpty ? holdEnds : nil }

    /// Whether a read is due at once, without regard to the hold.
    package var isWanting: Bool { reading == .wanted }

    /// Receives the answer of a read.
    ///
    /// - Parameters:
    ///   - messages: The messages behind the wish's number, in order.
    ///   - first: The number of the first message that the chat keeps; earlier ones were removed, and the gate skips them.
    ///   - isComplete: Whether `messages` has all messages of the wish.
    ///   - now: The monotonic time.
    ///   - hold: How long to wait for numbers that are still missing.
    /// - Returns: The messages that pass, in order.
    package mutating func receive(
        read messages: [Published],
        first: Int64,
        isComplete: Bool,
        at now: ContinuousClock.Instant,
        hold: Duration
    ) -> [Published] {
        reading = .no
        let before = head
        var passed: [Published] = []
        if first > head + 1 { skip(to: first - 1) }
        for published in messages where published.message.number == head + 1 {
            head += 1
            heldBytes -= held.removeValue(forKey: head)?.byteCount ?? 0
            passed.append(published)
        }
        passed += takeFollowing()
        // An answer that frames have overtaken says nothing about the number that is next by now.
        if isComplete, head == before, readAfter == before {
            fruitless = (before, fruitless.head == before ? fruitless.count + 1 : 1)
            if fruitless.count > 1 { passed += giveUp() }
        }
        holdEnds = held.isEmpty ? nil : now + hold
        if !isComplete || held.isEmpty && missing > head { want() }
        return passed
    }

    /// Takes it that the store doesn't have the next number: it has lost what was committed.
    ///
    /// One whole answer isn't enough, because its read may have begun before the commit.
    private mutating func giveUp() -> [Published] {
        fruitless.count = 0
        guard let first = lowestHeld else {
            missing = head
            return []
        }
        skip(to: first - 1)
        return takeFollowing()
    }

    /// Moves the head to a number, and drops held messages up to it.
    private mutating func skip(to number: Int64) {
        head = number
        for old in held.keys where old <= number {
            heldBytes -= held.removeValue(forKey: old)?.byteCount ?? 0
        }
    }

    /// Called when a read has failed: the gate wants it again when the hold is over, or after the next sweep.
    package mutating func readFailed(at now: ContinuousClock.Instant, hold: Duration) {
        reading = .no
        holdEnds = held.isEmpty ? nil : now + hold
    }

    /// Whether the store has lost messages that have passed here, as after a failover to a standby that hadn't received
    /// them.
    ///
    /// Called in every sweep.
    ///
    /// - Parameters:
    ///   - last: The chat's last number as the store has it.
    ///   - past: ``head`` before the store was read: messages that passed during the read may be missing in its answer.
    /// - Returns: `true` at the second lower number in a row.
    package mutating func isAhead(of last: Int64, past: Int64) -> Bool {
        sweepsAhead = last < min(past, head) ? sweepsAhead + 1 : 0
        return sweepsAhead > 1
    }

    /// Receives the chat's last number as the store has it.
    ///
    /// The frame of a commit may still be on its way. So the first sweep only records that messages are missing, and the
    /// second wants a read. With `isUrgent` frames were lost, and the first sweep wants it.
    package mutating func sweep(last: Int64, isUrgent: Bool = false) {
        guard last > head else { return }
        if isUrgent || missing > head { want() }
        missing = max(missing, last)
    }
}
