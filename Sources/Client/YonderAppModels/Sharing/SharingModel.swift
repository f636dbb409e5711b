public import Observation
import YonderClient
import YonderGeodesy
public import YonderLocation
public import YonderModel
public import YonderPocket
import YonderWire

/// Whether, where and until when the person shares their position, from this device or another, and every way to stop.
///
/// An app has one for each signed-in person; it runs as long as they are signed in, also while another screen is shown.
///
/// `PersonModels` makes it and runs ``run()``; views call the buttons, on the main actor, at any time and also twice. A
/// button returns at once: what takes time is a chore that ``run()`` performs. Nothing throws: a refusal or a missing
/// connection stands beside the chat's sharing, as text, until the person has read it. A stop takes effect on this device
/// before the server has it, and outlives the process where the outbox does.
///
/// The texts are in `SharingModel+Texts.swift`, the pocket in `SharingModel+Pocket.swift`. That nothing is sent after *stop*
/// is a promise (`Documentation/sharing.md`), held by `SharingModelTests` and `PocketDayTests`.
///
/// `startWait` may change here, with the text that names two minutes; buttons and states may be added with their tests.
@MainActor @Observable
public final class SharingModel {
    private enum Chore: Hashable, Sendable {
        case start(ChatID, ShareLength, Share.Keeping)
        case goOn(ChatID)
        case extend(ShownShare)
        case stop(ChatID)
        case stopEverywhere
    }

    /// What stands beside a chat's sharing until the person has read it.
    enum Problem: Hashable, Sendable {
        case text(String)
        /// The share ended by itself, or from another device.
        case ended
    }

    /// The connection.
    public let connection: ConnectionModel

    /// The world's model, which *stop everywhere* hides the person in, too.
    public weak var world: WorldModel?

    let person: SignedInUser
    let context: AppContext
    let ticker: Ticker
    let place: OwnPlace
    let sharing: LocationSharing
    let pocket: PocketSharing?
    private let chores = Chores<Chore>()

    private(set) var chats: [ChatID: NamedChat] = [:]

    /// The running shares, from any device.
    private(set) var shares: [ShareID: ShownShare] = [:]

    /// The shares that the server has listed.
    @ObservationIgnored private var listed: Set<ShareID> = []

    /// Whether the server has listed any.
    @ObservationIgnored private var hasList = false

    /// The share of each chat into which this device sends.
    private(set) var here: [ChatID: ShareID] = [:]

    /// The chats in which a start waits, each with the number of its start.
    private(set) var awaited: [ChatID: Int] = [:]
    @ObservationIgnored private var starts = 0
    private(set) var problems: [ChatID: Problem] = [:]

    /// The shares that this device stopped; those that are still among ``shares`` the server hasn't ended yet.
    private(set) var stopped: Set<ShareID> = []
    private(set) var stops: [WaitingStop] = []
    private(set) var failure: String?

    /// How long a start waits for a connection.
    static let startWait = Duration.seconds(120)

    /// Creates the model of a person's sharing.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - location: The device's location.
    ///   - pocket: Keeps a share going while the app isn't in view, and after the system ended it; `nil` for neither.
    ///   - context: The language and the clock.
    public init(
        of person: SignedInUser,
        from location: any LocationService,
        pocket: PocketSharing? = nil,
        _ context: AppContext
    ) {
        (self.person, self.pocket, self.context) = (person, pocket, context)
        connection = ConnectionModel(person.client, context)
        ticker = Ticker(context)
        place = OwnPlace(location)
        sharing = LocationSharing(over: person.client)
    }

    // MARK: - Buttons

    /// Shares the device's position in a chat: asks for permission if need be, and waits two minutes for a connection.
    public func share(in chat: ChatID, for length: ShareLength, keeping: Share.Keeping = .kept) {
        guard awaited[chat] == nil else { return }
        starts += 1
        awaited[chat] = starts
        problems[chat] = nil
        chores.add(.start(chat, length, keeping))
    }

    /// Sends positions into a share that runs without this device.
    public func goOn(in chat: ChatID) {
        problems[chat] = nil
        chores.add(.goOn(chat))
    }

    /// Moves the end of a share by an hour.
    public func extend(in chat: ChatID) {
        if let share = running(in: chat), share.share.until != nil { chores.add(.extend(share)) }
    }

    /// Ends every share of the person in a chat, from any device, and takes back one that waits to start.
    ///
    /// This device sends nothing more at once; a stop without a connection is sent when there is one.
    public func stop(in chat: ChatID) {
        stopHere(in: chat)
        chores.add(.stop(chat))
    }

    /// Ends every share of the person, in every chat and from any device, and hides them in the world.
    public func stopEverywhere() {
        for chat in Set(running.map(\.share.chat)).union(awaited.keys).union(problems.keys) {
            stopHere(in: chat)
        }
        pocket?.shareEnded()
        world?.hide()
        chores.add(.stopEverywhere)
    }

    /// Takes what stands beside a chat's sharing off the screen, after the person has read it.
    public func dismissProblem(in chat: ChatID) {
        problems[chat] = nil
    }

    func stopHere(in chat: ChatID) {
        pocket?.shareEnded(in: chat)
        (awaited[chat], here[chat], problems[chat]) = (nil, nil, nil)
        stopped.formUnion(running.filter { $0.share.chat == chat }.map(\.id))
    }

    // MARK: - Running

    /// Shares and stops until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.connection.run() }
            group.addTask { await self.ticker.run { await self.beat() } }
            group.addTask { await self.place.followPermission() }
            group.addTask { await self.followChats() }
            group.addTask { await self.followShares() }
            group.addTask { await self.followStops() }
            group.addTask { await self.readPositions() }
            group.addTask { await self.chores.run { await self.perform($0) } }
        }
    }

    private func perform(_ chore: Chore) async {
        failure = nil
        switch chore {
        case .start(let chat, let length, let keeping): await start(chat, length, keeping)
        case .goOn(let chat): await goOn(chat)
        case .extend(let share): await extend(share)
        case .stop(let chat): await report { () async throws(SharingError) in try await end(chat) }
        case .stopEverywhere: await report { () async throws(SharingError) in try await endAll() }
        }
    }

    private func report(_ work: () async throws(SharingError) -> Void) async {
        do throws(SharingError) {
            try await work()
        } catch {
            if !Task.isCancelled { failure = context.say(error) }
        }
    }

    // MARK: - Starting

    private func start(_ chat: ChatID, _ length: ShareLength, _ keeping: Share.Keeping) async {
        guard let number = awaited[chat] else { return }
        let permission = await place.ask()
        // It was taken back meanwhile.
        guard awaited[chat] == number else { return }
        guard permission == .allowed else {
            return fail(chat, "\(context.text(of: permission)) \(context.say(.sharingNothingShared))")
        }
        let result = await started(chat, ShareWish(until: length.end(from: context.now()), keeping: keeping))
        guard awaited[chat] == number else { return }
        switch result {
        case .success(let share):
            awaited[chat] = nil
            shares[share.id] = share
            await send(into: share)
        case .failure(let error) where error.code == .shareEnded: awaited[chat] = nil
        case .failure(let error): fail(chat, context.say(error))
        case nil: fail(chat, context.say(.sharingNotStarted))
        }
    }

    private func fail(_ chat: ChatID, _ problem: String) {
        awaited[chat] = nil
        problems[chat] = .text(problem)
    }

    /// Starts a share; `nil` if there was no connection for two minutes.
    private func started(_ chat: ChatID, _ wish: ShareWish) async -> Result<ShownShare, SharingError>? {
        await withTaskGroup(of: Result<ShownShare, SharingError>?.self) {
            [client = person.client, context] group in
            group.addTask {
                do throws(SharingError) {
                    return .success(try await client.startShare(in: chat, wish))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await context.clock.sleep(for: Self.startWait)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private func send(into share: ShownShare) async {
        here[share.share.chat] = share.id
        await sharing.start(with: .chat(share.share.chat))
        notePocket(share)
    }

    /// Sends into a share that an earlier process sent into; the server's list shows later whether the share still runs.
    func takeUp(_ share: ShownShare) async {
        guard here[share.share.chat] == nil else { return }
        if shares[share.id] == nil {
            guard !hasList else { return pocket?.shareEnded(in: share.share.chat) ?? () }
            shares[share.id] = share
            listed.insert(share.id)
        }
        await send(into: shares[share.id] ?? share)
    }

    private func goOn(_ chat: ChatID) async {
        let permission = await place.ask()
        guard let share = running(in: chat) else { return }
        guard permission == .allowed else { return problems[chat] = .text(context.text(of: permission)) }
        await send(into: share)
    }

    private func extend(_ share: ShownShare) async {
        guard let until = share.share.until else { return }
        do throws(SharingError) {
            let edit = ShareEdit(until: until + .seconds(3_600))
            let changed = try await person.client.changeShare(share.id, in: share.share.chat, edit)
            shares[changed.id] = changed
            notePocket(changed)
        } catch {
            problems[share.share.chat] = .text(context.say(error))
        }
    }

    // MARK: - Stopping

    private func end(_ chat: ChatID) async throws(SharingError) {
        let shares = shares.values.filter { $0.share.chat == chat }
        await sharing.stop(with: .chat(chat))
        await forgetPlaceIfIdle()
        do throws(SharingError) {
            try await sharing.end(with: .chat(chat))
        } catch {
            // The share runs on, and the screen says so.
            stopped.subtract(shares.map(\.id))
            throw error
        }
    }

    private func endAll() async throws(SharingError) {
        for audience in await sharing.audiences { await sharing.stop(with: audience) }
        await forgetPlaceIfIdle()
        do throws(SharingError) {
            try await person.client.stopShares()
        } catch {
            if error.code != .unavailable { stopped = [] }
            throw error
        }
    }

    /// Ends sending into chats whose share is over.
    private func endWhatIsOver() async {
        let now = context.now()
        for (chat, id) in here where !(shares[id]?.share.isRunning(at: now) ?? false) {
            // Another share may have begun in the chat while an earlier chat was waited for.
            guard here[chat] == id else { continue }
            here[chat] = nil
            problems[chat] = .ended
            pocket?.shareEnded(in: chat)
            await sharing.stop(with: .chat(chat))
        }
        await forgetPlaceIfIdle()
    }

    private func forgetPlaceIfIdle() async {
        if await sharing.audiences.isEmpty { place.forget() }
    }

    // MARK: - Following

    /// Sends each chat shared in a heartbeat: the device is alive, and where it is if it rests.
    private func beat() async {
        pocket?.timePassed()
        await endWhatIsOver()
        let isKnown = permission == .allowed && place.failure == nil
        let fix = (isKnown ? place.position : nil).map {
            ShareHeartbeat.Fix(time: $0.timestamp, accuracy: $0.horizontalAccuracy)
        }
        guard let heartbeat = ShareHeartbeat(fix: fix) else { return }
        for (chat, share) in here { await person.client.sendHeartbeat(heartbeat, in: chat, share: share) }
    }

    private func followChats() async {
        await report { () async throws(SharingError) in
            var updates = await person.client.chats().makeAsyncIterator()
            while let update = try await updates.next() {
                switch update {
                case .list(let list): chats = Dictionary(list.map { ($0.id, $0) }) { $1 }
                case .change(.changed(let chat)): chats[chat.id] = chat
                case .change(.left(let chat)): chats[chat] = nil
                }
            }
        }
    }

    private func followShares() async {
        await report { () async throws(SharingError) in
            var updates = await person.client.shares().makeAsyncIterator()
            while let update = try await updates.next() {
                switch update {
                case .list(let list): replace(list)
                case .change(let share): take(share)
                }
                ticker.tick()
                await endWhatIsOver()
            }
        }
    }

    /// Takes the whole list; a share that was started since the server made it isn't in it yet.
    private func replace(_ list: [ShownShare]) {
        let unlisted = shares.filter { !listed.contains($0.key) }
        shares = unlisted.merging(list.map { ($0.id, $0) }) { $1 }
        (listed, hasList) = (Set(list.map(\.id)), true)
        list.forEach(notePocket)
        stopped.formIntersection(shares.keys)
    }

    private func take(_ share: ShownShare) {
        listed.insert(share.id)
        shares[share.id] = share.freshness.state == .ended ? nil : share
        notePocket(share)
    }

    private func followStops() async {
        for await stops in person.client.waitingStops { self.stops = stops }
    }
}
