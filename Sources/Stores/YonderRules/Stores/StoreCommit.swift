package import YonderModel

/// The changes of one commit of a store that sessions and other nodes receive.
///
/// A store passes each commit of its process to its ``CommitOutlet``. Messages have their numbers, so that a receiver finds
/// one that it missed; the other facts have none, and belong to the order of the commits.
///
/// A store adds to it inside the transaction, and sends it once after the commit; a transaction that is rolled back sends
/// nothing. `Exchange.committed` receives it, on the store's thread. A further kind of change needs a property here, its
/// place in ``isEmpty``, and its receiver.
///
/// That it is sent before any caller is answered must stay (decision 36, `StoreRule+Commits.swift`).
package struct StoreCommit: Hashable, Sendable {
    /// The messages, in the order in which they were made, in each chat that of their numbers; a repeated submission
    /// made none.
    package var messages: [Submission.Acceptance]

    /// The chats that were started.
    package var started: [Chat]

    /// The read positions that moved forward.
    package var reads: [ReadMove]

    /// The one-to-one chats that a participant closed or opened by blocking or unblocking the other one.
    package var blocks: [BlockChange]

    /// The changes of sign-ins and of what users may do.
    package var signIns: [SignInChange]

    /// The shares that are as erasing left them; the shares that a message changed are in its acceptance.
    package var shares: [Share]

    /// Whether it isn't known what was committed: the answer was lost, and lists must be read from the store.
    package var isDoubtful = false

    /// Creates a commit.
    package init(
        messages: [Submission.Acceptance] = [],
        started: [Chat] = [],
        reads: [ReadMove] = [],
        blocks: [BlockChange] = [],
        signIns: [SignInChange] = [],
        shares: [Share] = []
    ) {
        self.messages = messages
        self.started = started
        self.reads = reads
        self.blocks = blocks
        self.signIns = signIns
        self.shares = shares
    }

    /// Whether the commit has no change that a session or another node receives.
    package var isEmpty: Bool {
        messages.isEmpty && started.isEmpty && reads.isEmpty && blocks.isEmpty && signIns.isEmpty
            && shares.isEmpty && !isDoubtful
    }
}

/// A read position that moved forward.
package struct ReadMove: Hashable, Sendable {
    /// The read position as the reader has it now, whatever number they sent.
    package let mark: ReadMark

    /// The read position after it.
    package let outcome: ReadMark.Outcome

    /// Creates a move.
    package init(mark: ReadMark, outcome: ReadMark.Outcome) {
        self.mark = ReadMark(chat: mark.chat, reader: mark.reader, number: outcome.position.number)
        self.outcome = outcome
    }
}

/// A participant of a one-to-one chat blocks the other one, or no longer does.
package struct BlockChange: Hashable, Sendable {
    /// The chat.
    package let chat: ChatID

    /// The participant.
    package let blocker: UserID

    /// Whether they block the other one now.
    package let isBlocked: Bool

    /// The chat's version after it: a later change of the chat has a higher one.
    package let number: Int64

    /// Creates a change.
    package init(chat: ChatID, blocker: UserID, isBlocked: Bool, number: Int64) {
        self.chat = chat
        self.blocker = blocker
        self.isBlocked = isBlocked
        self.number = number
    }
}
