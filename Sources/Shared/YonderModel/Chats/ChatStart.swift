/// A wish to start a chat.
///
/// `ChatGateway` makes one of a client's wish, over the stream or REST, and calls ``check(contacts:)``; the store performs it
/// in one transaction (`ChatStarting`). The same wish again answers with the same chat, also after a lost answer. The order
/// of the refusals is promised, so that a client can rely on the first code (`Documentation/errors.md`, `StoreRule+Chats`).
/// Lengths may be changed with `Documentation/stream.md`.
public struct ChatStart: Hashable, Sendable {
    /// The chat's creator, its first owner.
    public let creator: UserID

    /// The users to add, each once and without the creator.
    public let invitees: [UserID]

    /// The subject, for a group.
    public let subject: String

    /// Whether it is the one-to-one chat of this pair.
    public let isOneToOne: Bool

    /// The creator's own name for this wish, 1…64 characters, so that asking again answers the same chat.
    ///
    /// `nil` for a one-to-one chat without one: the pair names it.
    public let key: String?

    /// The error with which a store refuses the wish unless its chat exists.
    ///
    /// It is that of a limit that the creator exceeded. A repeated wish is still answered with its chat.
    package var refusal: SharingError?

    /// Creates a wish; ``check(contacts:)`` says whether it can be granted.
    ///
    /// Without a `key`, the wish for a group gets one at random, so that a store may be asked again when its answer was
    /// lost.
    public init(
        creator: UserID,
        invitees: [UserID],
        subject: String = "",
        isOneToOne: Bool = false,
        key: String? = nil
    ) {
        self.creator = creator
        var seen: Set<UserID> = [creator]
        self.invitees = invitees.filter { seen.insert($0).inserted }
        self.subject = subject
        self.isOneToOne = isOneToOne
        self.key = key ?? (isOneToOne ? nil : HexDigits.random(words: 2))
    }

    /// Refuses a chat that can't be started, in the order of the codes below.
    ///
    /// - Parameter contacts: Those of the creator's contacts that are among the invitees.
    /// - Throws: ``SharingError`` with code `noInvitee`, `oneToOne`, `tooMany`, `unknownInvitee` or `invalidField`.
    public func check(contacts: Set<UserID>) throws(SharingError) {
        guard let first = invitees.first else {
            throw SharingError(.noInvitee, "invitees must have at least one user id other than your own.")
        }
        guard !isOneToOne || invitees.count == 1 else {
            throw SharingError(
                .oneToOne,
                "invitees must have exactly one user id when oneToOne is true; it has \(invitees.count)."
            )
        }
        guard invitees.count < Chat.participantLimit else {
            throw SharingError(.tooMany, "A chat has at most \(Chat.participantLimit) participants.")
        }
        guard contacts.isSuperset(of: invitees) else {
            let unknown = invitees.first { !contacts.contains($0) } ?? first
            throw SharingError(
                .unknownInvitee,
                "invitees: \(unknown) isn't one of your contacts; send an invitation first."
            )
        }
        try Self.check(subject: subject)
        if let key { try IdempotencyKey.check(key) }
    }

    /// Refuses a subject over 200 characters, or with some that ``DisplayName`` doesn't have.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`.
    public static func check(subject: String) throws(SharingError) {
        guard DisplayName.isPlain(subject, lengths: 0...200) else {
            throw SharingError(
                .invalidField,
                "subject must have at most 200 characters, none of them a control or text direction character."
            )
        }
    }

    /// The result of starting a chat.
    public struct Outcome: Hashable, Sendable {
        /// The chat's current state.
        public let chat: Chat

        /// Whether it was there before: the pair's one-to-one chat, or the same key asked again.
        public let existed: Bool

        /// Creates an outcome.
        public init(chat: Chat, existed: Bool) {
            self.chat = chat
            self.existed = existed
        }
    }
}
