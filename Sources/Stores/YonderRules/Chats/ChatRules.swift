package import YonderGeodesy
package import YonderModel

/// The rules for changes to a chat, decided from its current state.
///
/// Every store uses them, so all decide alike.
///
/// The chats' writers of both stores call ``decide(_:in:target:contacts:)`` for each submission that isn't a repeat, inside
/// the transaction that holds the chat, and write the ``Decision``; readers call `present` for permissions. Plain functions
/// without clock, store and memory: the same arguments give the same decision, and a refusal changes nothing. Repeats are
/// found by the store, by key, before.
///
/// A new kind of submission is a case here and in both writers. The order of the checks must stay, as it decides which error
/// a client gets; a stranger must not learn whether a chat exists. `ChatRulesTests` and the suite in `TestSupport/Stores`
/// hold it; shares are in ``ShareRules``, participants in `ChatRules+Participants.swift`.
package enum ChatRules {
    /// The log entry that a submission would become, and the chat after it.
    package struct Decision: Hashable, Sendable {
        /// The entry, with the chat's next number; without content if it has expired on arrival.
        package private(set) var message: Message

        /// The chat after it.
        package let chat: Chat

        /// The participants who joined or left.
        package let moved: [Participant]

        /// Every changed participant: those who joined or left, and the new owner.
        package let changed: [Participant]

        /// The sender's shares that are new or not as before.
        package let shares: [Share]

        /// The sender's share if one more sign-in feeds it; it is stored, and nobody is sent it.
        package private(set) var fed: [Share] = []

        /// All that a store must write of the sender's shares.
        package var saved: [Share] { shares + fed }

        /// Whether it changes nothing of the sender's shares, as most positions do.
        package var leavesShares: Bool { shares.isEmpty && fed.isEmpty }

        /// The same, with one more sign-in that feeds a share.
        fileprivate func feeding(_ share: Share?) -> Decision {
            guard let share else { return self }
            var decision = self
            decision.fed = [share]
            return decision
        }

        /// The same, late if it is a position older than the sender's newest in the chat.
        ///
        /// - Parameters:
        ///   - position: That of the message.
        ///   - newest: The newest position of the sender there that is neither recalled nor expired, or `nil`.
        /// - Returns: The decision for a store to write.
        package func placed(_ position: NewestPosition, behind newest: NewestPosition?) -> Decision {
            guard let newest, position.moment < newest.moment else { return self }
            var decision = self
            decision.message.isLate = true
            return decision
        }

        /// The answer to the sender, which the store's outlet receives, too, once the decision is committed.
        ///
        /// - Parameters:
        ///   - recalled: For a recall, the message that was taken back, as it was.
        ///   - shares: The shares that are new or not as before; those of participants who left included.
        /// - Returns: The acceptance.
        package func acceptance(recalled: Message? = nil, shares: [Share]) -> Submission.Acceptance {
            Submission.Acceptance(
                message: message,
                isRepeat: false,
                recalled: recalled,
                moved: moved,
                written: chat.written,
                shares: shares
            )
        }
    }

    /// Decides a submission that is not a repeat.
    ///
    /// - Parameters:
    ///   - submission: What is to happen.
    ///   - chat: The chat as it is.
    ///   - target: For a recall, the message of that number if there is one; else `nil`.
    ///   - contacts: For an `add`, those of the sender's contacts that are among the added.
    ///   - shares: The sender's shares in the chat.
    ///   - isClosed: Whether it is the one-to-one chat of two users of whom one blocks the other.
    /// - Returns: What a store has to write.
    /// - Throws: ``SharingError`` with code `unknownChat`, `notParticipant`, `notAllowed`, `unknownMessage`,
    ///   `alreadyParticipant`, `unknownInvitee`, `noInvitee`, `oneToOne`, `tooMany`, `invalidField`, `reservedTag`,
    ///   `messageTooLarge`, `unknownShare` or `shareEnded`.
    package static func decide(
        _ submission: Submission,
        in chat: Chat,
        target: Message? = nil,
        contacts: Set<UserID> = [],
        shares: [Share] = [],
        isClosed: Bool = false
    ) throws(SharingError) -> Decision {
        let sender = chat.participant(submission.sender)
        return try decide(
            submission,
            in: chat,
            from: sender,
            target: target,
            contacts: contacts,
            shares: shares,
            isClosed: isClosed
        )
    }

    /// Decides for a store that knows where in the chat the sender is, which takes a while to find in a large one.
    package static func decide(
        _ submission: Submission,
        in chat: Chat,
        from participant: Participant?,
        target: Message? = nil,
        contacts: Set<UserID> = [],
        shares: [Share] = [],
        isClosed: Bool = false
    ) throws(SharingError) -> Decision {
        let sender = try present(participant)
        if case .endShare = submission.action {} else { try IdempotencyKey.check(submission.key) }
        try checkRole(of: sender, for: submission.action)
        switch submission.action {
        case .message(let draft):
            try draft.check()
            guard !isClosed else { throw .closedChat }
            return try message(draft, submission, chat, shares)
        case .startShare, .changeShare:
            guard !isClosed else { throw .closedChat }
            return try share(submission, chat, shares)
        case .stopShare, .endShare:
            return try share(submission, chat, shares)
        case .recall(let number):
            try checkRecall(number, of: target, by: sender)
            return entry(submission, chat, .recall, data: .recall(of: number))
        case .subject(let subject):
            return try rename(to: subject, by: sender, submission, chat)
        case .lockSubject(let isLocked):
            try checkOwnership(sender, of: chat)
            return lockSubject(isLocked, submission, chat)
        case .keepPositions(let keeping):
            try checkIsOwner(sender)
            return keepPositions(keeping, submission, chat)
        case .add(let users):
            try checkOwnership(sender, of: chat)
            return try add(users, submission, chat, contacts)
        case .leave:
            return leave(submission, chat)
        case .stayOut:
            return try stayOut(submission, chat)
        case .remove(let user):
            try checkOwnership(sender, of: chat)
            return try remove(user, submission, chat)
        case .owner(let user):
            try checkOwnership(sender, of: chat)
            return try handOver(to: user, submission, chat)
        }
    }

    /// Refuses what a participant whose role this version doesn't know may not do: all but leaving and ending a share.
    private static func checkRole(of sender: Participant, for action: Submission.Action) throws(SharingError)
    {
        guard sender.mayOnlyRead else { return }
        switch action {
        case .leave, .stayOut, .stopShare, .endShare: return
        case .message, .recall, .subject, .lockSubject, .keepPositions, .add, .startShare, .changeShare,
            .remove, .owner:
            throw .onlyReads
        }
    }

    private static func share(_ submission: Submission, _ chat: Chat, _ shares: [Share])
        throws(SharingError) -> Decision
    {
        guard let change = try ShareRules.decide(submission, among: shares, in: chat) else {
            throw .unknownShare
        }
        return entry(submission, chat, .share, data: .share(change), shares: change.saved)
    }

    /// A message of a person's; a position gets its share.
    private static func message(
        _ draft: MessageDraft,
        _ submission: Submission,
        _ chat: Chat,
        _ shares: [Share]
    ) throws(SharingError) -> Decision {
        let decision = entry(
            submission,
            chat,
            draft.tag,
            content: draft.content,
            data: draft.data,
            expires: draft.expires
        )
        guard draft.tag == .location else { return decision }
        let place = try place(draft, submission, chat, shares)
        guard case .share(let id, _) = place else { return decision.placed(in: place) }
        let fed = ShareRules.fed(id, by: submission.source, among: shares, at: submission.time)
        return decision.placed(in: place).feeding(fed)
    }

    private static func place(
        _ draft: MessageDraft,
        _ submission: Submission,
        _ chat: Chat,
        _ shares: [Share]
    ) throws(SharingError) -> ShareRules.Place {
        let location = try SharedLocation(draft.data, arrival: submission.time)
        return try ShareRules.place(location, of: submission, among: shares, after: chat.last)
    }

    /// The participant that `user` is in `chat` now.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` if they never were in it, `notParticipant` if they left.
    package static func present(_ user: UserID, in chat: Chat) throws(SharingError) -> Participant {
        try present(chat.participant(user))
    }

    /// That participant, if they are in the chat.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` if they never were in it, `notParticipant` if they left.
    @discardableResult
    package static func present(_ participant: Participant?) throws(SharingError) -> Participant {
        guard let participant else { throw .unknownChat }
        guard participant.isPresent else {
            throw SharingError(.notParticipant, "You left this chat.")
        }
        return participant
    }

    /// The chat that a checked wish makes: nothing in its log, everyone in it from number 1.
    ///
    /// - Throws: The refusal of the wish, if it has one.
    package static func start(_ wish: ChatStart, id: ChatID, at time: Timestamp) throws(SharingError) -> Chat
    {
        if let refusal = wish.refusal { throw refusal }
        let everyone = [wish.creator] + wish.invitees
        let participants = everyone.enumerated().map { index, user in
            Participant(
                user: user,
                role: user == wish.creator || wish.isOneToOne ? .owner : .member,
                color: index,
                spans: [ParticipationSpan(first: 1)]
            )
        }
        return Chat(
            id: id,
            isOneToOne: wish.isOneToOne,
            subject: wish.isOneToOne ? "" : wish.subject,
            participants: participants,
            created: time
        )
    }

    /// The `Join` of `user`, who left this one-to-one chat and starts it again.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - chat: The chat.
    ///   - time: When the user started it again.
    ///   - floor: The time of its newest message: see ``Submission/floor``.
    /// - Returns: The decision for a store to write.
    package static func rejoin(
        _ user: UserID,
        _ chat: Chat,
        at time: Timestamp,
        notBefore floor: Timestamp? = nil
    ) -> Decision {
        var submission = Submission(chat: chat.id, sender: user, key: "", action: .add([user]), time: time)
        submission.floor = floor
        return join([user], submission, chat)
    }

    private static func checkRecall(_ number: Int64, of target: Message?, by sender: Participant)
        throws(SharingError)
    {
        guard let target, sender.mayRead(number) else {
            throw .unknownMessage(number)
        }
        guard target.sender == sender.user || sender.role == .owner, !target.tag.isReserved else {
            throw SharingError(.notAllowed, "Only the message's sender or an owner can recall it.")
        }
    }

    private static func checkIsGroup(_ chat: Chat) throws(SharingError) {
        guard !chat.isOneToOne else {
            throw SharingError(
                .oneToOne,
                "This is a one-to-one chat: its subject and its two participants can't change."
            )
        }
    }

    private static func checkOwnership(_ sender: Participant, of chat: Chat) throws(SharingError) {
        try checkIsGroup(chat)
        try checkIsOwner(sender)
    }

    private static func checkIsOwner(_ sender: Participant) throws(SharingError) {
        guard sender.role == .owner else {
            throw SharingError(.notAllowed, "Only an owner of the chat may do this.")
        }
    }

    private static func rename(
        to subject: String,
        by sender: Participant,
        _ submission: Submission,
        _ chat: Chat
    ) throws(SharingError) -> Decision {
        try checkIsGroup(chat)
        try ChatStart.check(subject: subject)
        guard !chat.isSubjectLocked || sender.role == .owner else {
            throw SharingError(.notAllowed, "subject: only an owner may change the subject of this chat.")
        }
        var changed = chat
        changed.subject = subject
        return entry(submission, changed, .subject, content: subject)
    }

    /// As with the lock, the message repeats the subject.
    private static func keepPositions(_ keeping: PositionKeeping, _ submission: Submission, _ chat: Chat)
        -> Decision
    {
        var changed = chat
        changed.positions = keeping
        return entry(submission, changed, .subject, content: chat.subject, data: .positions(keeping))
    }

    /// The message repeats the subject, as clients show the newest `Subject`'s content as the title.
    private static func lockSubject(_ isLocked: Bool, _ submission: Submission, _ chat: Chat) -> Decision {
        var changed = chat
        changed.isSubjectLocked = isLocked
        let data = MessageData.subjectLocked(isLocked)
        return entry(submission, changed, .subject, content: chat.subject, data: data)
    }

    static func entry(
        _ submission: Submission,
        _ chat: Chat,
        _ tag: MessageTag,
        content: String = "",
        data: MessageData? = nil,
        expires: Timestamp? = nil,
        moved: [Participant] = [],
        affected: [Participant] = [],
        shares: [Share] = []
    ) -> Decision {
        var changed = chat
        let isWritten = tag.isWritten
        changed.last += 1
        if isWritten { changed.written += 1 }
        if isWritten || tag.isActivity { changed.active = max(changed.active, submission.messageTime) }
        let message = Message(
            chat: chat.id,
            number: changed.last,
            sender: submission.sender,
            tag: tag,
            content: content,
            data: data,
            time: submission.messageTime,
            expires: expires,
            written: isWritten ? changed.written : nil
        )
        return Decision(
            message: message.isExpired(at: message.time) ? message.emptied(recalled: false) : message,
            chat: changed,
            moved: moved,
            changed: moved + affected,
            shares: shares
        )
    }
}

extension ChatRules.Decision {
    /// The same message as a position of a share; without content if the share's positions can't be read any more.
    fileprivate func placed(in place: ShareRules.Place) -> Self {
        var message = message
        switch place {
        case .share(let id, let isOver):
            if isOver { message = message.emptied(recalled: false) }
            message.share = id
        case .implicit(let share): message.share = share.id
        }
        return Self(message: message, chat: chat, moved: moved, changed: changed, shares: place.begun)
    }
}

extension ShareRules.Place {
    /// The share that begins with the position.
    fileprivate var begun: [Share] {
        if case .implicit(let share) = self { [share] } else { [] }
    }
}
