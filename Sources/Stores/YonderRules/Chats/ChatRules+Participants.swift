import YonderModel

/// The rules for joining and leaving a chat, and for its ownership.
///
/// Plain functions of the chat as it is in the transaction that writes: the same arguments give the same decision, and a refusal, with
/// a code of `Documentation/errors.md`, changes nothing. A one-to-one chat keeps both people, a group with people always has an
/// owner, and a person who stays out isn't added (decision 37).
extension ChatRules {
    static func add(
        _ users: [UserID],
        _ submission: Submission,
        _ chat: Chat,
        _ contacts: Set<UserID>
    ) throws(SharingError) -> Decision {
        guard !users.isEmpty, Set(users).count == users.count else {
            throw SharingError(.noInvitee, "users must be a list of at least one user id, without repeats.")
        }
        let present = Set(chat.participants.lazy.filter(\.isPresent).map(\.user))
        guard present.isDisjoint(with: users) else {
            throw SharingError(.alreadyParticipant, "users: a user in the list is in the chat already.")
        }
        guard contacts.isSuperset(of: users) else {
            throw SharingError(.unknownInvitee, "users: a user in the list isn't one of your contacts.")
        }
        let absent = chat.participants.lazy.filter { $0.staysOut != nil }.map(\.user)
        guard Set(absent).isDisjoint(with: users) else {
            throw SharingError(.notAllowed, "users: a user in the list stays out of this group.")
        }
        guard present.count + users.count <= Chat.participantLimit else {
            throw SharingError(.tooMany, "A chat has at most \(Chat.participantLimit) participants.")
        }
        return join(users, submission, chat)
    }

    static func join(_ users: [UserID], _ submission: Submission, _ chat: Chat) -> Decision {
        var changed = chat
        var moved: [Participant] = []
        var colors = FreeColors(in: chat)
        let places = Dictionary(
            uniqueKeysWithValues: zip(chat.participants.map(\.user), chat.participants.indices)
        )
        for user in users {
            var participant = Participant(user: user, role: .member, color: colors.take(), spans: [])
            let place = places[user]
            if let place {
                participant.spans = chat.participants[place].spans
                // In a one-to-one chat both people stay owners. In a group, a former owner who joins again is a member.
                if chat.isOneToOne {
                    participant.role = chat.participants[place].role
                    participant.unknownRole = chat.participants[place].unknownRole
                }
            }
            participant.begin(at: chat.last + 1, of: chat)
            moved.append(participant)
            if let place {
                changed.participants[place] = participant
            } else {
                changed.participants.append(participant)
            }
        }
        return entry(submission, changed, .join, data: .users(users), moved: moved)
    }

    static func stayOut(_ submission: Submission, _ chat: Chat) throws(SharingError) -> Decision {
        guard !chat.isOneToOne else {
            throw SharingError(
                .invalidField,
                "stayOut must be false or absent: this is a one-to-one chat; block the other user instead."
            )
        }
        return leave(submission, chat, StayingOut(since: submission.time, subject: chat.subject))
    }

    static func leave(_ submission: Submission, _ chat: Chat, _ staysOut: StayingOut? = nil) -> Decision {
        var changed = chat
        var moved: [Participant] = []
        for index in changed.participants.indices where changed.participants[index].user == submission.sender
        {
            let open = changed.participants[index].spans.count - 1
            changed.participants[index].spans[open].last = chat.last + 1
            changed.participants[index].staysOut = staysOut
            moved.append(changed.participants[index])
        }
        let heir = chat.isOneToOne ? nil : passOwnership(in: &changed)
        return entry(submission, changed, .leave, moved: moved, affected: [heir].compactMap(\.self))
    }

    static func remove(_ user: UserID, _ submission: Submission, _ chat: Chat) throws(SharingError)
        -> Decision
    {
        let place = try place(ofOther: user, submission, chat)
        var changed = chat
        let open = changed.participants[place].spans.count - 1
        // Their last message is the one that says so.
        changed.participants[place].spans[open].last = chat.last + 1
        let removed = changed.participants[place]
        return entry(submission, changed, .remove, data: .user(user), moved: [removed])
    }

    static func handOver(to user: UserID, _ submission: Submission, _ chat: Chat) throws(SharingError)
        -> Decision
    {
        let place = try place(ofOther: user, submission, chat)
        var changed = chat
        changed.participants[place].role = .owner
        var affected = [changed.participants[place]]
        for index in changed.participants.indices
        where changed.participants[index].user == submission.sender {
            changed.participants[index].role = .member
            affected.append(changed.participants[index])
        }
        return entry(submission, changed, .owner, data: .user(user), affected: affected)
    }

    /// The index, among the chat's participants, of a present participant other than the sender.
    private static func place(ofOther user: UserID, _ submission: Submission, _ chat: Chat)
        throws(SharingError) -> Int
    {
        guard user != submission.sender else {
            throw SharingError(.notAllowed, "user must be another participant; leave the chat instead.")
        }
        let place = chat.participants.firstIndex { $0.user == user && $0.isPresent }
        guard let place else { throw SharingError(.unknownUser, "user: \(user) isn't in this chat.") }
        return place
    }

    /// Hands the group over after its last owner left: to the participant with the earliest start of their current stay,
    /// of those whose role this version knows.
    private static func passOwnership(in chat: inout Chat) -> Participant? {
        let participants = chat.participants
        let present = participants.indices.filter { participants[$0].isPresent }
        guard !present.contains(where: { participants[$0].role == .owner }) else { return nil }
        let since = { (index: Int) in participants[index].spans.last?.first ?? .max }
        let heirs = present.filter { !participants[$0].mayOnlyRead }
        guard let heir = heirs.min(by: { since($0) < since($1) }) else { return nil }
        chat.participants[heir].role = .owner
        return chat.participants[heir]
    }
}

extension Participant {
    /// Begins a span; in a one-to-one chat, directly behind the last one, goes on with that.
    ///
    /// The messages that the participant may read are the same, and a participant who leaves and comes back at once has one span. In
    /// a group a span's beginning also says how long a participant has been in it.
    fileprivate mutating func begin(at number: Int64, of chat: Chat) {
        if chat.isOneToOne, let last = spans.indices.last, spans[last].last == number - 1 {
            spans[last].last = nil
        } else {
            spans.append(ParticipationSpan(first: number))
        }
    }
}
