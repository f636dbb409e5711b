package import YonderGeodesy
package import YonderModel

/// Something that wants a number in a chat's log.
///
/// `HubLoop`, `ChatGateway`, `Exchange+Shares.swift` and upkeep make one and pass it to `ChatStore.submit`; `ChatRules`
/// decides about it in the store's transaction. A value: making one checks nothing. A repeat with the same key, sender
/// and chat gets the first answer as long as the message exists; this must stay, and so the key with the fingerprint
/// (`Submission+Fingerprint.swift`, `StoreRule+Chats.swift`). A further action is a case here, in the rules and in both
/// stores.
package struct Submission: Hashable, Sendable {
    /// The action to perform.
    package enum Action: Hashable, Sendable {
        /// A message is sent.
        case message(MessageDraft)
        /// Recalls a message of the sender; an owner may recall any message.
        case recall(number: Int64)
        /// The subject changes; not in a one-to-one chat.
        case subject(String)
        /// Decides whether only owners may change the subject; owners only, not in a one-to-one chat.
        case lockSubject(Bool)
        /// Decides how long the chat keeps positions; owners only, both in a one-to-one chat.
        case keepPositions(PositionKeeping)
        /// People come in; owners only, contacts of theirs, not in a one-to-one chat.
        case add([UserID])
        /// The sender goes out.
        case leave
        /// The sender goes out and can't be added again; not in a one-to-one chat.
        case stayOut
        /// The sender begins to share their position, under this id unless an implicit share of theirs runs, whose id it
        /// takes.
        case startShare(ShareID, ShareWish)
        /// The sender changes a running share of theirs.
        case changeShare(ShareID, ShareEdit)
        /// The sender ends a running share of theirs.
        case stopShare(ShareID)
        /// The server ends a share, in its person's name; needs no key. With a time, it ends as of then, and only if it
        /// began before.
        case endShare(ShareID, Share.Ending, before: Timestamp? = nil)
        /// Removes another participant; owners only, not in a one-to-one chat.
        case remove(UserID)
        /// Makes another participant the owner instead of the sender; owners only, not in a one-to-one chat.
        case owner(UserID)
    }

    /// The chat.
    package let chat: ChatID

    /// The user who asks for it.
    package let sender: UserID

    /// The sender's idempotency key, 1…64 characters, unique in the chat per sender: sending again with the same key
    /// returns the first message's number.
    package let key: String

    /// The action to perform.
    package let action: Action

    /// When the server received it.
    package let time: Timestamp

    /// The time of the chat's newest message, or `nil`: the message's own time isn't below it, even if the clock was put
    /// back.
    ///
    /// So a log is in the order of its times, and messages are found by time without an index. All else that happens
    /// with the submission, such as the end of a share, has ``time``.
    package var floor: Timestamp?

    /// The session or token that it came by, or `nil` if that doesn't matter; implicit shares are each of one.
    package let source: Int64?

    /// The right by which it is made.
    package let warrant: Warrant

    /// Creates a submission, which a store checks; without a warrant it is the server's own.
    package init(
        chat: ChatID,
        sender: UserID,
        key: String,
        action: Action,
        time: Timestamp,
        source: Int64? = nil,
        under warrant: Warrant = .server
    ) {
        self.chat = chat
        self.sender = sender
        self.key = key
        self.action = action
        self.time = time
        self.source = source
        self.warrant = warrant
    }

    /// Whether a store judges the warrant before it decides.
    ///
    /// A message of an open stream isn't judged by itself, as the stream ends with its sign-in; one that begins or changes
    /// a share is, once that is decided.
    package var isJudgedFirst: Bool {
        switch warrant {
        case .server: false
        case .signIn(let held): if case .message = action { !held.isOfStream } else { true }
        case .signingKey: true
        }
    }

    /// The time of its message.
    package var messageTime: Timestamp { floor.map { max($0, time) } ?? time }

    /// Whether the server does it by itself, under no key.
    package var isServers: Bool {
        if case .endShare = action { true } else { false }
    }

    /// The result of a committed submission.
    package struct Acceptance: Hashable, Sendable {
        /// The message as stored in the log.
        package let message: Message

        /// Whether the key was known: then the message is the first one's, and subscribers aren't sent it again.
        package let isRepeat: Bool

        /// For a recall: the message that lost its content, as it was before; `nil` otherwise.
        package let recalled: Message?

        /// After an `add` the participants that it added, after a `leave` or a `stayOut` the participant that left; else
        /// empty.
        package let moved: [Participant]

        /// The number of written messages in the chat, this one included; 0 for a repeat, which subscribers aren't sent.
        package let written: Int64

        /// The new and changed shares; for a repeat, the share that it was about, if it is still known.
        package let shares: [Share]

        /// Creates an acceptance.
        package init(
            message: Message,
            isRepeat: Bool,
            recalled: Message? = nil,
            moved: [Participant] = [],
            written: Int64 = 0,
            shares: [Share] = []
        ) {
            self.message = message
            self.isRepeat = isRepeat
            self.recalled = recalled
            self.moved = moved
            self.written = written
            self.shares = shares
        }
    }
}
