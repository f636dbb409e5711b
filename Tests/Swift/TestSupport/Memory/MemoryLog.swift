import YonderGeodesy
import YonderModel
import YonderRules

/// A chat and its log in memory.
struct MemoryLog: Sendable {
    private struct Key: Hashable {
        let sender: UserID
        /// In bytes: `String` takes a composed and a decomposed é for one.
        let bytes: [UInt8]

        init(_ sender: UserID, _ key: String) {
            self.sender = sender
            bytes = [UInt8](key.utf8)
        }
    }

    private struct Known {
        let number: Int64
        var fingerprint: Int64
    }

    private(set) var chat: Chat

    /// From `chat.first` on, without gaps.
    private(set) var messages: [Message] = []
    private var keys: [Key: Known] = [:]
    private var positions: [UserID: ReadPosition] = [:]

    /// Everyone's shares that are known.
    private(set) var shares: [UserID: [Share]] = [:]

    /// Cached newest positions by sender; an entry is dropped when a position of the sender is removed.
    private var newest: [UserID: NewestPosition] = [:]

    init(_ chat: Chat) {
        self.chat = chat
    }

    /// `refusal` is that of the submission's warrant, if its right has ended.
    mutating func submit(
        _ submission: Submission,
        refusal: SharingError?,
        contacts: Set<UserID>,
        isClosed: Bool
    ) throws(SharingError) -> Submission.Acceptance {
        if submission.isJudgedFirst, let refusal { throw refusal }
        let key = Key(submission.sender, submission.key)
        if !submission.isServers, let known = keys[key] {
            guard submission.repeats(known.fingerprint) else { throw .keyReused }
            let message = self[known.number]?.shown(at: submission.time, shares)
            let share = message.flatMap { try? SharedLocation($0.data, arrival: $0.time).share }
            return Submission.Acceptance(
                message: try message.orUnknown(known.number),
                isRepeat: true,
                shares: shares[submission.sender, default: []].filter { $0.id == share }
            )
        }
        var submission = submission
        submission.floor = messages.last?.time
        var target: Message?
        if case .recall(let number) = submission.action {
            target = self[number]?.shown(at: submission.time, shares)
        }
        var decision = try ChatRules.decide(
            submission,
            in: chat,
            target: target,
            contacts: contacts,
            shares: shares[submission.sender] ?? [],
            isClosed: isClosed
        )
        if !decision.leavesShares, let refusal { throw refusal }
        if let position = NewestPosition(decision.message) {
            decision = decision.placed(position, behind: newest(of: submission.sender, at: submission.time))
            if !decision.message.isLate { newest[submission.sender] = position }
        }
        let changed = append(decision)
        // A share that ended may have hidden positions.
        for share in changed where share.end != nil { newest[share.user] = nil }
        if !submission.isServers {
            let fingerprint = submission.keptFingerprint(with: decision.message)
            keys[key] = Known(number: decision.message.logNumber, fingerprint: fingerprint)
        }
        if let target {
            empty([Int(target.logNumber - chat.first)], recalled: true)
            newest[target.sender] = nil
        }
        return decision.acceptance(recalled: target, shares: changed)
    }

    private func newest(of sender: UserID, at now: Timestamp) -> NewestPosition? {
        if let known = newest[sender], known.holds(at: now) { return known }
        let last = lastLocations(of: [sender], now: now).messages.first
        return last.flatMap { NewestPosition($0) }
    }

    /// Adds an entry.
    ///
    /// - Returns: The shares that are not as before.
    @discardableResult
    mutating func append(_ decision: ChatRules.Decision) -> [Share] {
        chat = decision.chat
        messages.append(decision.message)
        for participant in decision.moved {
            positions[participant.user] =
                participant.isPresent
                ? ReadPosition(number: decision.message.logNumber, written: chat.written) : nil
        }
        let time = decision.message.time
        let ended = ShareRules.ended(by: decision.moved, at: time) { shares[$0] ?? [] }
        let changed = decision.shares + ended
        for share in decision.saved + ended {
            shares[share.user] = ShareRules.applying([share], to: shares[share.user] ?? [], at: time).shares
        }
        return changed
    }

    /// Notes that a sign-in feeds a share.
    ///
    /// - Returns: Whether that is new.
    mutating func feed(_ share: Share, by source: Int64, at now: Timestamp) -> Bool {
        let known = shares[share.user] ?? []
        guard let fed = ShareRules.fed(share.id, by: source, among: known, at: now) else { return false }
        shares[share.user] = ShareRules.applying([fed], to: known, at: now).shares
        return true
    }

    /// Lets a user be added again.
    ///
    /// - Returns: `false` if the user never was in the chat.
    mutating func stopStayingOut(_ user: UserID) -> Bool {
        guard let place = chat.participants.firstIndex(where: { $0.user == user }) else { return false }
        chat.participants[place].staysOut = nil
        return true
    }

    /// Moves a reader's read position forward.
    ///
    /// - Returns: Where they are, and whether that is further than before.
    mutating func read(_ mark: ReadMark) throws(SharingError) -> (ReadPosition, hasMoved: Bool) {
        _ = try ChatRules.present(mark.reader, in: chat)
        let old = positions[mark.reader] ?? ReadPosition()
        let number = min(mark.number, chat.last)
        guard number > old.number else { return (old, false) }
        let new = ReadPosition(number: number, written: written(upTo: number))
        positions[mark.reader] = new
        return (new, true)
    }

    /// How many messages are written up to a number.
    private func written(upTo number: Int64) -> Int64 {
        if let last = messages.last(where: { $0.logNumber <= number && $0.written != nil }) {
            return last.written ?? 0
        }
        return messages.lazy.compactMap(\.written).first.map { $0 - 1 } ?? chat.written
    }

    /// The reading of the chat, for chat lists.
    func reading(for reader: UserID?, now: Timestamp, isHidden: (UserID) -> Bool) -> ChatReading {
        let last = messages.lazy.reversed().filter { $0.written != nil }.prefix(ChatReading.depth)
        let isWhole = reader == nil || ChatReading.isMutual(chat)
        let positions = positions.filter { isWhole || $0.key == reader }
        return ChatReading(
            newest: last.filter { !$0.isExpired(at: now) }.compactMap { MessagePreview($0) },
            positions: positions,
            hidden: Set(chat.participants.map(\.user).filter { isHidden($0) && (isWhole || $0 == reader) })
        )
    }

    /// Empties one message.
    mutating func expire(_ number: Int64) { empty([Int(number - chat.first)]) }

    /// Empties messages, and drops what is derived from their content.
    private mutating func empty(_ indices: [Int], recalled: Bool = false) {
        for index in indices { messages[index] = messages[index].emptied(recalled: recalled) }
        let numbers = Set(indices.map { messages[$0].logNumber })
        guard !numbers.isEmpty else { return }
        for (key, known) in keys where numbers.contains(known.number) { keys[key]?.fingerprint = 0 }
    }

    /// The messages that still have what has expired.
    func expired(at now: Timestamp) -> [Message] {
        messages.filter { $0.isExpired(at: now) && !$0.isEmpty }
    }

    /// Empties positions that were kept for the chat's period.
    ///
    /// - Returns: How many were emptied.
    mutating func erasePositions(at now: Timestamp, limit: Int) -> Int {
        guard let period = chat.positions.period else { return 0 }
        let over = messages.indices.lazy.filter { [messages] in
            messages[$0].tag == .location && !messages[$0].isEmpty && messages[$0].time <= now - period
        }
        let erased = Array(over.prefix(limit))
        empty(erased)
        if !erased.isEmpty { newest = [:] }
        return erased.count
    }

    /// Empties positions of an expiring share that is over, among the next `limit` of its person's.
    ///
    /// - Returns: How many were emptied, at least 1; 0 if there is no such share.
    mutating func eraseShares(at now: Timestamp, limit: Int) -> Int {
        guard var share = shares.values.joined().first(where: \.needsErasing) else { return 0 }
        let limit = max(1, limit)
        let next = messages.indices.dropFirst(Int(max(0, share.after + 1 - chat.first)))
            .filter { messages[$0].sender == share.user && messages[$0].tag == .location }.prefix(limit)
        let own = next.filter { messages[$0].share == share.id && !messages[$0].isEmpty }
        empty(own)
        share.after = next.last.map { messages[$0].logNumber } ?? share.after
        share.isErased = next.count < limit
        shares[share.user] = ShareRules.applying([share], to: shares[share.user] ?? [], at: now).shares
        return max(1, own.count)
    }

    mutating func trim(below number: Int64) {
        let number = min(number, chat.last + 1)
        guard number > chat.first else { return }
        messages.removeFirst(Int(number - chat.first))
        keys = keys.filter { $0.value.number >= number }
        newest = [:]
        chat.first = number
    }

    func messages(_ query: MessageQuery, reader: UserID, now: Timestamp) throws(SharingError) -> MessageAnswer
    {
        let reader = try ChatRules.present(reader, in: chat)
        guard !query.latest else { return latest(query, reader: reader, now: now) }
        var chosen: [Message] = []
        for message in messages.reversed() {
            guard message.logNumber > query.since, chosen.count < query.limit else { break }
            guard message.logNumber < query.before ?? .max, reader.mayRead(message.logNumber) else {
                continue
            }
            guard query.matches(message) else { continue }
            chosen.append(message.shown(at: now, shares))
        }
        return MessageAnswer(chosen.reversed(), of: chat, reader: reader, through: chat.last)
    }

    private func latest(_ query: MessageQuery, reader: Participant, now: Timestamp) -> MessageAnswer {
        var newest: [UserID: Message] = [:]
        var others: [Message] = []
        for message in messages where reader.mayRead(message.logNumber) && query.matches(message) {
            if query.since > 0, query.filter.emptying.contains(message.tag) { others.append(message) }
            let shown = message.shown(at: now, shares)
            guard query.filter.selects(message), message.tag != .location || shown.data != nil else {
                continue
            }
            let isNewer = newest[message.sender].map { message.isNewer(than: $0) } ?? true
            if isNewer { newest[message.sender] = shown }
        }
        let matches = newest.values.sorted { $0.logNumber < $1.logNumber }.suffix(query.limit)
        let emptying = query.filter.emptying.flatMap { tag in
            others.filter { $0.tag == tag }.suffix(query.limit)
        }
        let chosen = Set(matches).union(emptying).sorted { $0.logNumber < $1.logNumber }
        return MessageAnswer(chosen, of: chat, reader: reader, through: chat.last)
    }

    func messages(
        newest query: MessageQuery,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) throws(SharingError) -> MessageAnswer {
        let floor = floor(of: query, reader: try ChatRules.present(reader, in: chat))
        return try messages(after: floor, query.filter, or: query.emptying, limit, reader, now)
    }

    /// The number above which the newest matches of a query begin.
    private func floor(of query: MessageQuery, reader: Participant) -> Int64 {
        var left = query.limit
        for message in messages.reversed() {
            guard message.logNumber > query.since else { break }
            guard message.logNumber < query.before ?? .max else { continue }
            guard reader.mayRead(message.logNumber), query.filter.selects(message) else { continue }
            left -= 1
            if left == 0 { return message.logNumber - 1 }
        }
        return query.since
    }

    func messages(
        after since: Int64,
        _ filter: MessageFilter,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) throws(SharingError) -> MessageAnswer {
        try messages(after: since, filter, or: filter.emptying, limit, reader, now)
    }

    private func messages(
        after since: Int64,
        _ filter: MessageFilter,
        or others: [MessageTag],
        _ limit: Int,
        _ reader: UserID,
        _ now: Timestamp
    ) throws(SharingError) -> MessageAnswer {
        let reader = try ChatRules.present(reader, in: chat)
        let matching = messages.lazy.filter {
            $0.logNumber > since && reader.mayRead($0.logNumber)
                && (others.contains($0.tag) || filter.selects($0))
        }
        var page = MessagePage(limit: limit)
        for message in matching {
            guard !page.isFull else { break }
            page.append(message.shown(at: now, shares))
        }
        let through = page.isFull ? page.messages.last?.number ?? chat.last : chat.last
        return MessageAnswer(page.messages, of: chat, reader: reader, through: through)
    }

    func message(_ number: Int64, reader: UserID, now: Timestamp) throws(SharingError) -> Message {
        let reader = try ChatRules.present(reader, in: chat)
        let message = reader.mayRead(number) ? self[number] : nil
        return try message.orUnknown(number).shown(at: now, shares)
    }

    func lastLocations(of users: Set<UserID>?, now: Timestamp) -> LastLocations {
        let asked = chat.participants.lazy.filter(\.isPresent).map(\.user).filter {
            users?.contains($0) ?? true
        }
        let wanted = Set(asked)
        var found: [UserID: Message] = [:]
        for message in messages where message.tag == .location && wanted.contains(message.sender) {
            let shown = message.shown(at: now, shares)
            guard shown.position != nil else { continue }
            if found[message.sender].map({ shown.isNewer(than: $0) }) ?? true {
                found[message.sender] = shown
            }
        }
        return LastLocations(chat: chat, messages: chat.participants.compactMap { found[$0.user] })
    }

    /// Whether a message still has its data.
    func hasData(_ number: Int64) -> Bool { self[number]?.data != nil }

    private subscript(number: Int64) -> Message? {
        guard number >= chat.first, number <= chat.last else { return nil }
        return messages[Int(number - chat.first)]
    }
}

extension Message? {
    fileprivate func orUnknown(_ number: Int64) throws(SharingError) -> Message {
        guard let self else { throw .unknownMessage(number) }
        return self
    }
}
