#if Postgres
import YonderLibPQ
import Logging
import Synchronization
import YonderGeodesy
import YonderJSON
import YonderModel
import YonderRules

/// Writes chats by ``ChatRules``, one commit after the other, over a connection of its own.
///
/// ```
///   submissions ──▶ decided over the cached chat ──▶ append_v2, one call for many chats ──▶ numbers
///                        │ refused, or no plain message          │ another version, or a known key
///                        ▼                                       ▼
///                   ChatChange: a transaction that          looked up by key; the rest is decided
///                   locks the chat and reads it again       again over the chat read again
/// ```
///
/// Submissions to one chat are written in their order, and requests are answered in theirs. A chat's later submissions
/// wait for an earlier one that takes another way. A submission whose outcome is unknown is sent again, with its key,
/// until there is an answer. Submissions to a chat whose row another transaction keeps locked are refused until the row
/// is free.
///
/// `PostgreSQLStore` has one and calls it with the requests of one commit after another; the answers come through
/// `WriteAnswers`. A submission whose reads fail, or that wasn't sent, is refused as `unavailable`, and wasn't made.
///
/// The order of a chat's submissions must stay, and that a number is given by the database alone (decision 30,
/// `AppendTests`, `PostgreSQLNodeTests`). How many submissions a call has may be changed.
actor ChatWriter {
    let link: Link
    let outlet: CommitOutlet
    private let logger: Logger

    /// The lines that a message can cause.
    private let failures = LineRate()
    private var cache = ChatCache()

    /// The chats whose rows were still locked after a statement had timed out.
    ///
    /// Submissions to them are refused until their rows are free, so that submissions to other chats wait once, and not
    /// with every batch.
    private var locked: Set<ChatID> = []

    /// Whether what waits for a connection is given up, even if it may have been written: the store is being closed.
    private nonisolated let isClosing = Atomic(false)

    init(_ link: Link, outlet: CommitOutlet, logger: Logger) {
        self.link = link
        self.outlet = outlet
        self.logger = logger
    }

    /// Has what can't be sent be refused from now on.
    nonisolated func close() {
        isClosing.store(true, ordering: .relaxed)
    }

    /// Why nothing can be sent in this round: what follows needn't wait as long again.
    private var outage: LinkFailure?

    var waitsForConnection: Bool { !isClosing.load(ordering: .relaxed) }

    /// Writes requests and completes them.
    func commit(_ requests: [WriteRequest]) async {
        var answers = WriteAnswers(requests, outlet: outlet)
        var items = answers.items
        while !items.isEmpty {
            items = await round(items, &answers)
            answers.deliver()
        }
        await read(requests)
    }

    /// Writes what can be written now.
    ///
    /// - Returns: The rest, in order.
    private func round(_ items: [WriteItem], _ answers: inout WriteAnswers) async -> [WriteItem] {
        outage = nil
        if !locked.isEmpty, let still = try? await LockedChats.among(locked, query) { locked = still }
        await prefetch(items)
        let ended = await endedWarrants(of: items)
        var batch = AppendBatch(capacity: items.count)
        var changes: [WriteItem] = []
        var rest: [WriteItem] = []
        var blocked: Set<ChatID> = []
        for item in items {
            let chat = item.submission.chat
            guard !blocked.contains(chat) else {
                rest.append(item)
                continue
            }
            if !item.wasSent, let refusal = ended[item.submission.warrant] {
                answers.set(.failure(refusal), for: item)
                continue
            }
            switch await way(of: item, &batch) {
            case .appended: break
            case .answered(let error): answers.set(.failure(error), for: item)
            case .change:
                changes.append(item)
                blocked.insert(chat)
            case .later:
                rest.append(item)
                blocked.insert(chat)
            }
        }
        let undone = await append(batch, &answers)
        // Items behind a message that must be sent again wait for it, so that numbers are in the order of requests.
        let waiting = Set(undone.map(\.submission.chat))
        rest += undone + changes.filter { waiting.contains($0.submission.chat) }
        for item in changes where !waiting.contains(item.submission.chat) {
            rest += await change(item, &answers)
        }
        return rest.sorted { ($0.request, $0.place) < ($1.request, $1.place) }
    }

    /// Reads the chats and positions that plain messages need and that aren't cached, with one set of statements for all
    /// messages.
    ///
    /// If a statement fails, the reads are made for each message by itself, which is answered with its own failure.
    private func prefetch(_ items: [WriteItem]) async {
        let messages = items.map(\.submission).filter { submission in
            guard case .message(let draft) = submission.action else { return false }
            return draft.tag != .photo && !locked.contains(submission.chat)
        }
        guard let now = messages.last?.time else { return }
        do {
            let missing = Set(messages.map(\.chat).filter { cache.entry($0) == nil })
            for part in missing.parts(of: ChatEntry.loadLimit) {
                for entry in try await ChatEntry.load(part, query) { cache.insert(entry) }
            }
            for part in movers(of: messages).parts(of: ChatEntry.loadLimit) {
                let newest = try await ChatEntry.readNewest(of: part, at: now, query)
                for (mover, entry) in part { entry.newest[mover.sender] = newest[mover] }
            }
        } catch {
            // Without a connection, the other messages needn't wait for it once more.
            if (error as? LinkFailure)?.outcome == .unsent { _ = refusal(of: error) }
        }
    }

    /// The senders of positions whose newest ones aren't cached.
    private func movers(of messages: [Submission]) -> [(Mover, ChatEntry)] {
        var movers: [Mover: ChatEntry] = [:]
        for submission in messages {
            guard case .message(let draft) = submission.action, draft.tag == .location,
                let entry = cache.entry(submission.chat), entry.newest[submission.sender] == nil
            else { continue }
            movers[Mover(chat: submission.chat, sender: submission.sender)] = entry
        }
        return movers.map { ($0, $1) }
    }

    private enum Way {
        /// It is in the batch.
        case appended
        /// It takes a transaction of its own.
        case change
        /// It waits for the next round.
        case later
        case answered(SharingError)
    }

    private func way(of item: WriteItem, _ batch: inout AppendBatch) async -> Way {
        let submission = item.submission
        if locked.contains(submission.chat), !item.wasSent { return .answered(.storeFailed) }
        guard case .message(let draft) = submission.action, draft.tag != .photo else { return .change }
        guard !batch.has(submission) else { return .later }
        if let outage { return way(of: item, after: outage) }
        do {
            let entry = try await entry(submission.chat)
            // Who is refused by a state that may be old is decided again over the chat as it is.
            guard
                var decision = try? ChatRules.decide(
                    entry.ordered(submission),
                    in: entry.chat,
                    from: entry.participant(submission.sender),
                    shares: entry.shares[submission.sender] ?? [],
                    isClosed: entry.isClosed
                ), decision.leavesShares
            else { return .change }
            let seen = try await place(&decision, in: entry)
            batch.append(item, decision.message, version: entry.version, seen: seen)
            entry.note(decision.message.time)
            return .appended
        } catch {
            return way(of: item, after: error)
        }
    }

    /// Without a connection, what may have been written already must not be refused.
    private func way(of item: WriteItem, after error: any Error) -> Way {
        guard let failure = error as? LinkFailure else { return .answered(refusal(of: error)) }
        if failure.outcome == .unknown { return .later }
        if failure.outcome == .unsent, item.wasSent, waitsForConnection {
            outage = failure
            return .later
        }
        return .answered(refusal(of: error))
    }

    /// Compares a position with the sender's newest.
    ///
    /// - Returns: The number of the last one that isn't late, for a position.
    private func place(_ decision: inout ChatRules.Decision, in entry: ChatEntry) async throws -> Int64? {
        guard let position = NewestPosition(decision.message) else { return nil }
        let (sender, time) = (decision.message.sender, decision.message.time)
        let newest = try await newest(of: sender, at: time, in: entry, query)
        decision = decision.placed(position, behind: newest.position)
        if !decision.message.isLate { entry.newest[sender]?.position = position }
        return newest.number
    }

    private func newest(of sender: UserID, at now: Timestamp, in entry: ChatEntry, _ query: @escaping Query)
        async throws -> ChatEntry.Newest
    {
        if let known = entry.newest[sender], known.position?.holds(at: now) ?? true { return known }
        let newest = try await ChatEntry.readNewest(of: sender, at: now, in: entry, query)
        entry.newest[sender] = newest
        return newest
    }

    private func append(_ batch: AppendBatch, _ answers: inout WriteAnswers) async -> [WriteItem] {
        guard !batch.entries.isEmpty else { return [] }
        do throws(LinkFailure) {
            let row = try await link.run(AppendBatch.statement, batch.parameters).rows.first
            let (bases, written) = (row?.ints(0) ?? [], row?.ints(1) ?? [])
            let times = row?.ints(2) ?? []
            var undecided: [ChatID: [WriteItem]] = [:]
            var moved: [WriteItem] = []
            for entry in batch.entries {
                let chat = entry.message.chat
                let base =
                    entry.place < min(bases.count, written.count, times.count) ? bases[entry.place] : -1
                if base == AppendBatch.behindPosition {
                    cache.entry(chat)?.newest[entry.message.sender] = nil
                    moved.append(entry.item)
                    continue
                }
                guard base >= 0 else {
                    undecided[chat, default: []].append(entry.item)
                    continue
                }
                let floor = Timestamp(milliseconds: times[entry.place])
                let acceptance = entry.acceptance(base: base, written: written[entry.place], notBefore: floor)
                answers.set(.success(acceptance), for: entry.item)
                note(acceptance.message)
            }
            answers.tell()
            return await lookUp(undecided, &answers) + moved
        } catch {
            for chat in batch.chats { cache.remove(chat) }
            if error.isLockTimeout { await noteLocked(among: batch.chats) }
            return again(batch.entries.map(\.item), after: error, &answers)
        }
    }

    /// Takes over what a commit changed of a cached chat.
    private func note(_ message: Message) {
        guard let entry = cache.entry(message.chat) else { return }
        guard let number = message.number else { return }
        entry.chat.last = max(entry.chat.last, number)
        entry.note(message.time)
        if message.position != nil, !message.isLate { entry.newest[message.sender]?.number = number }
    }

    /// Answers what is known by its key.
    ///
    /// - Returns: The rest, to be decided over the chats read again.
    private func lookUp(_ undecided: [ChatID: [WriteItem]], _ answers: inout WriteAnswers) async
        -> [WriteItem]
    {
        guard !undecided.isEmpty else { return [] }
        defer { answers.tell() }
        for chat in undecided.keys { cache.remove(chat) }
        let items = undecided.values.flatMap(\.self)
        do {
            let known = try await MessageTable.known(items.map(\.submission), query)
            let byChat = Dictionary(grouping: known, by: \.message.chat)
            var rest: [WriteItem] = []
            for item in items {
                let (submission, key) = (item.submission, Array(item.submission.key.utf8))
                let found = byChat[submission.chat]?.first {
                    $0.message.sender == submission.sender && $0.key == key
                }
                guard let found else {
                    rest.append(item)
                    continue
                }
                do {
                    let entry = try await entry(submission.chat)
                    answers.set(try await ChatChange.answer(item, found, in: entry, query), for: item)
                } catch let error as SharingError {
                    answers.set(.failure(error), for: item)
                }
            }
            return rest
        } catch let failure as LinkFailure {
            return again(items.filter { !answers.has($0) }, after: failure, &answers)
        } catch {
            for item in items { answers.set(.failure(refusal(of: error)), for: item) }
            return []
        }
    }

    /// Writes one submission in a transaction of its own.
    ///
    /// - Returns: The same if it must go again.
    private func change(_ item: WriteItem, _ answers: inout WriteAnswers) async -> [WriteItem] {
        let chat = item.submission.chat
        if let outage { return again([item], after: outage, &answers) }
        let cached = cache.entry(chat)
        let end = await Transaction.attempt(on: link, outlet: outlet) {
            try await ChatChange.perform(item, cached, $0)
        }
        switch end {
        case .committed(let change):
            cache.remove(chat)
            if let entry = change.entry { cache.insert(entry) }
            answers.set(change.result, for: item)
            answers.tell()
            return []
        case .refused(let error):
            answers.set(.failure(error), for: item)
            return []
        case .undone(let failure):
            cache.remove(chat)
            // The connection was lost before the commit was sent.
            if failure.outcome == .unknown { return [item] }
            if failure.isLockTimeout { await noteLocked(among: [chat]) }
            return again([item], after: failure, &answers)
        case .unknown(let failure):
            cache.remove(chat)
            return again([item], after: failure, &answers)
        }
    }

    private func noteLocked(among chats: [ChatID]) async {
        guard let found = try? await LockedChats.among(chats, query), !found.isEmpty else { return }
        if failures.take("locked") != nil {
            logger.warning(
                "Chats are locked by another transaction; messages to them are refused: \(found.count)"
            )
        }
        locked.formUnion(found)
    }

    /// What goes again after a failure; the rest is refused.
    private func again(_ items: [WriteItem], after failure: LinkFailure, _ answers: inout WriteAnswers)
        -> [WriteItem]
    {
        var rest: [WriteItem] = []
        for var item in items {
            item.wasSent = item.wasSent || failure.outcome == .unknown
            if failure.isDuplicate { item.conflicts += 1 }
            if failure.isLockTimeout { item.lockTimeouts += 1 }
            let isKept =
                failure.outcome == .unknown
                || failure.isTransient && (item.lockTimeouts < 2 || item.wasSent)
                || failure.isDuplicate && item.conflicts < 5
                || failure.outcome == .unsent && item.wasSent && waitsForConnection
            if isKept { rest.append(item) } else { answers.set(.failure(refusal(of: failure)), for: item) }
        }
        return rest
    }

    var query: Query {
        { [link] statement, parameters in try await link.run(statement, parameters).rows }
    }

    private func entry(_ chat: ChatID) async throws -> ChatEntry {
        if let entry = cache.entry(chat) { return entry }
        let entry = try await ChatEntry.load(chat, query)
        cache.insert(entry)
        return entry
    }

    func refusal(of error: any Error) -> SharingError {
        if let refusal = error as? SharingError { return refusal }
        guard let failure = error as? LinkFailure else { return .storeFailed }
        guard failure.outcome != .busy else { return .storeBusy }
        if outage == nil, failures.take() != nil {
            logger.error("The database didn't take a message: \(failure.message.utf8.logged(atMost: 500))")
        }
        if failure.outcome == .unsent { outage = failure }
        return .storeFailed
    }
}

extension Collection {
    /// The elements in arrays of at most `size`.
    fileprivate func parts(of size: Int) -> [[Element]] {
        let all = Array(self)
        return stride(from: 0, to: all.count, by: size).map {
            Array(all[$0..<Swift.min($0 + size, all.count)])
        }
    }
}
#endif
