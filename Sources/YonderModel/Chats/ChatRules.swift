public import YonderGeodesy

/// What may happen in a chat, decided over the chat as it is: every store asks here, so that all decide alike.
public enum ChatRules {
    /// The log entry that a submission would become, and the chat after it.
    public struct Decision: Hashable, Sendable {
        /// The entry, with the chat's next number.
        public let message: Message

        /// The chat after it.
        public let chat: Chat

        /// Whose participation changed.
        public let moved: [Participant]
    }

    /// Decides a submission that is not a repeat.
    ///
    /// - Parameters:
    ///   - chat: The chat as it is.
    ///   - target: For a recall, the message of that number if there is one; else `nil`.
    ///   - contacts: For an `add`, those of the sender's contacts that are among the added.
    /// - Throws: ``SharingError`` with code `unknownChat`, `notParticipant`, `notAllowed`, `unknownMessage`,
    ///   `alreadyParticipant`, `unknownInvitee`, `noInvitee`, `oneToOne`, `tooMany`, `invalidField`, `reservedTag`
    ///   or `messageTooLarge`.
    public static func decide(
        _ submission: Submission,
        in chat: Chat,
        target: Message? = nil,
        contacts: Set<UserID> = []
    ) throws(SharingError) -> Decision {
        let sender = try present(submission.sender, in: chat)
        try Submission.check(key: submission.key)
        switch submission.action {
        case .message(let draft):
            try draft.check()
            return entry(
                submission,
                chat,
                draft.tag,
                content: draft.content,
                data: draft.data,
                expires: draft.expires
            )
        case .recall(let number):
            try checkRecall(number, of: target, by: sender)
            return entry(submission, chat, .recall, data: .recall(of: number))
        case .subject(let subject):
            try checkOwnership(sender, of: chat)
            try ChatStart.check(subject: subject)
            var changed = chat
            changed.subject = subject
            return entry(submission, changed, .subject, content: subject)
        case .add(let users):
            try checkOwnership(sender, of: chat)
            return try add(users, submission, chat, contacts)
        case .leave:
            return leave(submission, chat)
        }
    }

    /// The participant that `user` is in `chat` now.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` if they never were in it, `notParticipant` if they left.
    public static func present(_ user: UserID, in chat: Chat) throws(SharingError) -> Participant {
        guard let participant = chat.participant(user) else {
            throw SharingError(.unknownChat, "No such chat.")
        }
        guard participant.isPresent else {
            throw SharingError(.notParticipant, "You left this chat.")
        }
        return participant
    }

    /// The chat that a checked wish makes: nothing in its log, everyone in it from number 1.
    public static func start(_ wish: ChatStart, id: ChatID, at time: Timestamp) -> Chat {
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
    public static func rejoin(_ user: UserID, _ chat: Chat, key: String, at time: Timestamp) -> Decision {
        let submission = Submission(chat: chat.id, sender: user, key: key, action: .add([user]), time: time)
        return join([user], submission, chat)
    }

    /// Whether a submission under a known key is the one that `message` came of, with the target if it is a recall.
    public static func isSame(_ submission: Submission, as message: Message) -> Bool {
        switch submission.action {
        case .message(let draft):
            let isGone =
                message.isRecalled || message.expires != nil && message.content.isEmpty && message.data == nil
            return message.tag == draft.tag && message.expires == draft.expires
                && (isGone || message.content == draft.content && message.data == draft.data)
        case .recall(let number): return message.tag == .recall && message.data == .recall(of: number)
        case .subject(let subject): return message.tag == .subject && message.content == subject
        case .add: return message.tag == .join
        case .leave: return message.tag == .leave
        }
    }

    private static func checkRecall(_ number: Int64, of target: Message?, by sender: Participant)
        throws(SharingError)
    {
        guard let target, sender.mayRead(number) else {
            throw SharingError(.unknownMessage, "No message \(number) here.")
        }
        guard target.sender == sender.user || sender.role == .owner, !target.tag.isReserved else {
            throw SharingError(.notAllowed, "Only its sender or an owner takes a message back.")
        }
    }

    private static func checkOwnership(_ sender: Participant, of chat: Chat) throws(SharingError) {
        guard !chat.isOneToOne else {
            throw SharingError(.oneToOne, "A one-to-one chat has no subject and takes no one else.")
        }
        guard sender.role == .owner else {
            throw SharingError(.notAllowed, "Only an owner may do this.")
        }
    }

    private static func add(
        _ users: [UserID],
        _ submission: Submission,
        _ chat: Chat,
        _ contacts: Set<UserID>
    ) throws(SharingError) -> Decision {
        guard !users.isEmpty, Set(users).count == users.count else {
            throw SharingError(.noInvitee, "Name at least one, each once.")
        }
        guard !users.contains(where: chat.isPresent) else {
            throw SharingError(.alreadyParticipant, "They are in the chat already.")
        }
        guard contacts.isSuperset(of: users) else {
            throw SharingError(.unknownInvitee, "Not one of your contacts.")
        }
        guard chat.participants.count(where: \.isPresent) + users.count <= Chat.participantLimit else {
            throw SharingError(.tooMany, "A chat has at most \(Chat.participantLimit) participants.")
        }
        return join(users, submission, chat)
    }

    private static func join(_ users: [UserID], _ submission: Submission, _ chat: Chat) -> Decision {
        var changed = chat
        var moved: [Participant] = []
        for user in users {
            let span = ParticipationSpan(first: chat.last + 1)
            let color = changed.freeColor
            if let index = changed.participants.firstIndex(where: { $0.user == user }) {
                changed.participants[index].spans.append(span)
                changed.participants[index].color = color
                moved.append(changed.participants[index])
            } else {
                let participant = Participant(user: user, role: .member, color: color, spans: [span])
                changed.participants.append(participant)
                moved.append(participant)
            }
        }
        return entry(submission, changed, .join, data: .users(users), moved: moved)
    }

    private static func leave(_ submission: Submission, _ chat: Chat) -> Decision {
        var changed = chat
        var moved: [Participant] = []
        for index in changed.participants.indices where changed.participants[index].user == submission.sender
        {
            let open = changed.participants[index].spans.count - 1
            changed.participants[index].spans[open].last = chat.last + 1
            moved.append(changed.participants[index])
        }
        if !chat.isOneToOne { passOwnership(in: &changed) }
        return entry(submission, changed, .leave, moved: moved)
    }

    /// A group that its last owner left belongs to whoever has been in it longest.
    private static func passOwnership(in chat: inout Chat) {
        guard !chat.participants.contains(where: { $0.isPresent && $0.role == .owner }) else { return }
        guard let heir = chat.participants.firstIndex(where: \.isPresent) else { return }
        chat.participants[heir].role = .owner
    }

    private static func entry(
        _ submission: Submission,
        _ chat: Chat,
        _ tag: MessageTag,
        content: String = "",
        data: MessageData? = nil,
        expires: Timestamp? = nil,
        moved: [Participant] = []
    ) -> Decision {
        var changed = chat
        changed.last += 1
        let message = Message(
            chat: chat.id,
            number: changed.last,
            sender: submission.sender,
            tag: tag,
            content: content,
            data: data,
            time: submission.time,
            expires: expires
        )
        return Decision(message: message, chat: changed, moved: moved)
    }
}

extension MessageData {
    /// What a `Recall` carries: `{"number":N}`.
    public static func recall(of number: Int64) -> MessageData {
        var writer = JSONWriter(capacity: 32)
        writer.raw("{\"number\":")
        writer.integer(number)
        writer.raw("}")
        return MessageData(checked: writer.bytes)
    }

    /// What a `Join` carries: `{"users":["…"]}`.
    public static func users(_ users: [UserID]) -> MessageData {
        var writer = JSONWriter(capacity: 32 + users.count * 22)
        writer.raw("{\"users\":[")
        for (index, user) in users.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.identifier(user)
        }
        writer.raw("]}")
        return MessageData(checked: writer.bytes)
    }
}
