#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

/// A submission that changes more than a chat's log, or whose refusal must be sure: in a transaction that locks the chat.
///
/// `ChatWriter` calls ``perform(_:_:_:)`` for each submission that ``AppendBatch`` can't take: one that changes
/// participants, subject or shares, takes messages back, or that was refused over a cached chat. The transaction has the
/// chat's row locked until its end. A refusal is a ``SharingError``; a ``LinkFailure`` lets `ChatWriter` try again, and
/// a repeat finds the key and gets the first answer.
///
/// That the row is locked before it is read must stay, and that the version is raised with each change: other processes
/// decide by it (decision 30, `PostgreSQLStoreTests`). What is decided is in `ChatRules`.
struct ChatChange {
    let result: Result<Submission.Acceptance, SharingError>

    /// The chat after it, for the cache; `nil` if it must be read again.
    let entry: ChatEntry?

    /// Decides and writes one submission.
    ///
    /// - Throws: ``LinkFailure``, and ``SharingError`` for a refusal.
    static func perform(_ item: WriteItem, _ cached: ChatEntry?, _ transaction: Transaction) async throws
        -> ChatChange
    {
        let submission = item.submission
        let refusal = try await transaction.refusals(of: [submission.warrant])[submission.warrant]
        // What may have been committed when its right was still good is answered by its key.
        if let refusal, !item.wasSent { throw refusal }
        guard let head = try await ChatTable.lock(submission.chat, transaction) else {
            throw SharingError.unknownChat
        }
        let entry = try await entry(submission.chat, cached, head, transaction)
        if !submission.isServers,
            let known = try await MessageTable.known([submission], transaction.query)
                .first
        {
            return ChatChange(
                result: try await answer(item, known, in: entry, transaction.query),
                entry: entry
            )
        }
        if let refusal { throw refusal }
        let decision = try await decide(submission, in: entry, transaction)
        return try await write(decision, submission, in: entry, transaction)
    }

    /// The chat as it is: the cached one if that has the version of the locked row.
    private static func entry(
        _ chat: ChatID,
        _ cached: ChatEntry?,
        _ head: ChatTable.Head,
        _ transaction: Transaction
    ) async throws -> ChatEntry {
        guard let cached, cached.version == head.version else {
            return try await ChatEntry.load(chat, transaction.query)
        }
        cached.chat.first = head.first
        cached.chat.last = head.last
        cached.chat.written = head.written
        cached.chat.active = head.active
        cached.latest = try await MessageTable.newestTimes(of: [chat], transaction.query)[chat]
        return cached
    }

    private static func decide(_ submission: Submission, in entry: ChatEntry, _ transaction: Transaction)
        async throws -> (ChatRules.Decision, target: Message?)
    {
        var target: Message?
        if case .recall(let number) = submission.action {
            let id = Message.ID(chat: submission.chat, number: number)
            target = try await MessageTable.message(id, transaction.query)?
                .shown(at: submission.time, entry.shares)
        }
        var contacts: Set<UserID> = []
        if case .add(let users) = submission.action {
            let among = ContactTable.contacts(of: submission.sender, among: users)
            contacts = Set(try await among.rows(transaction.query))
        }
        var decision = try ChatRules.decide(
            entry.ordered(submission),
            in: entry.chat,
            from: entry.participant(submission.sender),
            target: target,
            contacts: contacts,
            shares: entry.shares[submission.sender] ?? [],
            isClosed: entry.isClosed
        )
        if let position = NewestPosition(decision.message) {
            let newest = try await ChatEntry.readNewest(
                of: submission.sender,
                at: submission.time,
                in: entry,
                transaction.query
            )
            decision = decision.placed(position, behind: newest.position)
        }
        return (decision, target)
    }

    private static func write(
        _ decided: (decision: ChatRules.Decision, target: Message?),
        _ submission: Submission,
        in entry: ChatEntry,
        _ transaction: Transaction
    ) async throws -> ChatChange {
        let (decision, target) = decided
        let key = submission.isServers ? nil : submission.key
        let fingerprint = submission.keptFingerprint(with: decision.message)
        let shares = try await save(decision, key: key, fingerprint: fingerprint, in: entry, transaction)
        if let target { try await MessageTable.recall(target, transaction) }
        return ChatChange(
            result: .success(decision.acceptance(recalled: target, shares: shares)),
            entry: entry
        )
    }

    /// Writes a decision about a locked chat, and takes it over into the entry, which is lost if the transaction fails.
    ///
    /// - Returns: The shares that are new or not as before.
    static func save(
        _ decision: ChatRules.Decision,
        key: String?,
        fingerprint: Int64,
        in entry: ChatEntry,
        _ transaction: Transaction
    ) async throws -> [Share] {
        let message = decision.message
        try await MessageTable.insert(message, key: key, fingerprint: fingerprint, transaction)
        if message.position != nil, !message.isLate { try await MessageTable.setLast(message, transaction) }
        if message.tag == .photo {
            try await transaction.onThread { try ImageTable.note(message, $0) }
        }
        let isPlain = !message.tag.isReserved && decision.leavesShares
        try await ChatTable.update(decision.chat, raisesVersion: !isPlain, transaction)
        entry.chat = decision.chat
        entry.note(message.time)
        if !isPlain { entry.version += 1 }
        // It may have taken a position back, or hidden those of a share.
        if isPlain { entry.newest[message.sender] = nil } else { entry.newest = [:] }
        entry.index()
        try await save(decision.changed, moved: decision.moved, message, in: entry, transaction)
        let ended = ShareRules.ended(by: decision.moved, at: message.time) { entry.shares[$0] ?? [] }
        try await save(decision.saved + ended, in: entry, at: message.time, transaction)
        return decision.shares + ended
    }

    private static func save(
        _ changed: [Participant],
        moved: [Participant],
        _ message: Message,
        in entry: ChatEntry,
        _ transaction: Transaction
    ) async throws {
        let chat = entry.chat.id
        let people = changed.compactMap { participant in
            entry.place(of: participant.user).map { (offset: $0, element: participant) }
        }
        try await ChatTable.save(people, in: chat, transaction)
        let joined = moved.filter(\.isPresent).map(\.user)
        let position = ReadPosition(number: message.number ?? entry.chat.last, written: entry.chat.written)
        try await ReadingTable.set(position, of: joined, in: chat, transaction)
        try await ReadingTable.remove(moved.filter { !$0.isPresent }.map(\.user), from: chat, transaction)
        if !joined.isEmpty {
            try await transaction.onThread { try AccountTable.giveHues(to: joined, in: chat, $0) }
        }
    }

    private static func save(
        _ shares: [Share],
        in entry: ChatEntry,
        at time: Timestamp,
        _ transaction: Transaction
    )
        async throws
    {
        for share in shares {
            let known = entry.shares[share.user] ?? []
            let (kept, forgotten) = ShareRules.applying([share], to: known, at: time)
            entry.shares[share.user] = kept
            try await transaction.onThread { try ShareTable.save([share], removing: forgotten, $0) }
        }
    }

    /// The answer to a submission whose key is known: the first message, as a repeat.
    ///
    /// If it is the submission's own, from an attempt whose answer was lost, the answer is that of the attempt, as far
    /// as the database still has it.
    static func answer(_ item: WriteItem, _ known: MessageTable.Known, in entry: ChatEntry, _ query: Query)
        async throws -> Result<Submission.Acceptance, SharingError>
    {
        let (submission, message) = (item.submission, known.message)
        guard submission.repeats(known.fingerprint) else { return .failure(.keyReused) }
        let shown = message.shown(at: submission.time, entry.shares)
        let share = try? SharedLocation(message.data, arrival: message.time).share
        let shares = entry.shares[submission.sender, default: []].filter {
            $0.id == share || $0.id == message.share
        }
        guard item.isOwn(message) else {
            let named = shares.filter { $0.id == share }
            return .success(Submission.Acceptance(message: shown, isRepeat: true, shares: named))
        }
        var recalled: Message?
        if case .recall(let number) = submission.action {
            recalled = try await MessageTable.message(.init(chat: message.chat, number: number), query)
        }
        return .success(
            Submission.Acceptance(
                message: shown,
                isRepeat: false,
                recalled: recalled,
                moved: entry.chat.moved(by: message),
                written: try await MessageTable.written(upTo: message, query),
                shares: shares
            )
        )
    }
}
#endif
