import GRDB
import YonderGeodesy
import YonderModel

/// Writes chats by ``ChatRules``, inside transactions that others begin and end.
///
/// After a transaction that failed, ``forget()`` must come before anything else.
// Safe because every call comes from the one queue of the database's writer.
final class ChatWriter: @unchecked Sendable {
    private var cache = ChatCache()

    /// Forgets what a transaction that failed has left here.
    func forget() {
        cache.removeAll()
    }

    func submit(_ submission: Submission, in database: Database) throws
        -> Result<Submission.Acceptance, SharingError>
    {
        do {
            return .success(try accept(submission, in: database))
        } catch let refusal as SharingError {
            return .failure(refusal)
        }
    }

    private func accept(_ submission: Submission, in database: Database) throws -> Submission.Acceptance {
        guard case .message = submission.action else { return try acceptAction(submission, in: database) }
        let entry = try entry(submission.chat, in: database)
        let sender = entry.participant(submission.sender)
        let decision: ChatRules.Decision
        do throws(SharingError) {
            decision = try ChatRules.decide(submission, in: entry.chat, from: sender)
        } catch {
            // Who has left, or is too late, is still told what a message of theirs got before.
            guard let acceptance = try knownAcceptance(submission, in: database) else { throw error }
            return acceptance
        }
        let fingerprint = submission.fingerprint
        let isNew = try MessageRow.insert(
            decision.message,
            key: submission.key,
            fingerprint: fingerprint,
            into: database
        )
        guard isNew else {
            return try knownAcceptance(submission, in: database).orFailure()
        }
        entry.chat = decision.chat
        return Submission.Acceptance(message: decision.message, isRepeat: false)
    }

    /// Anything but a message: rare, so that looking first costs nothing.
    private func acceptAction(_ submission: Submission, in database: Database) throws -> Submission.Acceptance
    {
        let entry = try entry(submission.chat, in: database)
        if let acceptance = try knownAcceptance(submission, in: database) { return acceptance }
        let target = try target(of: submission, in: database)
        let decision = try ChatRules.decide(
            submission,
            in: entry.chat,
            from: entry.participant(submission.sender),
            target: target,
            contacts: contacts(for: submission, in: database)
        )
        try save(decision, in: entry, key: submission.key, fingerprint: submission.fingerprint, database)
        if let target { try MessageRow.recall(target, in: database) }
        return Submission.Acceptance(
            message: decision.message,
            isRepeat: false,
            recalled: target,
            moved: decision.moved
        )
    }

    private func knownAcceptance(_ submission: Submission, in database: Database) throws
        -> Submission.Acceptance?
    {
        guard let (message, fingerprint) = try MessageRow.known(submission, in: database) else { return nil }
        guard fingerprint == submission.fingerprint else { throw SharingError.keyReused }
        return Submission.Acceptance(message: message.shown(at: submission.time), isRepeat: true)
    }

    private func target(of submission: Submission, in database: Database) throws -> Message? {
        guard case .recall(let number) = submission.action else { return nil }
        let id = Message.ID(chat: submission.chat, number: number)
        return try MessageRow.message(id, in: database)?.shown(at: submission.time)
    }

    private func contacts(for submission: Submission, in database: Database) throws -> Set<UserID> {
        guard case .add(let users) = submission.action else { return [] }
        return try AccountRow.contacts(of: submission.sender, among: users, in: database)
    }

    private func save(
        _ decision: ChatRules.Decision,
        in entry: ChatCache.Entry,
        key: String?,
        fingerprint: Int64,
        _ database: Database
    ) throws {
        guard
            try MessageRow.insert(decision.message, key: key, fingerprint: fingerprint, into: database)
        else { throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "A key came twice.") }
        if entry.chat.subject != decision.chat.subject {
            try ChatRow.setSubject(decision.chat.subject, of: decision.chat.id, in: database)
        }
        entry.chat = decision.chat
        entry.index()
        for participant in decision.changed {
            guard let place = entry.places[participant.user] else { continue }
            try ChatRow.save(participant, place: place, in: entry.chat.id, database)
        }
    }

    func start(
        _ wish: ChatStart,
        at time: Timestamp,
        nextID: () -> ChatID,
        in database: Database
    ) throws -> ChatStart.Outcome {
        if let (chat, fingerprint) = try ChatRow.started(wish, in: database) {
            guard fingerprint == wish.fingerprint else { throw SharingError.keyReused }
            let chat = try entry(chat, in: database).chat
            _ = try ChatRules.present(wish.creator, in: chat)
            return ChatStart.Outcome(chat: chat, existed: true)
        }
        try wish.check(contacts: AccountRow.contacts(of: wish.creator, among: wish.invitees, in: database))
        let outcome =
            try wish.isOneToOne
            ? startPair(wish, at: time, nextID: nextID, in: database)
            : startNew(wish, at: time, id: nextID(), in: database)
        try ChatRow.setStarted(wish, chat: outcome.chat.id, in: database)
        return outcome
    }

    private func startNew(_ wish: ChatStart, at time: Timestamp, id: ChatID, in database: Database) throws
        -> ChatStart.Outcome
    {
        let chat = ChatRules.start(wish, id: id, at: time)
        try ChatRow.insert(chat, into: database)
        return ChatStart.Outcome(chat: chat, existed: false)
    }

    private func startPair(_ wish: ChatStart, at time: Timestamp, nextID: () -> ChatID, in database: Database)
        throws -> ChatStart.Outcome
    {
        let (one, other) = (wish.creator, wish.invitees[0])
        guard let id = try ChatRow.pair(one, other, in: database) else {
            let outcome = try startNew(wish, at: time, id: nextID(), in: database)
            try ChatRow.setPair(one, other, chat: outcome.chat.id, in: database)
            return outcome
        }
        let entry = try entry(id, in: database)
        guard !entry.chat.isPresent(one) else { return ChatStart.Outcome(chat: entry.chat, existed: true) }
        let decision = ChatRules.rejoin(one, entry.chat, at: time)
        try save(decision, in: entry, key: nil, fingerprint: 0, database)
        return ChatStart.Outcome(chat: decision.chat, existed: true, messages: [decision.message])
    }

    /// Removes up to `limit` messages below `number`.
    ///
    /// - Returns: Whether there may be more.
    func trim(_ chat: ChatID, below number: Int64, limit: Int64, in database: Database) throws -> Bool {
        let entry = try entry(chat, in: database)
        let before = entry.chat.first
        entry.chat.first = try ChatRow.trim(entry.chat, below: number, limit: limit, in: database)
        return entry.chat.first - before == limit
    }

    private func entry(_ chat: ChatID, in database: Database) throws -> ChatCache.Entry {
        try cache.entry(chat) { try ChatRow.chat(chat, in: database) }
    }
}

extension Submission.Acceptance? {
    fileprivate func orFailure() throws -> Submission.Acceptance {
        guard let self else {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "A key is known and isn't.")
        }
        return self
    }
}
