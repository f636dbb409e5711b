public import YonderGeodesy
public import YonderLocation
public import YonderModel

/// Decides how a share goes on while the phone is in a pocket.
///
/// A plain value without sensor, file and clock. ``PocketSharing`` makes one a process, calls ``handle(_:at:)`` for each
/// ``PocketEvent``, on the main actor, and performs the returned actions in their order. The first event is `launched`;
/// after it any event may follow any other, and one that comes twice returns only what is still to be done. No event is
/// refused: after `recordNotKept` and `updatesEnded` the same action is returned again with the next event.
///
/// The durations may be changed with `Documentation/location-apps.md`, which promises them; the state and its names are
/// private to this file. The invariants must stay: `PocketRulesInvariantTests` tries them with random days.
///
/// Invariants:
///
/// 1. Positions are asked for only while a share is wanted, permitted, and under an activity session.
/// 2. An activity session begins in view, or anew in the process after the one in which it began.
/// 3. No process takes up a share that the person stopped, that is over, that belongs to another account than the one signed
///    in, or that began before a sign-out; and none takes up a share after 24 hours without the app in view.
/// 4. A record that can't be read causes nothing, and is read again later; only a share that the person starts, and a
///    sign-out, replace it unread.
/// 5. There is at most one background task. The arrival of a fix opens it, and so does a stop that was tapped; a launch, a
///    movement and a kept stop send what is left over. It is open until that is sent, or until it expires.
/// 6. The notification is shown at most once an hour, and never in view.
public struct PocketRules: Sendable {
    /// After this time without the app in view a relaunch takes up no share.
    public static let longestUnseen = Duration.seconds(86_400)

    /// The least time between two notifications.
    public static let noticePause = Duration.seconds(3_600)

    /// How often an app in view writes the time to its record, by which a later process knows when the app was last in view.
    static let sightPause = Duration.seconds(600)

    private var record = PocketRecord(lastInView: Timestamp(milliseconds: 0))

    /// The record as it is on disk, or `nil` for none.
    private var kept: PocketRecord?

    /// Whether ``record`` counts, because it was read, or because a start or a sign-out replaced it; nothing is written before.
    private var isRead = false

    /// Whether the record on disk is ``kept``, as far as is known.
    private var isKept = true

    /// The account that is signed in, or `nil` if the app hasn't said.
    private var account: (user: UserID, server: String)?

    /// Whether the person has signed out; a share whose start is answered after that isn't noted.
    private var isSignedOut = false

    private var isInView = false
    private var authorization: LocationAuthorization

    /// Whether the record that was read has a share that is still wanted, so that an earlier process may have begun a session: this
    /// process may make the session anew without being in view.
    private var hadSession = false

    // Whether the session, the updates, and significant changes with visits were asked for and not ended.
    private var hasSession = false
    private var hasUpdates = false
    private var hasMoves = false

    /// When the notification was last shown, by this process or by an earlier one.
    private var lastNotice: Timestamp?

    /// Whether a notification may be on the screen.
    private var hasNotice = false

    /// Whether *Stop* was tapped before the record was read; the stop is carried out when it is.
    private var wasStopTapped = false
    private var batch = PocketBatch()

    /// Creates the rules of a process.
    ///
    /// - Parameter authorization: The permission when the process begins.
    public init(authorization: LocationAuthorization = .notDetermined) {
        self.authorization = authorization
    }

    /// The shares that this phone feeds.
    public var wanted: [PocketShare] { record.wanted }

    /// The person whose shares are wanted, or `nil` if none is.
    public var user: User? { record.wanted.isEmpty ? nil : record.user }

    /// The person whose shares are wanted at a server.
    ///
    /// - Parameter server: The address of the server.
    /// - Returns: The person, or `nil` if no share is wanted there.
    public func user(at server: String) -> User? { record.server == server ? user : nil }

    /// Whether significant changes and visits are asked for.
    public var asksForMoves: Bool { hasMoves }

    /// Whether the record couldn't be read yet.
    public var isLocked: Bool { !isRead }

    /// Decides what an event causes.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time by the device's clock.
    /// - Returns: What to do, in this order.
    public mutating func handle(_ event: PocketEvent, at now: Timestamp) -> [PocketAction] {
        switch event {
        case .launched, .dataBecameReadable: return isRead ? [] : [.readRecord]
        case .read(let reading): return read(reading, at: now)
        case .cameToView:
            isInView = true
            return isRead ? settle(at: now) : [.readRecord]
        case .leftView:
            noteSight(at: now)
            isInView = false
            return settle(at: now)
        case .authorization(let authorization):
            self.authorization = authorization
            return settle(at: now)
        case .timePassed: return settle(at: now)
        case .moved: return settle(at: now) + (record.isEmpty ? [] : batch.resume())
        case .shareStarted(let share, let user): return start(share, of: user, at: now)
        case .shareEnded(let chat):
            record.wanted.removeAll { $0.chat == chat ?? $0.chat }
            return settle(at: now)
        case .stopTapped: return stop(at: now)
        case .stopsKept(let chats):
            record.stopping.subtract(chats)
            return settle(at: now) + batch.resume()
        case .signedIn(let user, let server): return signIn(user, at: server, now)
        case .signedOut: return signOut(at: now)
        case .recordNotKept:
            // Written again at the next event.
            isKept = false
            return []
        case .fixArrived: return arrive(at: now)
        case .recorded: return batch.recorded()
        case .sent: return batch.sent()
        case .taskExpired: return batch.close()
        case .updatesEnded:
            // Asked for again at the next event, so that a failure that repeats itself doesn't repeat itself at once.
            hasUpdates = false
            return []
        }
    }

    // MARK: - The record

    private mutating func read(_ reading: PocketReading, at now: Timestamp) -> [PocketAction] {
        guard !isRead, reading != .locked else { return [] }
        isRead = true
        if case .record(let record) = reading { resume(record, at: now) }
        // Whether the app comes to view isn't known yet, so the notification waits for the next event.
        guard !record.isEmpty else { return settle(at: now, notices: false) }
        let isStopped = wasStopTapped
        wasStopTapped = false
        guard !isStopped else { return stop(at: now) }
        let wanted = record.wanted
        hadSession = !wanted.isEmpty
        let session = beginSession()
        let stopping: [PocketAction] = record.stopping.isEmpty ? [] : [.stop(record.stopping)]
        let takingUp: [PocketAction] = wanted.isEmpty ? [] : [.takeUp(wanted)]
        return session + batch.resume() + stopping + takingUp + settle(at: now, notices: false)
    }

    private mutating func resume(_ record: PocketRecord, at now: Timestamp) {
        (self.record, kept) = (record, record)
        lastNotice = record.lastNotice
        hasNotice = lastNotice != nil
        if isOfAnother(record) { self.record = PocketRecord(lastInView: now) }
        // A time ahead of the clock is of a clock that was wrong.
        let unseen = now - record.lastInView
        if unseen >= Self.longestUnseen || unseen < .zero - Self.noticePause { self.record.wanted = [] }
        self.record.wanted.removeAll { $0.isOver(at: now) }
    }

    private mutating func noteSight(at now: Timestamp) {
        if isInView { record.lastInView = now }
    }

    // MARK: - Shares

    /// Notes a share, also over a record that wasn't read: that record is lost, as the person has decided anew.
    private mutating func start(_ share: PocketShare, of user: User, at now: Timestamp) -> [PocketAction] {
        guard !isSignedOut, account.map({ $0.user == user.id }) ?? true else { return [] }
        let asking: [PocketAction] = isInView && record.wanted.isEmpty ? [.askToNotify] : []
        if record.user?.id != user.id { record = PocketRecord(lastInView: now) }
        isRead = true
        (record.user, record.server) = (user, account?.server)
        // A start is an act of the person's.
        record.lastInView = now
        record.stopping.remove(share.chat)
        record.wanted.removeAll { $0.chat == share.chat }
        record.wanted.append(share)
        return settle(at: now) + asking
    }

    private mutating func stop(at now: Timestamp) -> [PocketAction] {
        guard isRead else {
            wasStopTapped = true
            return []
        }
        record.stopping.formUnion(record.wanted.map(\.chat))
        record.wanted = []
        let stopping = record.stopping
        return settle(at: now) + (stopping.isEmpty ? [] : batch.open() + [.stop(stopping)])
    }

    /// Forgets a record of another account: its shares aren't this person's, and neither are its stops.
    private mutating func signIn(_ user: UserID, at server: String, _ now: Timestamp) -> [PocketAction] {
        (account, isSignedOut) = ((user, server), false)
        guard isRead, isOfAnother(record) else { return [] }
        record = PocketRecord(lastInView: now)
        return settle(at: now)
    }

    private func isOfAnother(_ record: PocketRecord) -> Bool {
        guard let account, let user = record.user else { return false }
        return user.id != account.user || record.server != account.server
    }

    private mutating func signOut(at now: Timestamp) -> [PocketAction] {
        (account, isSignedOut) = (nil, true)
        record = PocketRecord(lastInView: now)
        // Also a record that couldn't be read.
        (kept, isKept, isRead) = (nil, true, true)
        return [.removeRecord] + settle(at: now) + batch.close()
    }

    private mutating func arrive(at now: Timestamp) -> [PocketAction] {
        let actions = settle(at: now)
        return record.wanted.isEmpty ? actions : actions + batch.arrived()
    }

    // MARK: - Settling

    /// What brings the phone to the state that the record, the permission and the view ask for.
    private mutating func settle(at now: Timestamp, notices: Bool = true) -> [PocketAction] {
        record.wanted.removeAll { $0.isOver(at: now) }
        if isInView, now - record.lastInView >= Self.sightPause { noteSight(at: now) }
        let noticing = notices || !isNoticeNeeded ? notice(at: now) : []
        return keep() + updating() + noticing
    }

    private mutating func keep() -> [PocketAction] {
        // Before it was read, the record on disk is unknown.
        guard isRead else { return [] }
        let wanted = record.isEmpty ? nil : record
        guard wanted != kept || !isKept else { return [] }
        (kept, isKept) = (wanted, true)
        return [wanted.map(PocketAction.keep) ?? .removeRecord]
    }

    private var isNeeded: Bool { isRead && !record.wanted.isEmpty && authorization.isAuthorized }

    private mutating func beginSession() -> [PocketAction] {
        guard isNeeded, !hasSession, isInView || hadSession else { return [] }
        (hasSession, hadSession) = (true, false)
        return [.beginSession]
    }

    private mutating func updating() -> [PocketAction] {
        guard isNeeded else { return ending() }
        var actions = beginSession()
        if hasSession, !hasUpdates { actions.append(.startUpdates) }
        hasUpdates = hasSession
        if hasMoves != (authorization == .always) { actions.append(hasMoves ? .ignoreMoves : .watchMoves) }
        hasMoves = authorization == .always
        return actions
    }

    private mutating func ending() -> [PocketAction] {
        defer { (hasUpdates, hasMoves, hasSession) = (false, false, false) }
        if record.wanted.isEmpty { hadSession = false }
        return (hasUpdates ? [.stopUpdates] : []) + (hasMoves ? [.ignoreMoves] : [])
            + (hasSession ? [.endSession] : [])
    }

    private var isNoticeNeeded: Bool { (hasSession || hadSession) && isNeeded }

    /// The notification stays while the app is in view, so that its *Stop* is there after a short look, too.
    private mutating func notice(at now: Timestamp) -> [PocketAction] {
        guard isNoticeNeeded else {
            defer { hasNotice = false }
            return hasNotice ? [.removeNotice] : []
        }
        // A time ahead of the clock is of a clock that was wrong.
        let isDue = lastNotice.map { now < $0 || now - $0 >= Self.noticePause } ?? true
        guard !isInView, isDue else { return [] }
        (lastNotice, record.lastNotice, hasNotice) = (now, now, true)
        let ends = record.wanted.map(\.until)
        return [.notify(until: ends.contains(nil) ? nil : ends.compactMap(\.self).max())]
    }
}
