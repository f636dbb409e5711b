import YonderGeodesy
import YonderModel
import YonderWire

/// The stops of a client that the server doesn't have yet, and the callers that wait for these answers.
///
/// Returns what to do next; ``SharingClient`` does it. A *waiter* resumes one caller.
///
/// A stop with a connection is sent at once and ends what runs when it arrives. One that waited for a connection is *dated*: it ends
/// what began before the tap, as of then.
///
/// Invariants:
///
/// 1. A stop is sent before it is kept, and first on each connection, until the server answers it or refuses it for good.
/// 2. A stop is sent as the user who asked for it, and as no other.
/// 3. A position that was recorded after a stop that waits isn't sent, unless a share was started since and before the position.
/// 4. A start that was never written is withdrawn by a stop; one that was is ended by its answer.
/// 5. The store has at most one call at a time; what was removed before it was kept is never kept.
///
/// Callers and failures are in `SharingClient+Stops.swift`, the only caller. Any call may come twice: an unknown id returns
/// no actions. What a store fails to keep is sent all the same. The numbered order must stay (`StopsTests`, the SDK's model);
/// `UnsentStop.limit` may change.
struct Stops<Waiter: Sendable>: Sendable {
    enum Action: Sendable {
        case write(ClientFrame)
        case resume(Waiter, Result<Reply, SharingError>)

        /// Take a request out of the queue if it was never written, and call ``Stops/startEnded(_:)`` then.
        case withdraw(OutgoingKey)

        /// Call ``Stops/resume(_:)`` after a pause of this length.
        case pause(Pause, Duration)

        /// Report that the server refused a stop for which no caller waits.
        case report(SharingError)

        /// Call ``Stops/nextWork()`` and do it.
        case work

        /// What ``Stops/waiting`` returns may be different.
        case show
    }

    /// The time until a stop is sent that the server refused for now, on one connection.
    struct Pause: Hashable, Sendable {
        fileprivate let id: String
        fileprivate let connection: Int
    }

    private struct Entry: Sendable {
        enum State: Hashable, Sendable {
            case unsent
            case sent(isDated: Bool)
            case paused(Pause)
        }

        var stop: UnsentStop

        /// Whether this client's caller asked for it, and not an earlier process.
        let isOurs: Bool
        var state = State.unsent
        var waiter: Waiter?

        /// When a share was started since, by chat.
        var restarts: [ChatID: Timestamp] = [:]
        var isKept = false
    }

    /// A request to start a share that the server hasn't answered.
    private struct Start: Sendable {
        let chat: ChatID
        var isStopped = false
    }

    /// Whether there is a store.
    let isKeeping: Bool

    /// Whether the stops in the store are still to be read.
    private(set) var needsStore: Bool

    private var entries: [Entry] = []
    private var starts: [OutgoingKey: Start] = [:]
    private var work: [StopWork] = []
    private var working: StopWork?
    private var clock = ServerTime()

    /// The user of the connection, or of the last one.
    private var user: UserID?
    private var storedUser: UserID?
    private var isConnected = false

    /// The number of the connection, or of the time without one.
    private var connection = 0

    init(isKeeping: Bool) {
        (self.isKeeping, needsStore) = (isKeeping, isKeeping)
    }

    /// Whether the server has every stop of this client's user.
    var isIdle: Bool { !entries.contains(where: isMine) }

    /// The stops of this client's user that the server doesn't have.
    var waiting: [WaitingStop] {
        entries.filter(isMine).map { WaitingStop(stop: $0.stop, outlivesProcess: $0.isKept) }
    }

    /// Whether a stop of this id waits for the server.
    func owns(_ id: String) -> Bool { index(of: id) != nil }

    // MARK: - Stopping

    /// Adds a stop: of a share, of every share in a chat, or of every share.
    ///
    /// - Throws: `tooMany` over ``UnsentStop/limit``.
    mutating func add(
        _ id: String,
        chat: ChatID? = nil,
        share: ShareID? = nil,
        for waiter: Waiter? = nil,
        at now: Timestamp
    ) throws(SharingError) -> [Action] {
        guard entries.count < UnsentStop.limit else {
            throw SharingError(
                .tooMany,
                "\(UnsentStop.limit) stops wait for the server already; connect before the next one."
            )
        }
        let stop = UnsentStop(
            id: id,
            user: user ?? storedUser,
            chat: chat,
            share: share,
            time: now,
            before: clock.time(at: now)
        )
        entries.append(Entry(stop: stop, isOurs: true, waiter: waiter))
        let sending = isConnected ? send(entries.count - 1, isDated: false) : []
        return sending + (share == nil ? withdrawStarts(in: chat) : []) + keep(stop) + [.show]
    }

    /// Call this when a caller's task was canceled; the stop itself stays.
    mutating func canceled(_ id: String) -> [Action] {
        resume(
            id,
            .failure(SharingError(.unavailable, "The task was canceled; the stop is sent all the same."))
        )
    }

    /// Call this when the client ended; the stops stay.
    mutating func end(_ error: SharingError) -> [Action] {
        entries.flatMap { resume($0.stop.id, .failure(error)) }
    }

    private mutating func resume(_ id: String, _ result: Result<Reply, SharingError>) -> [Action] {
        guard let index = index(of: id), let waiter = entries[index].waiter else { return [] }
        entries[index].waiter = nil
        return [.resume(waiter, result)]
    }

    // MARK: - Starting

    /// Call this with a request to start a share.
    mutating func starting(_ id: OutgoingKey, in chat: ChatID, at now: Timestamp) {
        starts[id] = Start(chat: chat)
        for index in entries.indices where (entries[index].stop.chat ?? chat) == chat {
            entries[index].restarts[chat] = entries[index].restarts[chat] ?? now
        }
    }

    /// Call this when a share was started.
    mutating func started(_ id: OutgoingKey, _ share: Share, stopID: String, at now: Timestamp) -> [Action] {
        clock.heard(share.started)
        guard let start = starts.removeValue(forKey: id), start.isStopped else { return [] }
        // Over the limit the server has the stop of everything that waits.
        return (try? add(stopID, chat: start.chat, share: share.id, at: now)) ?? []
    }

    /// Call this when a request to start a share was refused for good, or withdrawn.
    mutating func startEnded(_ id: OutgoingKey) {
        starts[id] = nil
    }

    private mutating func withdrawStarts(in chat: ChatID?) -> [Action] {
        let stopped = starts.filter { (chat ?? $0.value.chat) == $0.value.chat }.keys
        for id in stopped { starts[id]?.isStopped = true }
        return stopped.map(Action.withdraw)
    }

    // MARK: - Positions

    /// Why a message isn't sent, or `nil`: a position that was recorded after a stop which waits.
    func refusal(of draft: MessageDraft, in chat: ChatID, at now: Timestamp) -> SharingError? {
        guard draft.tag == .location, !entries.isEmpty else { return nil }
        guard let location = try? SharedLocation(draft.data, arrival: now) else { return nil }
        guard entries.contains(where: { isMine($0) && isOver(location, in: chat, by: $0) }) else {
            return nil
        }
        return SharingError(
            .shareEnded,
            "The share was stopped before this position was recorded; start a share before the next one."
        )
    }

    private func isOver(_ location: SharedLocation, in chat: ChatID, by entry: Entry) -> Bool {
        let stop = entry.stop
        guard stop.chat ?? chat == chat,
            stop.share ?? location.share == location.share || location.share == nil
        else { return false }
        guard location.time > min(stop.time, stop.before) else { return false }
        return entry.restarts[chat].map { location.time < $0 } ?? true
    }

    /// The server's time, by the greeting of the last connection.
    func serverTime(at now: Timestamp) -> Timestamp { clock.time(at: now) }

    // MARK: - The connection

    /// Call this when the connection is open.
    mutating func connected(as user: UserID?, serverTime: Timestamp, at now: Timestamp) -> [Action] {
        isConnected = true
        connection += 1
        clock.greeted(serverTime, at: now)
        return identify(user)
            + entries.indices.filter { isMine(entries[$0]) }.flatMap { send($0, isDated: true) }
            + [.show]
    }

    /// Call this when the connection ended.
    mutating func disconnected() {
        isConnected = false
        connection += 1
        for index in entries.indices { entries[index].state = .unsent }
    }

    /// Call this when a pause is over.
    mutating func resume(_ pause: Pause) -> [Action] {
        guard pause.connection == connection, let index = index(of: pause.id),
            entries[index].state == .paused(pause)
        else { return [] }
        return send(index, isDated: true)
    }

    /// Call this with the time of anything that the server has stored.
    mutating func heard(_ time: Timestamp) {
        clock.heard(time)
    }

    private mutating func identify(_ user: UserID?) -> [Action] {
        self.user = user
        guard let user else { return [] }
        let ours = entries.indices.filter { entries[$0].isOurs && entries[$0].stop.user != user }
        for index in ours { entries[index].stop.user = user }
        let rewriting = ours.flatMap { keep(entries[$0].stop) }
        guard isKeeping, storedUser != user else { return rewriting }
        storedUser = user
        return rewriting + add(.setUser(user))
    }

    private mutating func send(_ index: Int, isDated: Bool) -> [Action] {
        entries[index].state = .sent(isDated: isDated)
        return [.write(entries[index].stop.frame(isDated: isDated))]
    }

    // MARK: - The answers

    /// Call this when the server has a stop.
    mutating func answered(_ id: String, _ reply: Reply) -> [Action] {
        guard let index = index(of: id), case .sent(let isDated) = entries[index].state else { return [] }
        // A share that is named ran at the tap, whatever the device's clock says.
        if isDated, let share = entries[index].stop.share, case .stopped(let ended) = reply,
            !ended.contains(share)
        {
            return send(index, isDated: false)
        }
        return settle(index, .success(reply))
    }

    /// Call this when the server refused a stop.
    mutating func refused(_ id: String, _ error: SharingError) -> [Action] {
        guard let index = index(of: id), case .sent(let isDated) = entries[index].state else { return [] }
        if let wait = error.retryDelay {
            let pause = Pause(id: id, connection: connection)
            entries[index].state = .paused(pause)
            return [.pause(pause, wait)]
        }
        switch error.code {
        case .notSignedIn, .accountDisabled, .invalidCredentials:
            entries[index].state = .unsent
            return resume(id, .failure(error))
        case .unknownShare, .shareEnded: return settle(index, .failure(error))
        default:
            // A server of before doesn't know the time of a stop.
            if isDated, entries[index].stop.isKnownToAll { return send(index, isDated: false) }
            return (entries[index].waiter == nil ? [.report(error)] : []) + settle(index, .failure(error))
        }
    }

    private mutating func settle(_ index: Int, _ result: Result<Reply, SharingError>) -> [Action] {
        let entry = entries.remove(at: index)
        let resuming = entry.waiter.map { [Action.resume($0, result)] } ?? []
        return resuming + forget(entry) + [.show]
    }

    // MARK: - The store

    /// Call this with what the store has.
    mutating func loaded(_ stops: [UnsentStop], user: UserID?) -> [Action] {
        needsStore = false
        storedUser = storedUser ?? user
        let known = Set(entries.map(\.stop.id))
        let earlier = stops.filter { !known.contains($0.id) }.map { stop in
            var entry = Entry(stop: stop, isOurs: false)
            entry.stop.user = stop.user ?? user
            entry.isKept = true
            return entry
        }
        entries.insert(contentsOf: earlier, at: 0)
        return [.show]
    }

    /// Call this when the client runs again: has what couldn't be kept tried once more.
    mutating func keepAgain() -> [Action] {
        entries.filter { !$0.isKept && $0.isOurs }.flatMap { keep($0.stop) }
    }

    /// What the store is to do next, or `nil`; call ``worked(isDone:)`` then.
    mutating func nextWork() -> StopWork? {
        guard working == nil, !work.isEmpty else { return nil }
        working = work.removeFirst()
        return working
    }

    /// Call this when the store has kept or removed the stop that ``nextWork()`` returned, or failed to.
    mutating func worked(isDone: Bool) -> [Action] {
        defer { working = nil }
        guard case .keep(let stop)? = working, let index = index(of: stop.id) else { return [] }
        entries[index].isKept = isDone
        return [.show]
    }

    private mutating func keep(_ stop: UnsentStop) -> [Action] {
        work.removeAll { $0.keptID == stop.id }
        return add(.keep(stop))
    }

    private mutating func forget(_ entry: Entry) -> [Action] {
        let id = entry.stop.id
        work.removeAll { $0.keptID == id }
        return entry.isKept || working?.keptID == id ? add(.remove(id)) : []
    }

    private mutating func add(_ work: StopWork) -> [Action] {
        guard isKeeping else { return [] }
        self.work.append(work)
        return [.work]
    }

    // MARK: -

    private func index(of id: String) -> Int? { entries.firstIndex { $0.stop.id == id } }

    private func isMine(_ entry: Entry) -> Bool {
        guard !entry.isOurs, let theirs = entry.stop.user, let mine = user ?? storedUser else { return true }
        return theirs == mine
    }
}

/// A call of a ``StopStore``.
enum StopWork: Hashable, Sendable {
    case keep(UnsentStop)
    case remove(String)
    case setUser(UserID)

    /// The id of the stop that it keeps.
    fileprivate var keptID: String? {
        guard case .keep(let stop) = self else { return nil }
        return stop.id
    }
}

extension UnsentStop {
    /// Whether the oldest servers know a frame for it.
    fileprivate var isKnownToAll: Bool { share != nil || chat == nil }

    /// The frame that ends what runs now, or what began before the tap.
    fileprivate func frame(isDated: Bool) -> ClientFrame {
        if isDated { return .stopShares(key: id, ShareStop(chat: chat, share: share, before: before)) }
        if let share, let chat { return .stopShare(key: id, chat: chat, share) }
        return .stopShares(key: id, ShareStop(chat: chat))
    }
}

extension Stops.Action: Equatable where Waiter: Equatable {}
