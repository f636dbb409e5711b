import Synchronization
package import YonderGeodesy
package import YonderModel
package import YonderRules

/// A store whose reads wait until they are let through, and that counts them.
package final class GatedStore: ChatStore, CommitSource {
    private struct State {
        var isOpen = true
        var asked = 0
        var refusesErasing = false
        var holdsExpiry = false
        var failures = 0
        var submitted = 0
        var holdsSubmissions = false
        var heldSubmissions: [@Sendable () -> Void] = []
        var holdsAnswers = false
        var expired = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let store: MemoryStore
    private let state = Mutex(State())

    package init(_ store: MemoryStore) {
        self.store = store
    }

    package var outlet: CommitOutlet { store.outlet }

    /// How many reads have been asked for.
    package var asked: Int { state.withLock { $0.asked } }

    /// How often it was asked to empty what has expired.
    package var expired: Int { state.withLock { $0.expired } }

    /// Has it refuse to erase positions, as on a full disk.
    package func refuseErasing() {
        state.withLock { $0.refusesErasing = true }
    }

    /// Has it wait before it empties what has expired, until it is opened.
    package func holdExpiry() {
        state.withLock { state in
            state.holdsExpiry = true
            state.isOpen = false
        }
    }

    /// Has the reads of a chat wait with their answer, until it is opened.
    package func holdAnswers() {
        state.withLock { state in
            state.holdsAnswers = true
            state.isOpen = false
        }
    }

    /// How many reads wait.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Has every read from now on wait.
    package func shut() {
        state.withLock { $0.isOpen = false }
    }

    /// Lets through those that wait, and every read from now on.
    package func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            state.holdsExpiry = false
            state.holdsAnswers = false
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.asked += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    package func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    ) {
        let isHeld = state.withLock { state in
            state.submitted += submissions.count
            if state.holdsSubmissions {
                state.heldSubmissions.append { [store] in
                    store.submit(submissions, completion: completion)
                }
            }
            return state.holdsSubmissions
        }
        if !isHeld { store.submit(submissions, completion: completion) }
    }

    /// Has the next so many reads of lists fail, as while a database is away.
    package func failReads(_ count: Int) {
        state.withLock { $0.failures = count }
    }

    /// How many submissions have come.
    package var submitted: Int { state.withLock(\.submitted) }

    /// Has later submissions wait, until ``releaseSubmissions()``.
    package func holdSubmissions() {
        state.withLock { $0.holdsSubmissions = true }
    }

    /// Submits what waits.
    package func releaseSubmissions() {
        let held = state.withLock { state in
            defer { state.heldSubmissions = [] }
            state.holdsSubmissions = false
            return state.heldSubmissions
        }
        for submit in held { submit() }
    }

    package func start(_ wish: ChatStart, at time: Timestamp, under warrant: Warrant)
        async throws(SharingError) -> ChatStart.Outcome
    {
        try await store.start(wish, at: time, under: warrant)
    }

    /// Throws as often as ``failReads(_:)`` asked for.
    private func fail() throws(SharingError) {
        let fails = state.withLock { state in
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures > 0
        }
        guard !fails else { throw SharingError(.unavailable, "The database is away.") }
    }

    package func chat(_ id: ChatID) async throws(SharingError) -> Chat {
        try fail()
        guard !state.withLock(\.holdsAnswers) else {
            let chat = try await store.chat(id)
            await pass()
            return chat
        }
        await pass()
        return try await store.chat(id)
    }

    package func chats(of user: UserID, after place: ChatPlace?, limit: Int) async throws(SharingError)
        -> [Chat]
    {
        await pass()
        try fail()
        return try await store.chats(of: user, after: place, limit: limit)
    }

    package func lastNumbers(of user: UserID) async throws(SharingError) -> [ChatID: Int64] {
        await pass()
        try fail()
        return try await store.lastNumbers(of: user)
    }

    package func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting) async throws(SharingError)
        -> Bool
    {
        try await store.meets(reader, other, meeting)
    }

    package func groups(of user: UserID, ownedBy owner: UserID, limit: Int) async throws(SharingError)
        -> [ChatID]
    {
        try await store.groups(of: user, ownedBy: owner, limit: limit)
    }

    package func leftGroups(of user: UserID, limit: Int) async throws(SharingError) -> [LeftGroup] {
        try await store.leftGroups(of: user, limit: limit)
    }

    package func stopStayingOut(of chat: ChatID, by user: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try await store.stopStayingOut(of: chat, by: user, under: warrant)
    }

    package func readings(
        of chats: [Chat],
        for reader: UserID?,
        now: Timestamp
    ) async throws(SharingError) -> [ChatID: ChatReading] {
        try await store.readings(of: chats, for: reader, now: now)
    }

    package func read(
        _ marks: [ReadMark],
        completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
    ) {
        store.read(marks, completion: completion)
    }

    package func messages(
        _ query: MessageQuery,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        await pass()
        return try await store.messages(query, reader: reader, now: now)
    }

    package func messages(
        newest query: MessageQuery,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        await pass()
        return try await store.messages(newest: query, limit: limit, reader: reader, now: now)
    }

    package func messages(
        after since: Int64,
        _ filter: MessageFilter,
        limit: Int,
        reader: UserID,
        now: Timestamp
    ) async throws(SharingError) -> MessageAnswer {
        await pass()
        return try await store.messages(after: since, filter, limit: limit, reader: reader, now: now)
    }

    package func message(_ id: Message.ID, reader: UserID, now: Timestamp) async throws(SharingError)
        -> Message
    {
        await pass()
        return try await store.message(id, reader: reader, now: now)
    }

    package func lastLocations(
        in chat: ChatID,
        of users: Set<UserID>?,
        now: Timestamp
    ) async throws(SharingError) -> LastLocations {
        await pass()
        return try await store.lastLocations(in: chat, of: users, now: now)
    }

    package func shares() async throws(SharingError) -> [Share] {
        try await store.shares()
    }

    package func endedShares(among ids: [ShareID]) async throws(SharingError) -> [Share] {
        try await store.endedShares(among: ids)
    }

    package func feed(_ share: Share, by signIn: SecretHash, at now: Timestamp) async throws(SharingError)
        -> Bool
    {
        try await store.feed(share, by: signIn, at: now)
    }

    package func erasePositions(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        if state.withLock(\.refusesErasing) { throw SharingError(.unavailable, "The disk is full.") }
        return try await store.erasePositions(at: now, limit: limit)
    }

    package func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        try await store.eraseShares(at: now, limit: limit)
    }

    package func expire(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        let isHeld = state.withLock { state in
            state.expired += 1
            return state.holdsExpiry
        }
        if isHeld { await pass() }
        return try await store.expire(at: now, limit: limit)
    }

    package func trim(_ chat: ChatID, below number: Int64) async throws(SharingError) {
        try await store.trim(chat, below: number)
    }
}
