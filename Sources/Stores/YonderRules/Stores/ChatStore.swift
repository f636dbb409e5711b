package import YonderGeodesy
package import YonderModel

/// Keeps chats and their logs: the port through which the exchange and the endpoints read and write them.
///
/// `Exchange` submits messages and read positions, in batches of its loops; `CatchUp`, `PeopleAnswer` and the topics read;
/// the endpoints of `YonderServer/REST/Chats` read here and write by way of the exchange. Over PostgreSQL `GatedChats`
/// stands between. `SQLiteStore` and `PostgreSQLStore` implement it, and `MemoryStore` in the tests. Any thread may call. A
/// submission that is sent twice with its key is stored once, and answered with the number of the first.
///
/// What a submission may do is decided by ``ChatRules``, which readers see what by spans and `Message.shown(at:)`. Must
/// stay: completions come in the order of the commits, and a commit is in the outlet before its completion (decision 36);
/// the costs below are held by `StatementCostTests`.
///
/// The store numbers the messages of a chat, inside the transaction that stores them. No code above the store counts.
///
/// Every implementation passes the conformance suite in `TestSupport/Stores`.
///
/// A further function needs all three implementations and a rule in the suite; the texts of refusals may be changed.
package protocol ChatStore: ShareStore {
    /// Stores submissions, in order, and answers each after its commit.
    ///
    /// Submissions that arrive while a commit runs join the next one. `completion` is called once, from the store's
    /// own thread, after the commit; the calls of different `submit`s come in the order of their commits, so that
    /// what they pass on keeps the order of the numbers. It must not block.
    ///
    /// Each result is an acceptance or a refusal: the codes of ``ChatRules/decide(_:in:target:contacts:)`` and
    /// `keyReused`; `unavailable` if the store can't write or too much is waiting (its queue is bounded): nothing of
    /// that submission was kept. If too much is waiting, `completion` is called before `submit` returns, on the caller's
    /// thread.
    func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    )

    /// Starts a chat, or answers the pair's one-to-one chat. See ``ChatStart``. The outcome is on disk.
    ///
    /// - Throws: The codes of ``ChatStart/check(contacts:)``, `keyReused`, `unavailable`.
    func start(_ wish: ChatStart, at time: Timestamp, under warrant: Warrant) async throws(SharingError)
        -> ChatStart.Outcome

    /// The current state of a chat, without a check of the caller's permissions.
    ///
    /// - Throws: `unknownChat`, `unavailable`.
    func chat(_ id: ChatID) async throws(SharingError) -> Chat

    /// The chats that `user` is in now, ordered by the last activity, newest first: the first `limit` behind a place.
    ///
    /// Takes the same number of statements for any number of chats. ``page(of:after:limit:)`` says whether there are more.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - place: The place of the chat before, which need not be in the list any more; `nil` for the newest chats.
    ///   - limit: The most chats.
    /// - Returns: The chats.
    /// - Throws: `unavailable`.
    func chats(
        of user: UserID,
        after place: ChatPlace?,
        limit: Int
    ) async throws(SharingError) -> [Chat]

    /// The last number of every chat that `user` is in now, in one statement.
    ///
    /// - Throws: `unavailable`.
    func lastNumbers(of user: UserID) async throws(SharingError) -> [ChatID: Int64]

    /// Whether `reader` is in a chat now in which the meeting with `other` holds, in one statement.
    ///
    /// - Throws: `unavailable`.
    func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting) async throws(SharingError) -> Bool

    /// The groups that `owner` owns and in which `user` is, too, now: at most `limit`, by id, in one statement.
    ///
    /// - Throws: `unavailable`.
    func groups(of user: UserID, ownedBy owner: UserID, limit: Int) async throws(SharingError) -> [ChatID]

    /// The groups that `user` stays out of, the one that the user left last first: at most `limit`, in one statement.
    ///
    /// - Throws: `unavailable`.
    func leftGroups(of user: UserID, limit: Int) async throws(SharingError) -> [LeftGroup]

    /// Lets `user` be added again to a group that the user stays out of; changes nothing if the user doesn't.
    ///
    /// - Throws: `unknownChat` if the user never was in it; `unavailable`.
    func stopStayingOut(of chat: ChatID, by user: UserID, under warrant: Warrant)
        async throws(SharingError)

    /// The last written messages and the read positions of chats, for chat lists, at `now`.
    ///
    /// - Parameters:
    ///   - chats: The chats, in their current state.
    ///   - reader: The user whose list it is: for chats with more than ``ChatReading/mutualLimit`` people, only this
    ///     user's position is returned. `nil` for the positions of all participants.
    ///   - now: The server's time.
    /// - Returns: The reading of each chat that exists.
    /// - Throws: `unavailable`.
    func readings(
        of chats: [Chat],
        for reader: UserID?,
        now: Timestamp
    ) async throws(SharingError) -> [ChatID: ChatReading]

    /// Stores read positions, and answers each after its commit.
    ///
    /// Joins commits and is called back as ``submit(_:completion:)`` is. Each result is an outcome, or a refusal:
    /// `unknownChat`, `notParticipant`, `unavailable`. A position never moves back.
    func read(
        _ marks: [ReadMark],
        completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
    )

    /// Messages of a chat that `reader` may see, oldest first, cut to their spans, emptied where expired at `now`.
    ///
    /// The newest `limit` that match `query`, its `before` included. With `latest`, these are the newest match of each
    /// sender by ``Recency``, and every `Recall` that matches; a recalled or expired `Location` doesn't count as the newest.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unavailable`.
    func messages(
        _ query: MessageQuery,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer

    /// The first page of the newest ``MessageQuery/limit`` matches of a query, oldest first; `latest` is ignored.
    ///
    /// The page begins with the oldest of the matches and ends when it is full, which may be above the query's `before`.
    /// Read the other matches with ``messages(after:_:limit:reader:now:)``. This one includes every `Recall` in its range,
    /// and of a query with `since` what ``MessageFilter/emptying`` names; neither counts towards the limit.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unavailable`.
    func messages(
        newest query: MessageQuery,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer

    /// Messages above `since` that match `filter`, oldest first: what a subscriber missed.
    ///
    /// At most `limit` of them, and no more once 256 KiB of `content` and `data` are reached; ``MessageAnswer/through``
    /// says how far it has looked.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unavailable`.
    func messages(
        after since: Int64,
        _ filter: MessageFilter,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer

    /// One message, if `reader` may see it.
    ///
    /// - Throws: `unknownChat`, `notParticipant`, `unknownMessage`, `unavailable`.
    func message(_ id: Message.ID, reader: UserID, now: Timestamp) async throws(SharingError) -> Message

    /// The last positions of the present participants of a chat.
    ///
    /// For each participant the newest `Location` by ``Recency`` whose position is neither recalled nor expired at `now`,
    /// without a check of permissions. Costs two index lookups for each participant, and one for each newer `Location`
    /// that is late or has lost its position.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - users: The users, or `nil` for all present participants.
    ///   - now: The server's time.
    /// - Returns: The chat, and at most one message for each.
    /// - Throws: `unknownChat`, `unavailable`.
    func lastLocations(
        in chat: ChatID,
        of users: Set<UserID>?,
        now: Timestamp
    ) async throws(SharingError) -> LastLocations

    /// Empties what has expired at `now`, at most `limit` messages, and answers how many.
    ///
    /// - Throws: `unavailable`.
    @discardableResult
    func expire(at now: Timestamp, limit: Int) async throws(SharingError) -> Int

    /// Empties positions that their chats have kept for as long as they should at `now`, at most `limit`, and answers
    /// how many.
    ///
    /// It looks at every chat, so once an hour is enough.
    ///
    /// - Throws: `unavailable`.
    @discardableResult
    func erasePositions(at now: Timestamp, limit: Int) async throws(SharingError) -> Int

    /// Removes the messages below `number` from the front of a chat.
    ///
    /// - Throws: `unknownChat`, `unavailable`.
    func trim(_ chat: ChatID, below number: Int64) async throws(SharingError)
}

/// Messages, and how far they reach.
package struct MessageAnswer: Hashable, Sendable {
    /// The messages, oldest first.
    package let messages: [Message]

    /// The first number that the chat still keeps and the reader may read: a question from a lower number on has an answer
    /// with a gap.
    package let first: Int64

    /// Every match up to this number is in the answer, except for the oldest ones if the limit left them out.
    package let through: Int64

    /// The chat's last number at the moment of the answer; above `through`, there may be more matches: see ``isComplete``.
    package let last: Int64

    /// Creates an answer.
    package init(messages: [Message], first: Int64, through: Int64, last: Int64) {
        self.messages = messages
        self.first = first
        self.through = through
        self.last = last
    }

    /// Whether the chat has no number beyond ``through``.
    package var isComplete: Bool { through >= last }
}

/// A chat, and where people in it were last, at one instant.
package struct LastLocations: Hashable, Sendable {
    /// The chat with everyone in it.
    package let chat: Chat

    /// At most one for each who was asked for, in the order of the chat's participants.
    package let messages: [Message]

    /// Creates an answer.
    package init(chat: Chat, messages: [Message]) {
        self.chat = chat
        self.messages = messages
    }
}

extension ChatStore {
    /// Stores one submission and returns after its commit.
    ///
    /// - Throws: What ``submit(_:completion:)`` answers with.
    @discardableResult
    package func submit(_ submission: Submission) async throws(SharingError) -> Submission.Acceptance {
        let result = await withCheckedContinuation { continuation in
            submit([submission]) { results in
                let missing = SharingError(
                    .internalError,
                    "The store didn't answer; send the same again with the same key."
                )
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get()
    }

    /// Stores a read position and returns after the commit.
    ///
    /// - Throws: The errors of ``read(_:completion:)``.
    @discardableResult
    package func read(_ mark: ReadMark) async throws(SharingError) -> ReadMark.Outcome {
        let result = await withCheckedContinuation { continuation in
            read([mark]) { results in
                let missing = SharingError(
                    .internalError,
                    "The store didn't answer; send the same again with the same key."
                )
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get()
    }
}

/// How a person meets another one in a chat.
package enum Meeting: Int64, Sendable {
    /// The other one is in the chat, or was.
    case ever
    /// The other one is in the chat.
    case now
    /// The other one is in the chat, which is a group.
    case inGroup
}
