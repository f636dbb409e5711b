package import YonderGeodesy
package import YonderModel
package import YonderRules
import Synchronization

/// Chats, accounts and objects in memory: gone with the process, and otherwise just like those on disk.
///
/// What a `submit` did is visible to every read that begins after its completion was called.
package final class MemoryStore: Sendable {
    /// The state that stores over the same memory share.
    private final class Memory: Sendable {
        let state = Mutex(State())
    }

    private struct State: Sendable {
        var accounts = MemoryAccounts()
        var chats = MemoryChats()
        var objects = MemoryObjects()
        var keys = MemoryKeys()
        var images = MemoryImages()
        var answers = MemoryAnswers()

        /// The number of the last change of a block.
        var blockNumber: Int64 = 0

        /// Removes the images that nothing names any more.
        mutating func settleImages() {
            let (chats, accounts) = (chats, accounts)
            images.settle(
                hasData: { chats.hasData($0) },
                avatar: { (try? accounts.account($0))?.user.avatar }
            )
        }
    }

    private let memory: Memory
    private let nextChatID: @Sendable () -> ChatID

    /// See ``CommitSource/outlet``.
    package let outlet = CommitOutlet()

    /// Creates an empty store.
    ///
    /// - Parameter nextChatID: Makes ids for new chats; random by default.
    package init(nextChatID: @escaping @Sendable () -> ChatID = { .random() }) {
        memory = Memory()
        self.nextChatID = nextChatID
    }

    /// Creates another store over the same memory, as another process has one: its commits come out of its own outlet.
    package init(beside other: MemoryStore) {
        memory = other.memory
        nextChatID = other.nextChatID
    }

    func accounts<Result: Sendable>(
        _ body: (inout MemoryAccounts) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        try memory.state.withLock { state throws(SharingError) in try body(&state.accounts) }
    }

    func chats<Result: Sendable>(
        _ body: (inout MemoryChats) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        try memory.state.withLock { state throws(SharingError) in try body(&state.chats) }
    }

    /// A chat with all that is kept of it, whoever asks.
    package func log(of id: ChatID) throws(SharingError) -> (chat: Chat, messages: [Message], shares: [Share])
    {
        try chats { chats throws(SharingError) in
            let log = try chats.log(id)
            return (log.chat, log.messages, log.shares.values.flatMap(\.self))
        }
    }

    /// The one-to-one chats in which a participant blocks the other, each with the participants who block.
    func closedPairs() -> [ChatID: Set<UserID>] {
        memory.state.withLock { state in
            var closed: [ChatID: Set<UserID>] = [:]
            for (blocker, user) in state.accounts.allBlocks {
                guard let chat = state.chats.pair(blocker, user) else { continue }
                closed[chat, default: []].insert(blocker)
            }
            return closed
        }
    }

    /// Reads accounts and chats at one instant.
    func people<Result: Sendable>(_ body: (MemoryAccounts, MemoryChats) -> Result) -> Result {
        memory.state.withLock { body($0.accounts, $0.chats) }
    }

    func objects<Result: Sendable>(
        _ body: (inout MemoryObjects) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        try memory.state.withLock { state throws(SharingError) in try body(&state.objects) }
    }

    func keys<Result: Sendable>(
        _ body: (inout MemoryKeys) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        try memory.state.withLock { state throws(SharingError) in try body(&state.keys) }
    }

    func images<Result: Sendable>(
        _ body: (inout MemoryImages) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        try memory.state.withLock { state throws(SharingError) in
            state.settleImages()
            return try body(&state.images)
        }
    }

    /// Removes the images that nothing names any more.
    func settleImages() {
        memory.state.withLock { $0.settleImages() }
    }

    /// Runs `body` as one commit, and returns once the outlet has received the commit.
    private func commit<Value: Sendable>(
        _ body: (inout State, inout StoreCommit) throws(SharingError) -> Value
    ) async throws(SharingError) -> Value {
        let outcome = await withCheckedContinuation { continuation in
            deliver { state in
                var commit = StoreCommit()
                let outcome: Result<Value, SharingError>
                do throws(SharingError) {
                    outcome = .success(try body(&state, &commit))
                } catch {
                    outcome = .failure(error)
                }
                return { [outlet, commit] in
                    outlet.send(commit)
                    continuation.resume(returning: outcome)
                }
            }
        }
        return try outcome.get()
    }

    /// Blocks or unblocks as one commit.
    ///
    /// - Returns: The one-to-one chat of the two, or `nil`.
    func changeBlock(
        of user: UserID,
        by blocker: UserID,
        isBlocked: Bool,
        _ body: (inout MemoryAccounts, MemoryChats) throws(SharingError) -> Void
    ) async throws(SharingError) -> ChatID? {
        try await commit { state, commit throws(SharingError) in
            try body(&state.accounts, state.chats)
            guard let chat = state.chats.pair(user, blocker) else { return nil }
            state.blockNumber += 1
            let number = state.blockNumber
            let change = BlockChange(chat: chat, blocker: blocker, isBlocked: isBlocked, number: number)
            commit.blocks.append(change)
            return chat
        }
    }

    /// Changes what signs a user in as one commit.
    func changeSignIns<Value: Sendable>(
        of user: UserID,
        _ body: (inout MemoryAccounts) throws(SharingError) -> (value: Value, removed: [Credential])
    ) async throws(SharingError) -> Value {
        try await commit { state, commit throws(SharingError) in
            let old = try? state.accounts.account(user)
            let (value, removed) = try body(&state.accounts)
            let new = try? state.accounts.account(user)
            if let old, let change = SignInChange(of: old, to: new, removed: removed) {
                commit.signIns.append(change)
            }
            return value
        }
    }

    /// Changes objects and delivers the answer that `body` gives.
    func changeObjects(_ body: (inout MemoryObjects) -> @Sendable () -> Void) {
        deliver { state in body(&state.objects) }
    }

    /// Delivers an answer outside the lock, in order, by one thread at a time: it may submit again.
    private func deliver(_ body: (inout State) -> @Sendable () -> Void) {
        let isFirst = memory.state.withLock { state in
            let answer = body(&state)
            return state.answers.append(answer)
        }
        while isFirst, let answer = memory.state.withLock({ $0.answers.next() }) { answer() }
    }
}

extension MemoryStore: ChatStore, CommitSource {
    /// See ``ChatStore/submit(_:completion:)``; a completion may run on the thread of another `submit`.
    package func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    ) {
        deliver { state in
            let results = submissions.map { submission in
                let result = state.chats.submit(
                    submission,
                    contacts: state.accounts.contacts(of: submission.sender),
                    isClosed: state.accounts.isClosed
                )
                if case .add = submission.action, let chat = try? state.chats.log(submission.chat).chat {
                    state.accounts.giveHues(in: chat)
                }
                return result
            }
            let accepted = results.compactMap { try? $0.get() }
            for acceptance in accepted { state.images.note(acceptance.message) }
            let commit = StoreCommit(messages: accepted.filter { !$0.isRepeat })
            return { [outlet] in
                outlet.send(commit)
                completion(results)
            }
        }
    }

    /// See ``ChatStore/start(_:at:)``.
    package func start(_ wish: ChatStart, at time: Timestamp) async throws(SharingError) -> ChatStart.Outcome
    {
        try await commit { state, commit throws(SharingError) in
            let contacts = state.accounts.contacts(of: wish.creator)
            let outcome = try state.chats.start(
                wish,
                contacts: contacts,
                at: time,
                nextID: nextChatID,
                &commit
            )
            state.accounts.giveHues(in: outcome.chat)
            return outcome
        }
    }

    /// See ``ChatStore/chat(_:)``.
    package func chat(_ id: ChatID) async throws(SharingError) -> Chat {
        try chats { chats throws(SharingError) in try chats.log(id).chat }
    }

    /// See ``ChatStore/chats(of:after:limit:)``.
    package func chats(
        of user: UserID,
        after place: ChatPlace?,
        limit: Int
    ) async throws(SharingError) -> [Chat] {
        try chats { $0.chats(of: user, after: place, limit: limit) }
    }

    /// See ``ChatStore/readings(of:for:now:)``.
    package func readings(
        of chats: [Chat],
        for reader: UserID?,
        now: Timestamp
    ) async throws(SharingError) -> [ChatID: ChatReading] {
        memory.state.withLock { state in
            state.chats.readings(
                of: chats.map(\.id),
                for: reader,
                now: now,
                isHidden: state.accounts.hidesReads
            )
        }
    }

    /// See ``ChatStore/read(_:completion:)``; a completion may run on the thread of another `submit`.
    package func read(
        _ marks: [ReadMark],
        completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
    ) {
        deliver { state in
            var commit = StoreCommit()
            let results = marks.map { state.chats.read($0, isHidden: state.accounts.hidesReads, &commit) }
            return { [outlet, commit] in
                outlet.send(commit)
                completion(results)
            }
        }
    }

    /// See ``ChatStore/messages(_:reader:now:)``.
    package func messages(
        _ query: MessageQuery,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try chats { chats throws(SharingError) in
            try chats.log(query.chat).messages(query, reader: reader, now: now)
        }
    }

    /// See ``ChatStore/messages(newest:limit:reader:now:)``.
    package func messages(
        newest query: MessageQuery,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try chats { chats throws(SharingError) in
            try chats.log(query.chat).messages(newest: query, limit: limit, reader: reader, now: now)
        }
    }

    /// See ``ChatStore/messages(after:_:limit:reader:now:)``.
    package func messages(
        after since: Int64,
        _ filter: MessageFilter,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        try chats { chats throws(SharingError) in
            try chats.log(filter.chat).messages(after: since, filter, limit: limit, reader: reader, now: now)
        }
    }

    /// See ``ChatStore/message(_:reader:now:)``.
    package func message(
        _ id: Message.ID,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> Message {
        try chats { chats throws(SharingError) in
            try chats.log(id.chat).message(id.logNumber, reader: reader, now: now)
        }
    }

    /// See ``ChatStore/lastLocations(in:of:now:)``.
    package func lastLocations(
        in chat: ChatID,
        of users: Set<UserID>?,
        now: Timestamp
    ) async throws(SharingError) -> LastLocations {
        try chats { chats throws(SharingError) in try chats.log(chat).lastLocations(of: users, now: now) }
    }

    /// See ``ChatStore/expire(at:limit:)``.
    @discardableResult
    package func expire(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try chats { $0.expire(at: now, limit: limit) }
    }

    /// See ``ShareStore/shares()``.
    package func shares() async throws(SharingError) -> [Share] {
        try chats { $0.shares }
    }

    /// See ``ChatStore/erasePositions(at:limit:)``.
    @discardableResult
    package func erasePositions(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try chats { $0.erasePositions(at: now, limit: limit) }
    }

    /// See ``ShareStore/eraseShares(at:limit:)``.
    @discardableResult
    package func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try await commit { state, commit throws(SharingError) in
            let before = Set(state.chats.shares.filter(\.isErased).map(\.id))
            let count = state.chats.eraseShares(at: now, limit: limit)
            commit.shares = state.chats.shares.filter { $0.isErased && !before.contains($0.id) }
            return count
        }
    }

    /// See ``ChatStore/trim(_:below:)``.
    package func trim(_ chat: ChatID, below number: Int64) async throws(SharingError) {
        try chats { chats throws(SharingError) in try chats.trim(chat, below: number) }
    }
}
