import Synchronization
package import YonderGeodesy
package import YonderModel
package import YonderRules

extension MemoryStore: ChatStore, CommitSource {
    /// See ``ChatStore/submit(_:completion:)``; a completion may run on the thread of another `submit`.
    package func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    ) {
        for submission in submissions { interrupt(submission.warrant) }
        deliver { state in
            let results = submissions.map { submission in
                let refusal = state.refusal(of: submission.warrant)
                let result = state.chats.submit(
                    submission,
                    refusal: refusal,
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

    /// See ``AccountStore/judge(_:)``.
    package func judge(_ warrant: Warrant) async throws(SharingError) {
        try accounts(under: warrant) { _ in }
    }

    /// See ``ChatStore/start(_:at:under:)``.
    package func start(_ wish: ChatStart, at time: Timestamp, under warrant: Warrant)
        async throws(SharingError) -> ChatStart.Outcome
    {
        interrupt(warrant)
        return try await commit { state, commit throws(SharingError) in
            try state.judge(warrant)
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
