import YonderGeodesy
import YonderModel
import YonderRequests

/// The positions of a chat that are held, the newest ones or a stretch of older ones: what to ask next, and what may no longer be read.
///
/// The page's twin is `Web/app/positions/stretch.js`. A position is erased with a message that empties it: a `Recall`, or one after
/// which only the server knows which positions of a person can still be read. All of these are erased at once and asked for again;
/// so is what was asked before such a message, as the server may have read the answer before it.
///
/// `ChatPositions` has one, asks the server what ``next()`` returns, passes it answers and messages, and reads ``columns``
/// after each rise of ``revision``. Nothing throws: a failed question is returned again, and an answer to a question that was
/// forgotten changes nothing. The numbers of pages and of a day may change. What is erased, and when, must be the same as on
/// the page (decision 15, `PositionStretchTests`).
struct PositionStretch: Sendable {
    struct Question: Hashable, Sendable {
        let before: Int64
        let limit: Int
        let sender: UserID?
        fileprivate let turn: Int
    }

    /// How long after its arrival a position may still be the reason that the chat keeps no older one.
    private static let nearTheEnd = Duration.seconds(86_400)
    private static let pagesAtMost = 100

    private(set) var columns: PositionColumns
    private(set) var isNewest = true
    private(set) var revision = 0

    private var before: Int64?
    private var asked = Int64.max
    private var through: Int64 = 0
    private var first: Int64 = 1
    private var isCut = false
    private var pages = 0
    private var again: [UserID: Int64] = [:]
    private var turn = 0
    private var isAsked = false
    private var recalled: Set<Int64> = []
    private var nextExpiry = Int64.max

    init(capacity: Int) {
        columns = PositionColumns(capacity: capacity)
    }

    var isLoading: Bool { before != nil || !again.isEmpty }

    var hasEarlier: Bool { isCut && before == nil }

    /// Asks for every position up to the chat's last number, which the server has sent.
    mutating func begin(through number: Int64) {
        through = max(through, number)
        restart(before: through + 1, isNewest: true)
    }

    mutating func earlier() {
        if hasEarlier { restart(before: columns.isFull ? columns.first : asked, isNewest: false) }
    }

    mutating func newest() {
        if !isNewest { restart(before: through + 1, isNewest: true) }
    }

    /// The question to ask now, one at a time, or `nil` for none.
    mutating func next() -> Question? {
        let person = again.first
        guard !isAsked, let before = person?.value ?? before else { return nil }
        isAsked = true
        recalled = []
        let limit = min(MessageQuery.maximumLimit, columns.capacity)
        return Question(before: before, limit: limit, sender: person?.key, turn: turn)
    }

    mutating func answered(_ question: Question, _ messages: [Message], first: Int64, previous: Int64?) {
        guard question.turn == turn else { return }
        isAsked = false
        revision += 1
        self.first = first
        let positions = messages.compactMap(Arrived.init).filter { !recalled.contains($0.held.number) }
        if let sender = question.sender {
            takeAgain(positions, of: sender, previous)
        } else {
            takeOlder(positions, previous)
        }
        nextExpiry = positions.reduce(nextExpiry) { min($0, $1.expires?.milliseconds ?? .max) }
        for message in messages where message.tag == .recall { _ = receive(message) }
    }

    mutating func failed(_ question: Question) {
        if question.turn == turn { isAsked = false }
    }

    /// Applies a message that was just received, or was missed.
    ///
    /// - Returns: Whether a position was erased.
    mutating func receive(_ message: Message) -> Bool {
        through = max(through, message.number ?? 0)
        let isLost: Bool
        switch message.emptying {
        case .message(let number): isLost = recall(number)
        case .positions(of: let user): isLost = askAgain(user)
        case nil: isLost = message.tag == .location && place(message)
        }
        if isLost { revision += 1 }
        return isLost
    }

    /// Erases a person's positions, and asks for them again.
    ///
    /// - Returns: Whether a position was erased.
    mutating func shareEnded(of person: UserID) -> Bool {
        let isLost = askAgain(person)
        if isLost { revision += 1 }
        return isLost
    }

    /// Erases what has expired, and what the chat no longer keeps.
    mutating func expire(at now: Timestamp, keeping: PositionKeeping) {
        if let period = keeping.period { dropOld(before: now - period) }
        guard now.milliseconds >= nextExpiry else { return }
        let expired = columns.expire(at: now)
        nextExpiry = expired.next
        if expired.isChanged { revision += 1 }
    }

    /// Erases everything, and asks nothing more.
    mutating func letGo() {
        restart(before: 0, isNewest: true)
        before = nil
    }

    func reach(at now: Timestamp, keeping: PositionKeeping, created: Timestamp) -> PositionReach {
        PositionReach(
            since: columns.count == 0 ? nil : columns.time(at: 0),
            until: columns.count == 0 ? nil : columns.time(at: columns.count - 1),
            reason: reason(at: now, keeping, created)
        )
    }

    private func reason(
        at now: Timestamp,
        _ keeping: PositionKeeping,
        _ created: Timestamp
    ) -> PositionReach.Reason {
        if isLoading { return .loading }
        if isCut { return .full }
        let end = keeping.period.map { now - $0 } ?? Timestamp(milliseconds: .min / 2)
        let isNearEnd = columns.count > 0 && columns.arrival(at: 0) < end + Self.nearTheEnd
        if first > 1, !isNearEnd { return .joined }
        return created < end ? .kept(keeping) : .whole
    }

    private mutating func restart(before: Int64, isNewest: Bool) {
        columns = PositionColumns(capacity: columns.capacity)
        self.isNewest = isNewest
        self.before = before
        (isCut, pages, nextExpiry, again) = (false, 0, .max, [:])
        forgetQuestion()
        revision += 1
    }

    private mutating func forgetQuestion() {
        turn += 1
        isAsked = false
    }

    private mutating func takeOlder(_ positions: [Arrived], _ previous: Int64?) {
        pages += 1
        var hasRoom = true
        for position in positions.reversed() where hasRoom { hasRoom = columns.prepend(position) }
        let isOver = !hasRoom || (previous != nil && (columns.isFull || pages >= Self.pagesAtMost))
        if isOver { isCut = true }
        before = isOver ? nil : previous
        asked = previous ?? 0
    }

    private mutating func takeAgain(_ positions: [Arrived], of sender: UserID, _ previous: Int64?) {
        for position in positions { columns.fill(position) }
        again[sender] = previous.flatMap { $0 <= columns.first ? nil : $0 }
    }

    private mutating func recall(_ number: Int64) -> Bool {
        if isAsked { recalled.insert(number) }
        return columns.empty(number)
    }

    private mutating func askAgain(_ user: UserID) -> Bool {
        let isKnown = columns.emptyAll(of: user)
        if isKnown || again[user] != nil { again[user] = columns.last + 1 }
        // The answer may have been read before the message.
        forgetQuestion()
        return isKnown
    }

    private mutating func place(_ message: Message) -> Bool {
        guard let position = Arrived(message) else {
            guard message.data == nil, let number = message.number else { return false }
            return columns.empty(number)
        }
        let number = position.held.number
        guard isNewest, number > columns.last, number >= before ?? 0 else { return false }
        if columns.append(position) { isCut = true }
        nextExpiry = min(nextExpiry, position.expires?.milliseconds ?? .max)
        revision += 1
        return false
    }

    private mutating func dropOld(before end: Timestamp) {
        var dropped = 0
        while dropped < columns.count, columns.arrival(at: dropped) < end { dropped += 1 }
        guard dropped > 0 else { return }
        columns.dropOldest(dropped)
        // What is older has been erased, too.
        before = nil
        isCut = false
        if again.isEmpty { forgetQuestion() }
        revision += 1
    }
}
