/// The order of waiting callers: known ones and strangers take turns, and on either side one caller after the other.
///
/// A caller with many requests delays another by one request of theirs a turn. Where one side is full, a caller with fewer
/// waiting requests than another takes the place of the newest of that other's. A plain value of at most two times `limit`
/// tickets; no call takes longer than in proportion to the number of callers.
package struct TurnQueue<Ticket> {
    /// What became of a ticket that was to be queued.
    package enum Entry {
        case waits
        /// It waits, in place of this one, which is refused.
        case displaces(Ticket)
        case refused
    }

    /// The known callers, or the strangers.
    private struct Side {
        var lanes: [TurnTaker: [Ticket]] = [:]

        /// The callers with a ticket, in the order of their turns.
        var turns: [TurnTaker] = []
        var count = 0

        mutating func append(_ ticket: Ticket, of caller: TurnTaker) {
            if lanes[caller] == nil { turns.append(caller) }
            lanes[caller, default: []].append(ticket)
            count += 1
        }

        mutating func removeFirst() -> Ticket? {
            guard !turns.isEmpty else { return nil }
            let caller = turns.removeFirst()
            let ticket = lanes[caller]?.removeFirst()
            count -= 1
            if lanes[caller]?.isEmpty ?? true { lanes[caller] = nil } else { turns.append(caller) }
            return ticket
        }

        var first: Ticket? { turns.first.flatMap { lanes[$0]?.first } }

        /// Removes the newest ticket of the caller with most, if that is at least two more than `count`.
        mutating func displace(forOneWith count: Int) -> Ticket? {
            guard let longest = turns.max(by: { waiting($0) < waiting($1) }), waiting(longest) > count + 1
            else { return nil }
            self.count -= 1
            return lanes[longest]?.removeLast()
        }

        func waiting(_ caller: TurnTaker) -> Int { lanes[caller]?.count ?? 0 }
    }

    private let limit: Int
    private var known = Side()
    private var strangers = Side()
    private var isStrangersTurn = false

    /// Creates an empty queue of at most `limit` known callers' tickets, and as many of strangers.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether nobody waits.
    package var isEmpty: Bool { known.count + strangers.count == 0 }

    /// How many tickets wait.
    package var count: Int { known.count + strangers.count }

    /// Queues a ticket behind those of the same caller.
    package mutating func append(_ ticket: @autoclosure () -> Ticket, of caller: TurnTaker) -> Entry {
        caller.isKnown
            ? Self.append(ticket, of: caller, to: &known, limit)
            : Self.append(ticket, of: caller, to: &strangers, limit)
    }

    private static func append(
        _ ticket: () -> Ticket,
        of caller: TurnTaker,
        to side: inout Side,
        _ limit: Int
    ) -> Entry {
        guard side.count >= limit else {
            side.append(ticket(), of: caller)
            return .waits
        }
        guard let displaced = side.displace(forOneWith: side.waiting(caller)) else { return .refused }
        side.append(ticket(), of: caller)
        return .displaces(displaced)
    }

    /// The ticket whose turn it is; `nil` if nobody waits, or only strangers and
    /// `admitsStrangers` is `false`.
    package func first(admitsStrangers: Bool = true) -> Ticket? {
        takesStranger(admitsStrangers) ? strangers.first : known.first
    }

    /// Removes the ticket that ``first(admitsStrangers:)`` returns.
    ///
    /// - Returns: The ticket and whether it is a stranger's.
    package mutating func removeFirst(admitsStrangers: Bool = true) -> (ticket: Ticket, isStrangers: Bool)? {
        let isStrangers = takesStranger(admitsStrangers)
        let ticket = isStrangers ? strangers.removeFirst() : known.removeFirst()
        guard let ticket else { return nil }
        isStrangersTurn = !isStrangers
        return (ticket, isStrangers)
    }

    private func takesStranger(_ admitsStrangers: Bool) -> Bool {
        admitsStrangers && strangers.count > 0 && (isStrangersTurn || known.count == 0)
    }
}
