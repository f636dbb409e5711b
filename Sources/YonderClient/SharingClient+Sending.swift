public import YonderGeodesy
public import YonderModel
public import YonderWire

/// What the server made of a message.
public struct SentMessage: Hashable, Sendable {
    /// Its place in the chat's log.
    public let id: Message.ID

    /// When the server took it.
    public let time: Timestamp
}

extension SharingClient {
    /// Sends a message and waits until it is on the server's disk.
    ///
    /// It goes through the outbox: if the task is canceled, or the process ends, it is sent all the same.
    ///
    /// - Parameters:
    ///   - draft: The message.
    ///   - chat: Into which chat.
    ///   - key: The caller's own name for it, 1…64 characters; a random one if nobody says.
    /// - Returns: What the server made of it.
    /// - Throws: What refuses it: `messageTooLarge`, `reservedTag`, `invalidField`, `notParticipant`, `keyReused` and
    ///   others; `tooMany` if the outbox is full; `unavailable` if the client was stopped or the task canceled.
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

    /// Puts a message into the outbox and doesn't wait for the server; ``refusals`` tells if it won't have it.
    ///
    /// - Returns: The key under which it is sent.
    /// - Throws: `messageTooLarge`, `reservedTag` or `invalidField` for what no server takes; `tooMany` if the outbox is
    ///   full; `keyReused`; `unavailable` if the outbox can't keep it.
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

    /// Sends a message to whoever is connected now; nobody keeps it.
    ///
    /// - Throws: `unavailable` without a connection; `tooManyRequests`; what refuses a message.
    public func pass(_ draft: MessageDraft, to chat: ChatID) async throws(SharingError) {
        try draft.check()
        guard let link else { throw SharingError(.unavailable, "There is no connection.") }
        guard link.isWritable, passing.count < Outgoing.window else {
            throw SharingError(
                .tooManyRequests,
                "The server doesn't take so much.",
                retryAfter: .milliseconds(100)
            )
        }
        let id = OutgoingKey(key: Self.randomKey(), chat: chat)
        _ = try await answer(to: id) {
            passing.insert(id)
            write(.send(SendFrame(key: id.key, chat: chat, draft: draft, keep: false)))
        }
    }

    /// Takes a message back.
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

    /// Takes somebody else out of a group; for its owner.
    ///
    /// - Throws: `unknownUser`, `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func remove(_ user: UserID, from chat: ChatID) async throws(SharingError) -> SentMessage {
        try await act(in: chat) { .remove(key: $0, chat: chat, user: user) }
    }

    /// Makes somebody else the owner of a group; for its owner, who is a member then.
    ///
    /// - Throws: `unknownUser`, `oneToOne`, `notAllowed`, `notParticipant`, `unknownChat`.
    @discardableResult
    public func handOver(_ chat: ChatID, to user: UserID) async throws(SharingError) -> SentMessage {
        try await act(in: chat) { .owner(key: $0, chat: chat, user: user) }
    }

    /// Says that everything in a chat up to a number is read, as well as can be without an answer.
    ///
    /// While there is no connection the furthest number of each chat is kept, of at most 1 000 chats, and sent with the
    /// next one. ``chats()`` brings how far the server knows it.
    public func markRead(_ chat: ChatID, upTo number: Int64) {
        guard link == nil else { return write(.read(chat: chat, number: number)) }
        guard marks[chat] != nil || marks.count < 1_000 else { return }
        marks[chat] = max(marks[chat] ?? 0, number)
    }

    /// Starts a chat with contacts, or answers the pair's one-to-one chat.
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

    /// Waits until everything is answered that was sent or put into the outbox, or until ``run()`` ends.
    public func waitUntilSent() async {
        guard outgoing.count > 0 || early?.isEmpty == false else { return }
        await withCheckedContinuation { idlers.append($0) }
    }

    // MARK: -

    /// Puts an outbox's entry in line.
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
            throw SharingError(.tooMany, "Too much waits for an answer.")
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
        SharingError(.internalError, "The server's answer doesn't fit the question.")
    }

    /// 64 random bits: no two of one sender's in a chat will ever be the same.
    static func randomKey() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
