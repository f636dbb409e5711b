import Foundation
public import YonderGeodesy
public import YonderModel

/// Keeps a share going while the phone is in a pocket, and takes it up again after the system ended the process.
///
/// An app creates one at each launch, and calls ``launch()`` before anything else. `SignInModel` of `YonderAppModels` then
/// calls ``signedIn(_:at:)`` and ``signedOut()``; `SharingModel` calls ``shareStarted(_:of:)``, ``shareEnded(in:)`` and
/// ``timePassed()``, and awaits ``run(_:)`` while the models of a person run. Any of them but ``run(_:)`` may be called
/// again at any time.
///
/// No function fails. A record that can't be written is removed, and written again with the next event; updates that Core
/// Location ended are asked for again with the next event; a stop whose sending was cut off stays in the record, and the
/// next process repeats it.
///
/// What follows from which event is decided in ``PocketRules``, and is changed there. Two orders must stay: the record is
/// read and the activity session begun before ``launch()`` returns, because a relaunched app must make the session anew
/// before anything else; and a share is taken up before updates are read, because a position that arrives earlier would go
/// to no chat. `PocketSharingTests` holds both.
@MainActor public final class PocketSharing {
    /// Work that ``run(_:)`` does by the app's client; it waits in ``errands`` while nothing runs.
    private enum Errand: Hashable, Sendable {
        case send
        case stop(Set<ChatID>)
    }

    /// Whether Core Location reports that the device is at rest.
    public private(set) var isResting = false

    private let system: any PocketSystem
    private let store: any PocketRecordStore
    private let notice: @Sendable (Timestamp?) -> PocketNotice
    private let now: @Sendable () -> Timestamp
    private var rules: PocketRules

    /// The shares that the app's work is still to take up, in the order of the record.
    private var untaken: [PocketShare] = []

    /// What ``run(_:)`` hasn't begun, without duplicates: at most one to send, and one for each set of chats to stop.
    private var errands: [Errand] = []
    private var areUpdatesWanted = false

    /// Wake ``run(_:)`` for errands and for updates, and end the updates that it reads; `nil` before the first run.
    private var errandSignal: AsyncStream<Void>.Continuation?
    private var updateSignal: AsyncStream<Void>.Continuation?
    private var updatesEnd: AsyncStream<Void>.Continuation?

    /// Creates a pocket; ``launch()`` reads its record.
    ///
    /// - Parameters:
    ///   - system: The phone's system.
    ///   - record: Where the record is kept.
    ///   - notice: The notification's words, by the time at which the last share ends, or `nil` if one has no end.
    public convenience init(
        on system: any PocketSystem,
        record: any PocketRecordStore,
        notice: @escaping @Sendable (Timestamp?) -> PocketNotice
    ) {
        self.init(on: system, record: record, notice: notice) {
            Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
        }
    }

    /// Creates a pocket with a clock of the caller's.
    package init(
        on system: any PocketSystem,
        record: any PocketRecordStore,
        notice: @escaping @Sendable (Timestamp?) -> PocketNotice,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.system, store, self.notice, self.now) = (system, record, notice, now)
        rules = PocketRules(authorization: system.authorization)
    }

    // MARK: - For the app

    /// Call this before anything else of a launch: makes the activity session anew if a share is wanted.
    ///
    /// Without this call no event of the system is received, and the record isn't read: ``isLocked`` stays `true` until a share
    /// is started or the person signs out.
    public func launch() {
        system.setReceiver { [weak self] in self?.handle($0.event) }
        handle(.launched)
        system.registerStop(notice(nil).stop)
    }

    // MARK: - For the models

    /// The person whose shares are wanted, as an earlier process knew them, or `nil` if none is wanted.
    public var user: User? { rules.user }

    /// The person whose shares are wanted at a server, as an earlier process knew them.
    ///
    /// - Parameter server: The address of the server, as the session has it.
    /// - Returns: The person, or `nil` if no share is wanted there.
    public func user(at server: String) -> User? { rules.user(at: server) }

    /// The shares that this phone feeds, also before the app's work has taken them up.
    public var wanted: [PocketShare] { rules.wanted }

    /// Whether the record couldn't be read yet, as before the first unlock: a share may be wanted.
    public var isLocked: Bool { rules.isLocked }

    /// Call this when this phone sends into a share, and when the share's end was changed.
    ///
    /// Does nothing after ``signedOut()`` until the next ``signedIn(_:at:)``, nor for another user than the one signed in.
    ///
    /// - Parameters:
    ///   - share: The share, which takes the place of another wanted share of its chat.
    ///   - user: The person who shares: the one who is signed in.
    public func shareStarted(_ share: PocketShare, of user: User) {
        handle(.shareStarted(share, user))
    }

    /// Call this when this phone sends no more into a chat, or into none if `chat` is `nil`: no later process takes the share up.
    ///
    /// Sends no stop to the server; the caller does.
    public func shareEnded(in chat: ChatID? = nil) {
        untaken.removeAll { $0.chat == chat ?? $0.chat }
        handle(.shareEnded(chat))
    }

    /// Call this when a person signed in, or when a later process found their session: forgets the record of another account.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - server: The address of the server, as the session has it.
    public func signedIn(_ user: UserID, at server: String) {
        handle(.signedIn(user, server: server))
        untaken.removeAll { !rules.wanted.contains($0) }
    }

    /// Call this when the person signed out, or when the server ended their session: removes the record, also one that
    /// wasn't read.
    public func signedOut() {
        untaken = []
        handle(.signedOut)
    }

    /// Call this every 15 seconds while the app runs: shares that are over end, and a notification that is due is shown.
    public func timePassed() {
        handle(.timePassed)
    }

    /// Takes up shares, records positions, sends them, and stops shares, until the task is canceled.
    ///
    /// Call it again after a cancellation, never twice at a time: the signals go to the newer call alone.
    ///
    /// - Parameter work: The app's client. What came while nothing ran is done at once: errands, and each wanted share is
    ///   taken up.
    public func run(_ work: PocketWork) async {
        // An earlier run may have taken them up for models that are gone.
        untaken = rules.wanted
        await withDiscardingTaskGroup { group in
            group.addTask { await self.runErrands(work) }
            group.addTask { await self.followUpdates(work) }
        }
    }

    // MARK: - Errands

    /// Performs errands side by side, each in a task of its own, so that a stop doesn't wait for the outbox.
    private func runErrands(_ work: PocketWork) async {
        // A stream whose reader was canceled has ended, so each run has its own.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        errandSignal = signal
        signal.yield()
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                let due = errands
                errands = []
                for errand in due { group.addTask { await self.perform(errand, work) } }
            }
        }
    }

    private func perform(_ errand: Errand, _ work: PocketWork) async {
        switch errand {
        case .send:
            await work.send()
            handle(.sent)
        case .stop(let chats):
            let kept = await work.stop(chats)
            // A stop that was cut off is in the record still, and is repeated by the next process.
            if !Task.isCancelled, !kept.isEmpty { handle(.stopsKept(kept)) }
        }
    }

    // MARK: - Updates

    private func followUpdates(_ work: PocketWork) async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        updateSignal = signal
        signal.yield()
        for await _ in signals {
            // Shares are taken up before updates are read, because a position that arrives earlier would go to no chat.
            while let share = nextUntaken() { await work.takeUp(share) }
            if areUpdatesWanted { await readUpdates(work) }
        }
    }

    /// The next share to take up, unless it was stopped before the app's work ran.
    private func nextUntaken() -> PocketShare? {
        untaken.removeAll { !rules.wanted.contains($0) }
        return untaken.isEmpty ? nil : untaken.removeFirst()
    }

    /// Reads updates until they are stopped, or the task is canceled.
    private func readUpdates(_ work: PocketWork) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        updatesEnd = end
        let haveEnded = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.system.follow { await self.take($0, work) }
                return true
            }
            group.addTask {
                for await _ in ends {}
                return false
            }
            let haveEnded = await group.next() ?? false
            group.cancelAll()
            return haveEnded
        }
        updatesEnd = nil
        if haveEnded, !Task.isCancelled, areUpdatesWanted {
            areUpdatesWanted = false
            handle(.updatesEnded)
        }
    }

    /// Records one update; the next one waits until this returns, so that positions stay in order.
    private func take(_ update: PocketUpdate, _ work: PocketWork) async {
        isResting = update.isStationary
        guard update.position != nil else { return await work.record(update) }
        handle(.fixArrived)
        guard !rules.wanted.isEmpty else { return }
        await work.record(update)
        handle(.recorded)
    }

    // MARK: - Performing

    private func handle(_ event: PocketEvent) {
        for action in rules.handle(event, at: now()) { perform(action) }
    }

    private func perform(_ action: PocketAction) {
        switch action {
        case .readRecord:
            let reading = store.read()
            handle(.read(reading))
            // Core Location goes on from the process that wrote the record.
            if case .record = reading, !rules.asksForMoves { system.ignoreMoves() }
        case .keep(let record): keep(record)
        case .removeRecord: removeRecord()
        case .beginSession: system.beginSession()
        case .endSession: system.endSession()
        case .startUpdates: switchUpdates(on: true)
        case .stopUpdates: switchUpdates(on: false)
        case .watchMoves: system.watchMoves()
        case .ignoreMoves: system.ignoreMoves()
        case .beginTask: system.beginTask()
        case .endTask: system.endTask()
        case .flush: add(.send)
        case .takeUp(let shares):
            untaken = shares
            updateSignal?.yield()
        case .stop(let chats): add(.stop(chats))
        case .askToNotify: system.askToNotify()
        case .notify(let until): system.show(notice(until))
        case .removeNotice: system.removeNotice()
        }
    }

    private func keep(_ record: PocketRecord) {
        do {
            try store.keep(record)
        } catch {
            // An older record could name a share that was stopped since.
            removeRecord()
            handle(.recordNotKept)
        }
    }

    private func removeRecord() {
        do {
            try store.remove()
        } catch {
            handle(.recordNotKept)
        }
    }

    private func switchUpdates(on areWanted: Bool) {
        areUpdatesWanted = areWanted
        if areWanted { updateSignal?.yield() } else { updatesEnd?.finish() }
    }

    private func add(_ errand: Errand) {
        // At most one to send, and one for each set of chats.
        if !errands.contains(errand) { errands.append(errand) }
        errandSignal?.yield()
    }
}
