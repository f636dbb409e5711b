public import YonderModel
public import YonderWire

// Messages and what else a person does in a chat: each call is a request that `Requests` sends and repeats until it is
// answered. Apps call these functions from any task, with or without a connection. A message is in the outbox before it is
// sent, so only it outlives the process; every other request is lost with it, and throws `unavailable`. Which request is
// refused with which code is the server's to decide (`Documentation/errors.md`).
//
// That a stored message is sent exactly once must stay (decision 2, `SharingClientTests`, `RequestsTests`, the SDK's model).
// A further request is a frame of `ClientFrame` and a function here.
extension SharingClient {
    /// Sends a message, and waits until it is on the server's disk.
    ///
    /// The message goes through the outbox: it is sent even if the task is canceled or the process ends.
    ///
    /// - Parameters:
    ///   - draft: The message.
    ///   - chat: The chat.
    ///   - key: The caller's own idempotency key, 1…64 characters; random by default.
    /// - Returns: The message's number and time.
    /// - Throws: The error with which the server refuses the message: `messageTooLarge`, `reservedTag`,
    ///   `invalidField`, `notParticipant`, `keyReused` and others; `tooMany` if the outbox is full; `shareEnded` for a
    ///   position that was recorded after a stop that waits; `unavailable` if the client was stopped or the task canceled.
    @discardableResult
    public func send(
        _ draft: MessageDraft,
        to chat: ChatID,
        key: String? = nil
    ) async throws(SharingError) -> SentMessage {
        let entry = try await keep(draft, chat, key)
        return try await answer(to: entry).message(in: chat)
    }

    /// Puts a message into the outbox without waiting for the server; ``refusals`` reports it if the server
    /// refuses.
    ///
    /// - Returns: The key under which the message is sent.
    /// - Throws: `messageTooLarge`, `reservedTag` or `invalidField` for an invalid message; `tooMany` if the
    ///   outbox is full; `keyReused`; `shareEnded` for a position that was recorded after a stop that waits; `unavailable`
    ///   if the outbox can't store the message.
    @discardableResult
    public func enqueue(
        _ draft: MessageDraft,
        to chat: ChatID,
        key: String? = nil
    ) async throws(SharingError) -> String {
        let entry = try await keep(draft, chat, key)
        post(entry)
        return entry.key
    }

    /// Stores a valid message in the outbox.
    private func keep(_ draft: MessageDraft, _ chat: ChatID, _ key: String?) async throws(SharingError)
        -> OutboxEntry
    {
        let key = key ?? OutgoingKey.random(in: chat).key
        try draft.check()
        try IdempotencyKey.check(key)
        if let error = stops.refusal(of: draft, in: chat, at: now()) { throw error }
        return try await outbox.append(draft, to: chat, key: key)
    }

    /// Sends a message that isn't stored to the participants connected now.
    ///
    /// The message isn't put into the outbox: if the connection breaks before the answer, it may have arrived or not.
    ///
    /// - Throws: `unavailable` without a connection; `tooManyRequests`; `shareEnded` for a position that was recorded after
    ///   a stop that waits; the errors with which the server refuses a message.
    public func pass(_ draft: MessageDraft, to chat: ChatID) async throws(SharingError) {
        try draft.check()
        if let error = stops.refusal(of: draft, in: chat, at: now()) { throw error }
        let id = OutgoingKey.random(in: chat)
        try await pass(id, .send(SendFrame(key: id.key, chat: chat, draft: draft, keep: false)))
    }

    /// Recalls a message.
    ///
    /// - Throws: `unknownMessage`, also for a message that was passed on without being stored; `notAllowed`,
    ///   `notParticipant`, `unknownChat`.
    @discardableResult
    public func recall(_ message: Message.ID) async throws(SharingError) -> SentMessage {
        guard let number = message.number else {
            throw SharingError(.unknownMessage, "A message without a number isn't kept.")
        }
        return try await stored(in: message.chat) { .recall(key: $0, chat: message.chat, number: number) }
    }

    /// Changes a chat's subject.
    ///
    /// - Throws: `invalidField`, `notAllowed`, `notParticipant`, `unknownChat`, `oneToOne`.
    @discardableResult
    public func setSubject(_ subject: String, of chat: ChatID) async throws(SharingError) -> SentMessage {
        try ChatStart.check(subject: subject)
        return try await stored(in: chat) { .subject(key: $0, chat: chat, subject: subject) }
    }

    /// Decides whether only owners may change a group's subject; for its owner.
    ///
    /// - Throws: `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func setSubjectLocked(_ isLocked: Bool, of chat: ChatID) async throws(SharingError) -> SentMessage
    {
        try await stored(in: chat) { .lockSubject(key: $0, chat: chat, isLocked: isLocked) }
    }

    /// Decides how long a chat keeps positions; for its owner, or both people of a one-to-one chat.
    ///
    /// - Throws: `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func keepPositions(_ keeping: PositionKeeping, in chat: ChatID) async throws(SharingError)
        -> SentMessage
    {
        try await stored(in: chat) { .keepPositions(key: $0, chat: chat, keeping) }
    }

    /// Adds contacts to a chat.
    ///
    /// - Throws: `noInvitee`, `alreadyParticipant`, `unknownInvitee`, `oneToOne`, `tooMany`, `notAllowed`,
    ///   `notParticipant`, `unknownChat`.
    @discardableResult
    public func add(_ users: [UserID], to chat: ChatID) async throws(SharingError) -> SentMessage {
        try await stored(in: chat) { .add(key: $0, chat: chat, users: users) }
    }

    /// Leaves a chat.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - stayOut: Whether owners can't add the user again, until the user allows it over REST; for groups alone.
    /// - Returns: The `Leave`.
    /// - Throws: `notParticipant`, `unknownChat`; with `stayOut` also `invalidField`, in a one-to-one chat or from an older
    ///   server.
    @discardableResult
    public func leave(_ chat: ChatID, stayOut: Bool = false) async throws(SharingError) -> SentMessage {
        try await stored(in: chat) { .leave(key: $0, chat: chat, stayOut: stayOut) }
    }

    /// Removes another participant from a group; for its owner.
    ///
    /// - Throws: `unknownUser`, `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func remove(_ user: UserID, from chat: ChatID) async throws(SharingError) -> SentMessage {
        try await stored(in: chat) { .remove(key: $0, chat: chat, user: user) }
    }

    /// Makes another participant the owner of a group; for its owner, who becomes a member.
    ///
    /// - Throws: `unknownUser`, `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func handOver(_ chat: ChatID, to user: UserID) async throws(SharingError) -> SentMessage {
        try await stored(in: chat) { .owner(key: $0, chat: chat, user: user) }
    }

    /// Starts a chat with contacts, or returns the pair's existing one-to-one chat.
    ///
    /// - Throws: `noInvitee`, `unknownInvitee`, `oneToOne`, `tooMany`, `invalidField`.
    public func startChat(
        with invitees: [UserID],
        subject: String = "",
        isOneToOne: Bool = false
    ) async throws(SharingError) -> (chat: NamedChat, existed: Bool) {
        try await answer { .start(key: $0, invitees: invitees, subject: subject, isOneToOne: isOneToOne) }
            .chat()
    }

    /// Sends a request whose answer is the number of a message.
    private func stored(
        in chat: ChatID,
        _ frame: (_ key: String) -> ClientFrame
    ) async throws(SharingError) -> SentMessage {
        try await answer(in: chat, frame).message(in: chat)
    }
}
