public import YonderGeodesy
public import YonderModel
public import YonderWire

/// The server's answer to a sent message.
public struct SentMessage: Hashable, Sendable {
    /// The message's place in the chat's log.
    public let id: Message.ID

    /// The time at which the server received the message.
    public let time: Timestamp
}

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
    ///   `invalidField`, `notParticipant`, `keyReused` and others; `tooMany` if the outbox is full;
    ///   `unavailable` if the client was stopped or the task canceled.
    @discardableResult
    public func send(
        _ draft: MessageDraft,
        to chat: ChatID,
        key: String? = nil
    ) async throws(SharingError) -> SentMessage {
        let key = key ?? Self.randomKey()
        let entry = try await keep(draft, chat, key)
        return try await numbered(chat, answer(to: OutgoingKey(key: key, chat: chat)) { post(entry) })
    }

    /// Puts a message into the outbox without waiting for the server; ``refusals`` reports it if the server
    /// refuses.
    ///
    /// - Returns: The key under which the message is sent.
    /// - Throws: `messageTooLarge`, `reservedTag` or `invalidField` for an invalid message; `tooMany` if the
    ///   outbox is full; `keyReused`; `unavailable` if the outbox can't store the message.
    @discardableResult
    public func enqueue(
        _ draft: MessageDraft,
        to chat: ChatID,
        key: String? = nil
    ) async throws(SharingError) -> String {
        let key = key ?? Self.randomKey()
        post(try await keep(draft, chat, key))
        return key
    }

    /// Sends a message that isn't stored to the participants connected now.
    ///
    /// - Throws: `unavailable` without a connection; `tooManyRequests`; the errors with which the server
    ///   refuses a message.
    public func pass(_ draft: MessageDraft, to chat: ChatID) async throws(SharingError) {
        try draft.check()
        guard let link else {
            throw SharingError(
                .unavailable,
                "Not connected: send or enqueue a message that may wait for a connection."
            )
        }
        guard link.isWritable, passing.count < Outgoing.window else {
            throw SharingError(
                .tooManyRequests,
                "Too many messages wait to be passed on; try again after retryAfter.",
                retryAfter: .milliseconds(100)
            )
        }
        let id = OutgoingKey(key: Self.randomKey(), chat: chat)
        _ = try await answer(to: id) {
            passing.insert(id)
            write(.send(SendFrame(key: id.key, chat: chat, draft: draft, keep: false)))
        }
    }

    /// Recalls a message.
    ///
    /// - Throws: `unknownMessage`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func recall(_ message: Message.ID) async throws(SharingError) -> SentMessage {
        try await act(in: message.chat) { .recall(key: $0, chat: message.chat, number: message.number) }
    }

    /// Changes a chat's subject.
    ///
    /// - Throws: `invalidField`, `notAllowed`, `notParticipant`, `unknownChat`, `oneToOne`.
    @discardableResult
    public func setSubject(_ subject: String, of chat: ChatID) async throws(SharingError) -> SentMessage {
        try ChatStart.check(subject: subject)
        return try await act(in: chat) { .subject(key: $0, chat: chat, subject: subject) }
    }

    /// Decides whether only owners may change a group's subject; for its owner.
    ///
    /// - Throws: `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func setSubjectLocked(_ isLocked: Bool, of chat: ChatID) async throws(SharingError) -> SentMessage
    {
        try await act(in: chat) { .lockSubject(key: $0, chat: chat, isLocked: isLocked) }
    }

    /// Decides how long a chat keeps positions; for its owner, or both people of a one-to-one chat.
    ///
    /// - Throws: `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func keepPositions(_ keeping: PositionKeeping, in chat: ChatID) async throws(SharingError)
        -> SentMessage
    {
        try await act(in: chat) { .keepPositions(key: $0, chat: chat, keeping) }
    }

    /// Adds contacts to a chat.
    ///
    /// - Throws: `noInvitee`, `alreadyParticipant`, `unknownInvitee`, `oneToOne`, `tooMany`, `notAllowed`,
    ///   `notParticipant`, `unknownChat`.
    @discardableResult
    public func add(_ users: [UserID], to chat: ChatID) async throws(SharingError) -> SentMessage {
        try await act(in: chat) { .add(key: $0, chat: chat, users: users) }
    }

    /// Leaves a chat.
    ///
    /// - Throws: `notParticipant`, `unknownChat`.
    @discardableResult
    public func leave(_ chat: ChatID) async throws(SharingError) -> SentMessage {
        try await act(in: chat) { .leave(key: $0, chat: chat) }
    }

    /// Removes another participant from a group; for its owner.
    ///
    /// - Throws: `unknownUser`, `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func remove(_ user: UserID, from chat: ChatID) async throws(SharingError) -> SentMessage {
        try await act(in: chat) { .remove(key: $0, chat: chat, user: user) }
    }

    /// Makes another participant the owner of a group; for its owner, who becomes a member.
    ///
    /// - Throws: `unknownUser`, `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func handOver(_ chat: ChatID, to user: UserID) async throws(SharingError) -> SentMessage {
        try await act(in: chat) { .owner(key: $0, chat: chat, user: user) }
    }

    /// Marks a chat's messages up to a number as read.
    ///
    /// The server doesn't confirm it. Without a connection the number is held, for up to 1 000 chats, and sent later.
    ///
    /// While there is no connection, the client keeps the highest number per chat, for at most 1 000 chats,
    /// and sends these numbers when connected. ``chats()`` returns the number that the server knows.
    public func markRead(_ chat: ChatID, upTo number: Int64) {
        guard link == nil else { return write(.read(chat: chat, number: number)) }
        guard marks[chat] != nil || marks.count < 1_000 else { return }
        marks[chat] = max(marks[chat] ?? 0, number)
    }

    /// Starts a chat with contacts, or returns the pair's existing one-to-one chat.
    ///
    /// - Throws: `noInvitee`, `unknownInvitee`, `oneToOne`, `tooMany`, `invalidField`.
    public func startChat(
        with invitees: [UserID],
        subject: String = "",
        isOneToOne: Bool = false
    ) async throws(SharingError) -> (chat: NamedChat, existed: Bool) {
        let id = OutgoingKey(key: Self.randomKey(), chat: nil)
        let reply = try await answer(to: id) {
            post(id, .start(key: id.key, invitees: invitees, subject: subject, isOneToOne: isOneToOne))
        }
        guard case .started(let chat, let existed) = reply else { throw Self.mismatch }
        return (chat, existed)
    }

    /// Waits until every request and every message of the outbox is answered, or until ``run()`` ends.
    public func waitUntilSent() async {
        guard outgoing.count > 0 || early?.isEmpty == false else { return }
        await withCheckedContinuation { idlers.append($0) }
    }

    // MARK: -

    /// Queues an entry of the outbox to be sent.
    func post(_ entry: OutboxEntry) {
        guard early == nil else {
            early?.append(entry)
            return
        }
        let id = OutgoingKey(key: entry.key, chat: entry.chat)
        let frame = ClientFrame.send(SendFrame(key: entry.key, chat: entry.chat, draft: entry.draft))
        for frame in outgoing.add(Outgoing.Item(id: id, frame: frame, isKept: true)) { write(frame) }
    }

    func post(_ id: OutgoingKey, _ frame: ClientFrame) {
        for frame in outgoing.add(Outgoing.Item(id: id, frame: frame, isKept: false)) { write(frame) }
    }

    private func keep(_ draft: MessageDraft, _ chat: ChatID, _ key: String) async throws(SharingError)
        -> OutboxEntry
    {
        try draft.check()
        try Submission.check(key: key)
        return try await outbox.append(draft, to: chat, key: key)
    }

    private func act(
        in chat: ChatID,
        _ frame: (_ key: String) -> ClientFrame
    ) async throws(SharingError) -> SentMessage {
        let id = OutgoingKey(key: Self.randomKey(), chat: chat)
        return try await numbered(chat, answer(to: id) { post(id, frame(id.key)) })
    }

    private func numbered(_ chat: ChatID, _ reply: Reply) throws(SharingError) -> SentMessage {
        guard case .sent(let number?, let time) = reply else { throw Self.mismatch }
        return SentMessage(id: Message.ID(chat: chat, number: number), time: Timestamp(milliseconds: time))
    }

    /// Waits for the answer to what `post` sends.
    func answer(to id: OutgoingKey, _ post: () -> Void) async throws(SharingError) -> Reply {
        guard waiters.count < Self.waiterLimit else {
            throw SharingError(
                .tooMany,
                "\(Self.waiterLimit) requests wait for an answer; wait for some of them."
            )
        }
        if case .ended(let error) = state.phase { throw error }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                waiters[id, default: []].append(waiter)
                post()
            }
        } onCancel: {
            Task { await self.giveUp(id) }
        }
        return try result.get()
    }

    private func giveUp(_ id: OutgoingKey) {
        resume(id, .failure(SharingError(.unavailable, "The task was canceled.")))
    }

    private static let waiterLimit = 20_000

    static var mismatch: SharingError {
        SharingError(.internalError, "The server answered a request with another kind of answer.")
    }

    /// 64 random bits: no two of one sender's in a chat will ever be the same.
    static func randomKey() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
