package import YonderModel
package import YonderRules

/// A lane gate: decides which changes of one lane are applied on one node, and finds missing ones.
///
/// Nodes commit to the same lane, and their frames arrive late, twice, or not at all. A map needs an object's newest state,
/// and not the ones before. So a change is applied when it arrives, unless a later change of the same object has arrived
/// before. The gate records which numbers have arrived. Numbers that are missing for too long are read from the store.
///
/// | the gate receives | the gate |
/// |---|---|
/// | a number that has arrived before | drops the change |
/// | a higher number | has the change applied, unless a later one of the object has arrived; records it in a gap |
/// | a page of changes above ``head`` | has the newest ones applied, and moves ``head`` to the end of the page |
/// | a page that begins before deletions which the store has forgotten | wants the ids of all objects |
/// | a last number above ``head`` from a sweep | wants a read at the second such sweep |
///
/// A plain value. An object never goes back to an older state (decision 34). A number that two whole pages in a row
/// haven't brought isn't in the store and is forgotten: a frame with a wrong number costs two reads, not one each ``hold``.
package struct LaneGate: Sendable {
    /// How many numbers behind a missing one are recorded; a change beyond that is dropped, and read from the store.
    static let limit = 16_384

    /// A read of the store that a gate wants.
    package enum Wish: Hashable, Sendable {
        /// The changes after a number.
        case changes(after: Int64)
        /// The ids of all objects of the lane.
        case census
    }

    private enum Reading {
        case no
        case wanted
        case underWay
    }

    /// The number up to which every change has arrived.
    package private(set) var head: Int64

    /// The objects of the changes behind a missing one, and each object's newest number among these.
    private var ahead: [Int64: ObjectID] = [:]
    private var newest: [ObjectID: Int64] = [:]

    private var holdEnds: ContinuousClock.Instant?
    private var reading = Reading.no

    /// The highest number that is known to be in the store and hasn't arrived: dropped, or named by a sweep.
    private var missing: Int64 = 0

    /// The highest number that the last whole page should have brought and didn't; `nil` after another page.
    private var fruitless: Int64?

    private var wantsCensus = false

    /// The number up to which deletions are known by a census.
    private var counted: Int64 = 0

    /// The changes that arrived while a census is read.
    private var meanwhile: [ObjectID: Int64]?

    /// Creates a gate behind a number.
    package init(head: Int64) {
        self.head = head
    }

    /// Whether no change is missing or being read.
    package var isLevel: Bool { ahead.isEmpty && missing <= head && reading == .no && !wantsCensus }

    /// Receives the number of a committed change.
    ///
    /// - Parameters:
    ///   - number: The number of the change.
    ///   - object: The object that changed.
    ///   - now: The monotonic time.
    ///   - hold: How long to wait for missing numbers before they are read.
    /// - Returns: Whether the change is the newest of its object, and so must be applied.
    package mutating func receive(
        _ number: Int64,
        of object: ObjectID,
        at now: ContinuousClock.Instant,
        hold: Duration
    ) -> Bool {
        guard number > head, ahead[number] == nil else { return false }
        let isNewest = newest[object].map { $0 < number } ?? true
        if number == head + 1 {
            head = number
            advance()
            holdEnds = ahead.isEmpty ? nil : now + hold
        } else {
            guard ahead.count < Self.limit else {
                lack(number)
                return false
            }
            ahead[number] = object
            if isNewest { newest[object] = number }
            holdEnds = holdEnds ?? now + hold
        }
        if isNewest { meanwhile?[object] = number }
        return isNewest
    }

    private mutating func advance() {
        while let object = ahead.removeValue(forKey: head + 1) {
            head += 1
            if newest[object] == head { newest[object] = nil }
        }
    }

    /// Called when a received change can't be applied: the gate wants it read from the store at once.
    package mutating func lack(_ number: Int64) {
        guard number > head, ahead[number] == nil else { return }
        missing = max(missing, number)
        want()
    }

    private mutating func want() {
        if reading == .no { reading = .wanted }
    }

    /// The read that is due at `now`, or `nil`; it counts as under way from this call on.
    package mutating func wish(at now: ContinuousClock.Instant) -> Wish? {
        if holdEnds.map({ $0 <= now }) ?? wantsCensus { want() }
        guard reading == .wanted else { return nil }
        reading = .underWay
        guard wantsCensus else { return .changes(after: head) }
        meanwhile = [:]
        return .census
    }

    /// Receives a page of the changes above the number of a wish.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - number: The number of the wish.
    ///   - now: The monotonic time.
    ///   - hold: How long to wait for numbers that are still missing.
    /// - Returns: The changes that must be applied, in order.
    package mutating func receive(
        _ page: LanePage,
        after number: Int64,
        at now: ContinuousClock.Instant,
        hold: Duration
    ) -> [LaneChange] {
        reading = number > head ? .wanted : .no
        guard number <= head else { return [] }
        guard page.trimmed <= max(number, counted) else {
            wantsCensus = true
            want()
            return []
        }
        let news = page.changes.filter { change in
            change.number > head && newest[change.object].map { $0 < change.number } ?? true
        }
        let before = head
        stand(behind: page.through)
        if page.isComplete { forget(since: before) }
        holdEnds = ahead.isEmpty ? nil : now + hold
        if !page.isComplete || ahead.isEmpty && missing > head { want() }
        return news
    }

    /// Takes the store's word that it hasn't the numbers behind the head, at the second whole page without them.
    ///
    /// One page isn't enough, because its read may have begun before the commit; a number that came in between may be of
    /// such a commit, too.
    private mutating func forget(since before: Int64) {
        let highest = max(ahead.keys.max() ?? 0, missing)
        let isSecond = fruitless == highest
        fruitless = head == before && highest > head ? highest : nil
        guard fruitless != nil, isSecond else { return }
        fruitless = nil
        missing = head
        for (number, object) in ahead where newest[object] == number { newest[object] = nil }
        ahead = [:]
    }

    private mutating func stand(behind number: Int64) {
        guard number > head else { return }
        head = number
        for (old, object) in ahead where old <= number {
            ahead[old] = nil
            if newest[object] == old { newest[object] = nil }
        }
        advance()
    }

    /// Receives the ids of all objects of the lane.
    ///
    /// The changes above ``head`` are read next.
    ///
    /// - Parameters:
    ///   - census: The ids.
    ///   - objects: The objects of the lane that the node shows.
    /// - Returns: The objects among these that were deleted.
    package mutating func receive(_ census: LaneCensus, showing objects: [ObjectID]) -> [ObjectID] {
        let changed = meanwhile ?? [:]
        meanwhile = nil
        wantsCensus = false
        counted = max(counted, census.last)
        reading = .wanted
        return objects.filter { object in
            guard !census.objects.contains(object) else { return false }
            return max(changed[object] ?? 0, newest[object] ?? 0) <= census.last
        }
    }

    /// Called when a read has failed: the gate wants it again when the hold is over.
    package mutating func readFailed(at now: ContinuousClock.Instant, hold: Duration) {
        reading = .no
        meanwhile = nil
        holdEnds = now + hold
    }

    /// Receives the number of the lane's last change as the store has it.
    ///
    /// The frame of a change may still be on its way. So the first sweep only records that changes are missing, and the
    /// second wants a read. With `isUrgent` frames were lost, and the first sweep wants it.
    ///
    /// - Parameters:
    ///   - last: The number.
    ///   - past: The ``head`` before the query. If `last` is lower, the store has lost changes, and the whole lane is read.
    ///   - isUrgent: Whether frames are known to be lost.
    package mutating func sweep(last: Int64, past: Int64, isUrgent: Bool = false) {
        guard last >= past else {
            self = LaneGate(head: 0)
            (wantsCensus, missing, reading) = (true, last, .wanted)
            return
        }
        guard last > head else { return }
        if isUrgent || missing > head { want() }
        missing = max(missing, last)
    }
}
