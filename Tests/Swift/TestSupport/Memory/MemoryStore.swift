import YonderGeodesy
package import YonderModel
package import YonderRules
import Synchronization

/// Chats, accounts and objects in memory: gone with the process, and otherwise just like those on disk.
///
/// What a `submit` did is visible to every read that begins after its completion was called.
package final class MemoryStore: Sendable {
    /// The state that stores over the same memory share.
    final class Memory: Sendable {
        let state = Mutex(State())
    }

    struct State: Sendable {
        var accounts = MemoryAccounts()
        var chats = MemoryChats()
        var objects = MemoryObjects()
        var keys = MemoryKeys()
        var images = MemoryImages()
        var answers = MemoryAnswers()

        /// The number of the last change of a block.
        var blockNumber: Int64 = 0

        /// Judges a warrant.
        func judge(_ warrant: Warrant) throws(SharingError) {
            if let refusal = refusal(of: warrant) { throw refusal }
        }

        func refusal(of warrant: Warrant) -> SharingError? {
            switch warrant {
            case .server: nil
            case .signIn(let held): accounts.refusal(of: held)
            case .signingKey(let id): keys[id] == nil ? .signingKeyEnded : nil
            }
        }

        /// Removes the images that nothing names any more.
        mutating func settleImages() {
            let (chats, accounts) = (chats, accounts)
            images.settle(
                hasData: { chats.hasData($0) },
                avatar: { (try? accounts.account($0))?.user.avatar }
            )
        }
    }

    let memory: Memory

    /// Has rights end between two steps of a request.
    package let interruption = Interruption()
    private let frozen = Mutex<State?>(nil)
    let nextChatID: @Sendable () -> ChatID

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
        under warrant: Warrant = .server,
        _ body: (inout MemoryAccounts) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        interrupt(warrant)
        return try memory.state.withLock { state throws(SharingError) in
            try state.judge(warrant)
            return try body(&state.accounts)
        }
    }

    func chats<Result: Sendable>(
        under warrant: Warrant = .server,
        _ body: (inout MemoryChats) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        interrupt(warrant)
        return try memory.state.withLock { state throws(SharingError) in
            try state.judge(warrant)
            return try body(&state.chats)
        }
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
        under warrant: Warrant = .server,
        _ body: (inout MemoryObjects) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        interrupt(warrant)
        return try memory.state.withLock { state throws(SharingError) in
            try state.judge(warrant)
            return try body(&state.objects)
        }
    }

    func keys<Result: Sendable>(
        under warrant: Warrant = .server,
        _ body: (inout MemoryKeys) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        interrupt(warrant)
        return try memory.state.withLock { state throws(SharingError) in
            try state.judge(warrant)
            return try body(&state.keys)
        }
    }

    func images<Result: Sendable>(
        under warrant: Warrant = .server,
        _ body: (inout MemoryImages) throws(SharingError) -> Result
    ) throws(SharingError) -> Result {
        interrupt(warrant)
        return try memory.state.withLock { state throws(SharingError) in
            try state.judge(warrant)
            state.settleImages()
            return try body(&state.images)
        }
    }

    /// Removes the images that nothing names any more.
    func settleImages() {
        memory.state.withLock { $0.settleImages() }
    }

    /// Does what a test wants done just before a change under a warrant.
    func interrupt(_ warrant: Warrant) {
        guard warrant != .server, let body = interruption.takeChange() else { return }
        body(self)
        let state = memory.state.withLock(\.self)
        frozen.withLock { $0 = state }
    }

    /// Ends a right at once, without a word to anyone.
    package func end(_ ending: EndedRight, of user: UserID) throws(SharingError) {
        try accounts { accounts throws(SharingError) in try accounts.end(ending, of: user) }
    }

    /// Removes a key of signed requests at once.
    package func end(key: String) {
        memory.state.withLock { _ = $0.keys.remove(key) }
    }

    /// Sets a password's hash at once, without a word to anyone.
    package func set(password hash: String?, of user: UserID) throws(SharingError) {
        try accounts { accounts throws(SharingError) in try accounts.setPassword(user, hash: hash) }
    }

    /// A store with what this one had when a test's interruption had ended a right; `nil` before.
    package var atInterruption: MemoryStore? {
        frozen.withLock(\.self).map { state in
            let store = MemoryStore()
            store.memory.state.withLock { $0 = state }
            return store
        }
    }

    /// Runs `body` as one commit, and returns once the outlet has received the commit.
    func commit<Value: Sendable>(
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
        under warrant: Warrant,
        _ body: (inout MemoryAccounts, MemoryChats) throws(SharingError) -> Void
    ) async throws(SharingError) -> ChatID? {
        interrupt(warrant)
        return try await commit { state, commit throws(SharingError) in
            try state.judge(warrant)
            try body(&state.accounts, state.chats)
            guard let chat = state.chats.pair(user, blocker) else { return nil }
            state.blockNumber += 1
            let number = state.blockNumber
            let change = BlockChange(chat: chat, blocker: blocker, isBlocked: isBlocked, number: number)
            commit.blocks.append(change)
            return chat
        }
    }

    /// Changes what signs a user in as one commit, with the shares that end by it.
    func changeSignIns<Value: Sendable>(
        of user: UserID,
        at now: Timestamp,
        under warrant: Warrant = .server,
        _ body: (inout MemoryAccounts) throws(SharingError) -> (value: Value, removed: [Credential])
    ) async throws(SharingError) -> Value {
        interrupt(warrant)
        return try await commit { state, commit throws(SharingError) in
            try state.judge(warrant)
            let old = try? state.accounts.account(user)
            let (value, removed) = try body(&state.accounts)
            let new = try? state.accounts.account(user)
            if let old, let change = SignInChange(of: old, to: new, removed: removed) {
                commit.signIns.append(change)
            }
            if removed.contains(where: \.isSignIn) || new?.isDisabled ?? true {
                state.endShares(of: user, at: now, &commit)
            }
            return value
        }
    }

    /// Changes objects and delivers the answer that `body` gives; it may ask for the refusal of a warrant.
    func changeObjects(
        under warrants: [Warrant],
        _ body: (inout MemoryObjects, (Warrant) -> SharingError?) -> @Sendable () -> Void
    ) {
        for warrant in warrants { interrupt(warrant) }
        deliver { state in
            let judge = state
            return body(&state.objects) { judge.refusal(of: $0) }
        }
    }

    /// Delivers an answer outside the lock, in order, by one thread at a time: it may submit again.
    func deliver(_ body: (inout State) -> @Sendable () -> Void) {
        let isFirst = memory.state.withLock { state in
            let answer = body(&state)
            return state.answers.append(answer)
        }
        while isFirst, let answer = memory.state.withLock({ $0.answers.next() }) { answer() }
    }
}
