import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

/// Writes chats by ``ChatRules``, inside transactions that the caller begins and ends.
///
/// Each transaction begins with ``begin(in:)`` and is followed by ``end(failed:_:)``.
///
/// ```
///            begin(in:)              submit, settle, trim, …           end(failed: false)
///   fresh ─────────────▶ in a transaction ───────────▶ touched ─────────────────────────▶ fresh
///     ▲                        │                          │
///     │ begin(in:) reads       └─ end(failed: true) ──────┼──▶ fresh, if no chat was touched
///   stale ◀────────────────────── end(failed: true) ──────┘
///     ▲ forget(), and at the start
///
///   a message:  submit ──▶ table `recent`, in memory, too ──▶ settle: table `message`, where readers look
/// ```
///
/// Invariants:
///
/// 1. The memory equals the disk at the beginning of every transaction: a rollback makes the memory stale if
///    the transaction had changed it, and ``begin(in:)`` then reads the memory again.
/// 2. Reading the memory again writes nothing, so that a full disk can't prevent it.
/// 3. A chat that a transaction changes in memory is in `touched` before the transaction ends.
/// 4. A message's number is one above the chat's last, given inside the transaction that stores it.
/// 5. A key that was used is answered with its first message, or refused for another one.
/// 6. A chat's waiting messages are settled before the writer reads or changes its messages by number; a look-up by
///    key asks both tables.
///
/// `SQLiteStore` has one, and calls it inside `transact` alone, for submissions, marks and upkeep. A refusal is a result,
/// and the transaction goes on; any other error rolls it back. `SQLiteStoreTests` and `CountingTests` hold the
/// invariants, with kills and failing disks (decision 5).
///
/// The six invariants must stay; how many messages wait in `recent`, and how many chats are cached, may be changed.
// Safe because every call comes from the one queue of the database's writer.
final class ChatWriter: @unchecked Sendable {
    private var cache = ChatCache()
    var recent = RecentMessages()

    /// Whether the memory may differ from the disk, as at the start.
    private var isStale = true

    /// The chats that this transaction has changed in memory.
    var touched: Set<ChatID> = []

    /// The changes that the outlet receives once this transaction is committed.
    var commit = StoreCommit()
    private let insertion = KeptStatement(RecentRow.insertion)
    private let keyLookUp = KeptStatement(MessageRow.keyLookUp)

    /// The most messages that wait to be moved to their chats.
    private let recentLimit: Int

    /// The most bytes in memory of messages that wait to be moved.
    private let recentBytes: Int

    init(recentLimit: Int, recentBytes: Int = 64 << 20) {
        self.recentLimit = recentLimit
        self.recentBytes = recentBytes
    }

    /// Reads the memory again if the last transaction was rolled back.
    func begin(in database: Database) throws {
        guard isStale else { return }
        cache.removeAll()
        recent = try RecentRow.waiting(in: database)
        isStale = false
    }

    /// The chats with messages that wait to be moved; call ``begin(in:)`` first.
    var unsettled: Set<ChatID> { Set(recent.chats) }

    /// Call this when a transaction has ended.
    ///
    /// - Parameters:
    ///   - failed: Whether it was rolled back.
    ///   - unsettled: Updated: chats with messages that wait to be moved are added, those without are
    ///     removed.
    /// - Returns: What others must be told; nothing after a rollback.
    func end(failed: Bool, _ unsettled: inout Set<ChatID>) -> StoreCommit {
        defer {
            touched.removeAll(keepingCapacity: true)
            commit = StoreCommit()
        }
        guard !failed else {
            isStale = isStale || !touched.isEmpty
            return StoreCommit()
        }
        for chat in touched {
            if recent.contains(chat) { unsettled.insert(chat) } else { unsettled.remove(chat) }
        }
        return commit
    }

    /// Marks the memory as stale, after the database was reopened.
    func forget() {
        isStale = true
    }

    /// Records that this transaction changes a chat in memory.
    func touch(_ chat: ChatID) { touched.insert(chat) }

    /// Removes rows of moved messages from the table `recent`, among the next `limit` behind `id`.
    ///
    /// - Returns: The last of these rows; `nil` if there are no more.
    func removeMoved(behind id: Int64, limit: Int, in database: Database) throws -> Int64? {
        try RecentRow.removeMoved(behind: id, limit: limit, in: database)
    }

    /// Moves the waiting messages of a chat to the table `message`, where readers look.
    func settle(_ chat: ChatID, in database: Database) throws {
        guard recent.contains(chat) else { return }
        touched.insert(chat)
        for row in recent.take(chat) { try move(row, in: database) }
    }

    /// Moves the waiting messages of chats with messages that expire.
    func settleExpiring(in database: Database) throws {
        for chat in recent.expiringChats { try settle(chat, in: database) }
    }

    /// Moves the oldest waiting messages if there are too many of them, or if they are too old.
    ///
    /// All messages of a chat are moved at once, so that its pages are written once. A chat with most of the
    /// waiting messages moves only a quarter of the limit: fewer would write the pages of its many senders
    /// too often, more would delay other chats.
    func settleOldest(in database: Database) throws {
        while isTooMuch {
            let rows = recent.takeOldest(limit: max(1, recentLimit / 4))
            for row in rows { try move(row, in: database) }
            if let chat = rows.first?.message.chat { touched.insert(chat) }
        }
        if let end = recent.nextRemoval(limit: 4_096) {
            try RecentRow.remove(below: end, in: database)
        }
    }

    private var isTooMuch: Bool {
        recent.count > recentLimit || recent.bytes > recentBytes
            || recent.lastID - recent.lowestID() >= 2 * Int64(recentLimit)
    }

    private func move(_ row: RecentMessages.Row, in database: Database) throws {
        try MessageRow.insert(row.message, key: row.key, fingerprint: row.fingerprint, into: database)
    }

    func submit(_ submission: Submission, in database: Database) throws
        -> Result<Submission.Acceptance, SharingError>
    {
        do {
            if submission.isJudgedFirst { try judge(submission.warrant, in: database) }
            let acceptance = try accept(submission, in: database)
            if !acceptance.isRepeat { commit.messages.append(acceptance) }
            return .success(acceptance)
        } catch let refusal as SharingError {
            return .failure(refusal)
        }
    }

    private func judge(_ warrant: Warrant, in database: Database) throws {
        try WarrantTable.judge(warrant, SQLiteTransaction(database))
    }

    private func accept(_ submission: Submission, in database: Database) throws -> Submission.Acceptance {
        guard case .message = submission.action else { return try acceptAction(submission, in: database) }
        let entry = try entry(submission.chat, in: database)
        let submission = entry.ordered(submission)
        let sender = entry.participant(submission.sender)
        let isClosed = try isClosed(entry, in: database)
        var decision: ChatRules.Decision
        do throws(SharingError) {
            decision = try ChatRules.decide(
                submission,
                in: entry.chat,
                from: sender,
                shares: entry.shares[submission.sender] ?? [],
                isClosed: isClosed
            )
        } catch {
            // A sender who has left, or is too late, still gets the earlier answer for a repeated key.
            guard let acceptance = try knownAcceptance(submission, in: database) else { throw error }
            return acceptance
        }
        if let acceptance = try knownAcceptance(submission, in: database) { return acceptance }
        if !decision.leavesShares { try judge(submission.warrant, in: database) }
        try place(&decision, in: entry, database)
        let row = RecentMessages.Row(
            id: recent.nextID(),
            message: decision.message,
            key: submission.key,
            fingerprint: submission.keptFingerprint(with: decision.message)
        )
        try RecentRow.insert(row, into: database, with: insertion)
        if decision.message.tag == .photo {
            try ImageTable.note(decision.message, SQLiteTransaction(database))
        }
        recent.append(row)
        touched.insert(submission.chat)
        entry.take(decision)
        if !decision.leavesShares { try save(decision.saved, in: entry, at: submission.time, database) }
        return decision.acceptance(shares: decision.shares)
    }

    /// Compares a position with the sender's newest, which is remembered.
    private func place(
        _ decision: inout ChatRules.Decision,
        in entry: ChatCache.Entry,
        _ database: Database
    ) throws {
        guard let position = NewestPosition(decision.message) else { return }
        let (sender, time) = (decision.message.sender, decision.message.time)
        let newest = try newest(of: sender, at: time, in: entry, database)
        decision = decision.placed(position, behind: newest)
        if !decision.message.isLate { entry.newest[sender] = position }
    }

    private func newest(
        of sender: UserID,
        at now: Timestamp,
        in entry: ChatCache.Entry,
        _ database: Database
    ) throws -> NewestPosition? {
        if let known = entry.newest[sender], known?.holds(at: now) ?? true { return known }
        try settle(entry.chat.id, in: database)
        let chat = entry.chat.id
        let hidden = try SQLiteTransaction(database).hiddenShares(of: chat, at: now)
        let last = try MessageRow.lastLocation(of: sender, in: chat, hidden: hidden, now: now, database)
        let newest = last.flatMap { NewestPosition($0) }
        entry.newest[sender] = newest
        return newest
    }

    /// Performs any action other than a message.
    ///
    /// Such actions are rare, so a look-up before each costs nothing.
    private func acceptAction(_ submission: Submission, in database: Database) throws -> Submission.Acceptance
    {
        let entry = try entry(submission.chat, in: database)
        if !submission.isServers, let acceptance = try knownAcceptance(submission, in: database) {
            return acceptance
        }
        let target = try target(of: submission, in: database)
        let decision = try ChatRules.decide(
            entry.ordered(submission),
            in: entry.chat,
            from: entry.participant(submission.sender),
            target: target,
            contacts: contacts(for: submission, in: database),
            shares: entry.shares[submission.sender] ?? [],
            isClosed: isClosed(entry, in: database)
        )
        let key = submission.isServers ? nil : submission.key
        let fingerprint = submission.keptFingerprint(with: decision.message)
        let shares = try save(decision, in: entry, key: key, fingerprint: fingerprint, database)
        if let target {
            try MessageRow.recall(target, in: database)
            entry.newest[target.sender] = nil
        }
        return decision.acceptance(recalled: target, shares: shares)
    }

    private func knownAcceptance(_ submission: Submission, in database: Database) throws
        -> Submission.Acceptance?
    {
        let isRecent = recent.knows(submission)
        guard try isRecent || MessageRow.isKnown(submission, in: database, with: keyLookUp) else {
            return nil
        }
        if isRecent { try settle(submission.chat, in: database) }
        guard let (message, fingerprint) = try MessageRow.known(submission, in: database) else { return nil }
        guard submission.repeats(fingerprint) else { throw SharingError.keyReused }
        let shares = try entry(submission.chat, in: database).shares
        let share = try? SharedLocation(message.data, arrival: message.time).share
        return Submission.Acceptance(
            message: message.shown(at: submission.time, shares),
            isRepeat: true,
            shares: shares[submission.sender, default: []].filter { $0.id == share }
        )
    }

    private func target(of submission: Submission, in database: Database) throws -> Message? {
        guard case .recall(let number) = submission.action else { return nil }
        try settle(submission.chat, in: database)
        let id = Message.ID(chat: submission.chat, number: number)
        return try MessageRow.message(id, in: database)?.shown(at: submission.time)
    }

    private func contacts(for submission: Submission, in database: Database) throws -> Set<UserID> {
        guard case .add(let users) = submission.action else { return [] }
        let contacts = ContactTable.contacts(of: submission.sender, among: users)
        return Set(try SQLiteTransaction(database).rows(contacts))
    }

    func save(
        _ decision: ChatRules.Decision,
        in entry: ChatCache.Entry,
        key: String?,
        fingerprint: Int64,
        _ database: Database
    ) throws -> [Share] {
        try settle(entry.chat.id, in: database)
        touched.insert(entry.chat.id)
        try MessageRow.insert(decision.message, key: key, fingerprint: fingerprint, into: database)
        _ = try ChatRow.raiseVersion(of: decision.chat.id, in: database)
        if entry.chat.subject != decision.chat.subject {
            try ChatRow.setSubject(decision.chat.subject, of: decision.chat.id, in: database)
        }
        if entry.chat.positionsWord != decision.chat.positionsWord {
            try ChatRow.setPositions(decision.chat.positionsWord, of: decision.chat.id, in: database)
        }
        if entry.chat.isSubjectLocked != decision.chat.isSubjectLocked {
            try ChatRow.setSubjectLocked(decision.chat.isSubjectLocked, of: decision.chat.id, in: database)
        }
        entry.take(decision)
        entry.index()
        for participant in decision.changed {
            guard let place = entry.places[participant.user] else { continue }
            try ChatRow.save(participant, place: place, in: entry.chat.id, database)
        }
        for participant in decision.moved { try setRead(participant, after: decision, database) }
        let joined = decision.moved.filter(\.isPresent).map(\.user)
        try AccountTable.giveHues(to: joined, in: entry.chat.id, SQLiteTransaction(database))
        let time = decision.message.time
        let shares =
            decision.shares + ShareRules.ended(by: decision.moved, at: time) { entry.shares[$0] ?? [] }
        try save(shares, in: entry, at: time, database)
        return shares
    }

    /// Marks everything as read for a participant who joined, and removes the position of one who left.
    private func setRead(_ participant: Participant, after decision: ChatRules.Decision, _ database: Database)
        throws
    {
        let chat = decision.chat
        guard participant.isPresent else {
            return try ReadingRow.remove(participant.user, from: chat.id, database)
        }
        let position = ReadPosition(number: chat.last, written: chat.written)
        try ReadingRow.set(position, of: participant.user, in: chat.id, database)
    }

    /// Writes shares that are new or not as before, in memory, too.
    func save(_ shares: [Share], in entry: ChatCache.Entry, at time: Timestamp, _ database: Database)
        throws
    {
        for share in shares {
            let known = entry.shares[share.user] ?? []
            let (kept, forgotten) = ShareRules.applying([share], to: known, at: time)
            entry.shares[share.user] = kept
            // The end of a share may have hidden or erased the newest position.
            if share.end != nil { entry.newest[share.user] = nil }
            try ShareTable.save([share], removing: forgotten, SQLiteTransaction(database))
        }
    }

    /// Removes up to `limit` messages below `number`.
    ///
    /// - Returns: Whether there may be more.
    func trim(_ chat: ChatID, below number: Int64, limit: Int64, in database: Database) throws -> Bool {
        try settle(chat, in: database)
        let entry = try entry(chat, in: database)
        let before = entry.chat.first
        touched.insert(chat)
        entry.newest = [:]
        entry.chat.first = try ChatRow.trim(entry.chat, below: number, limit: limit, in: database)
        return entry.chat.first - before == limit
    }

    func entry(_ chat: ChatID, in database: Database) throws -> ChatCache.Entry {
        try cache.entry(chat) {
            try settle(chat, in: database)
            return ChatCache.Entry(
                try ChatRow.chat(chat, in: database),
                latest: try MessageRow.newestTime(of: chat, in: database),
                shares: Dictionary(
                    grouping: try SQLiteTransaction(database).rows(ShareTable.shares(of: [chat])),
                    by: \.user
                )
            )
        }
    }
}
