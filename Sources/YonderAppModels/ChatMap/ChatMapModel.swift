public import Observation
public import YonderClient
import YonderGeodesy
public import YonderModel
import YonderWire

/// The map of a chat: a pin for each person, lines, the callout of the selected pin, and the person whom the map follows.
@MainActor @Observable
public final class ChatMapModel {
    /// The connection, to be shown above the map.
    public let connection: ConnectionModel

    /// The chat.
    public let chat: ChatID

    /// What is on the map: draw it by the identities of its pins, lines and stops.
    public var annotations: MapAnnotations { map.annotations }

    /// Where the map should look, or `nil` at first.
    public private(set) var look: MapLook?

    /// Why the chat can't be shown, or `nil`.
    public private(set) var problem: String?

    /// Whether all locations are viewed, and not the last of each person: the switch.
    public var viewsAll = false {
        didSet {
            if viewsAll { wantsAll?.finish() }
            show()
        }
    }

    private var map = MapModel()
    private var shown: NamedChat?
    private var last = Positions(isLatest: true)
    private var all: Positions?
    private var shares: [ShareID: ShownShare] = [:]
    private var followed: UserID?
    private let person: SignedInUser
    private let context: AppContext
    private let ticker: Ticker

    /// Each person's newest position.
    private var newest: [UserID: Message] = [:]

    /// Finished when all locations are viewed for the first time.
    @ObservationIgnored private var wantsAll: AsyncStream<Void>.Continuation?

    /// The most positions that *all locations* shows: the newest.
    public static let allLimit = 10_000

    /// Creates the model of a chat's map.
    public init(of chat: ChatID, for person: SignedInUser, _ context: AppContext) {
        (self.chat, self.person, self.context) = (chat, person, context)
        connection = ConnectionModel(person.client, context)
        ticker = Ticker(context)
    }

    // MARK: - What the screen shows

    /// The chat's name; empty while it isn't known.
    public var title: String { shown.map { context.name(of: $0, for: person.id) } ?? "" }

    /// What is viewed, below the switch; while all locations are fetched, that they are.
    public var extent: String {
        guard viewsAll else { return context.say(.chatViewsLast) }
        return context.say(all == nil ? .pageLoading : .appViewsAll)
    }

    /// The chat's people who are in it now, by name; the person's own row is first.
    public var people: [PersonRow] {
        let states = states
        let present = shown?.chat.participants.filter(\.isPresent).map(\.user) ?? []
        return present.map { row($0, states[$0]) }.sorted {
            ($0.id == person.id ? 0 : 1, $0.name, $0.id) < ($1.id == person.id ? 0 : 1, $1.name, $1.id)
        }
    }

    /// The callout of the selected pin or stop, or `nil`.
    public var callout: Callout? {
        guard let pin = map.selected, let user = Self.user(of: pin.id) else { return nil }
        let isFollowed = followed == user
        let state = Self.isStop(pin.id) ? nil : states[user]
        return Callout(
            id: pin.id,
            name: name(of: user),
            email: pin.email ?? "",
            time: pin.time.map(timeText) ?? "",
            state: state.map { context.state(of: $0, at: ticker.now) } ?? "",
            isFollowed: isFollowed,
            follow: context.say(isFollowed ? .appUnfollow : .personFollowShort)
        )
    }

    /// The text under a pin: the name, and how old and how sure the place is; empty for an id that isn't on the map.
    public func label(of id: String) -> String {
        guard let user = Self.user(of: id), let pin = annotations.pins[id] ?? annotations.stops[id] else {
            return ""
        }
        if Self.isStop(id) { return [name(of: user), pin.time.map(timeText) ?? ""].joined(separator: ", ") }
        return [name(of: user), states[user].map { context.label(of: $0, at: ticker.now) } ?? ""]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The selected pin's or stop's id, or `nil`; a map view sets it.
    public var selection: String? {
        get { map.selection }
        set { map.select(newValue) }
    }

    private func row(_ user: UserID, _ state: PersonState?) -> PersonRow {
        PersonRow(
            id: user,
            name: name(of: user),
            state: state.map { context.state(of: $0, at: ticker.now) } ?? context.say(.chatNeverShared),
            isOnMap: annotations.pins[user.description] != nil,
            isSelected: map.selection.flatMap(Self.user) == user,
            face: shown?.users[user].map(Face.init)
        )
    }

    private func name(of user: UserID) -> String {
        let name = shown?.users[user]?.name ?? ""
        return user == person.id ? context.say(.chatYou, ["name": name]) : name
    }

    /// *3 min ago (14:02)*; for an older time only when it was.
    private func timeText(_ time: Timestamp) -> String {
        let (ago, clock) = (context.agoText(time, at: ticker.now), context.clockText(time))
        return ago.hasSuffix(clock) || ago == context.dayText(time, at: ticker.now)
            ? ago : "\(ago) (\(clock))"
    }

    private var states: [UserID: PersonState] {
        let theirs = Dictionary(grouping: shares.values, by: \.share.user)
        let users = Set(newest.keys).union(theirs.keys)
        return users.reduce(into: [:]) { states, user in
            states[user] = PersonState(
                position: newest[user]?.position,
                shares: theirs[user] ?? [],
                at: ticker.now
            )
        }
    }

    private static func user(of id: String) -> UserID? { UserID(String(id.prefix { $0 != "/" })) }
    private static func isStop(_ id: String) -> Bool { id.contains("/") }

    // MARK: - Buttons

    /// Selects a person of the list, and looks at their pin; a second time takes both back.
    public func choose(_ user: UserID) {
        let id = user.description
        map.select(map.selection == id ? nil : id)
        if let pin = map.selected { look = .next(after: look, .center(pin.coordinate)) }
    }

    /// Follows the selected person, or no more.
    public func toggleFollowing() {
        let user = map.selection.flatMap(Self.user)
        followed = followed == user ? nil : user
        // Also where the map looked there before, as its user may have moved it since.
        if let place = followedPlace { look = .next(after: look, .center(place)) }
    }

    /// Call this when the user moves the map by hand: it follows no more.
    public func mapWasMoved() {
        followed = nil
    }

    /// Looks at everybody.
    public func lookAtEverybody() {
        followed = nil
        let places = annotations.pins.values.map(\.coordinate)
        if let region = Region(fitting: places) { look = .next(after: look, .region(region)) }
    }

    private var followedPlace: Coordinate? {
        followed.flatMap { annotations.pins[$0.description]?.coordinate }
    }

    private func lookAtFollowed() {
        guard let place = followedPlace, look?.target != .center(place) else { return }
        look = .next(after: look, .center(place))
    }

    // MARK: - Running

    /// Follows the chat until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.connection.run() }
            group.addTask { await self.ticker.run() }
            group.addTask { await self.followChat() }
            group.addTask { await self.followPositions() }
            group.addTask { await self.followShares() }
        }
    }

    private func followChat() async {
        await report { () async throws(SharingError) in
            var updates = await person.client.chats().makeAsyncIterator()
            while let update = try await updates.next() {
                switch update {
                case .list(let chats): take(chats.first { $0.id == chat })
                case .change(.changed(let changed)) where changed.id == chat: take(changed)
                case .change(.left(chat)): take(nil)
                case .change: break
                }
            }
        }
    }

    private func take(_ chat: NamedChat?) {
        shown = chat ?? shown
        problem = chat == nil ? context.say(.chatMissing) : nil
        show()
    }

    /// Follows the last position of each person, and all positions from when these are viewed for the first time.
    ///
    /// The server has one subscription of a chat's positions for each connection, so one takes the place of the other.
    private func followPositions() async {
        if all == nil, !viewsAll {
            let (wanted, wantsAll) = AsyncStream.makeStream(of: Void.self)
            self.wantsAll = wantsAll
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.follow(isLatest: true) { self.last = $0 } }
                group.addTask { for await _ in wanted {} }
                await group.next()
                // An end by the server is the screen's problem; all positions have the same.
                group.cancelAll()
            }
        }
        await follow(isLatest: false) { self.all = $0 }
    }

    private func follow(isLatest: Bool, _ take: @MainActor (Positions) -> Void) async {
        await report { () async throws(SharingError) in
            var tries = 0
            while true {
                do throws(SharingError) {
                    return try await read(isLatest: isLatest, take)
                } catch {
                    // The end of the subscription before it may still be on its way to the server.
                    guard error.code == .duplicateSubscription, tries < 10 else { throw error }
                    tries += 1
                }
            }
        }
    }

    private func read(isLatest: Bool, _ take: @MainActor (Positions) -> Void) async throws(SharingError) {
        var positions = Positions(isLatest: isLatest)
        var updates = await person.client.messages(
            in: chat,
            where: .tagged(.location),
            latest: isLatest,
            limit: isLatest ? MessageQuery.defaultLimit : Self.allLimit
        ).makeAsyncIterator()
        while let update = try await updates.next() {
            positions.take(update)
            take(positions)
            show()
        }
    }

    private func followShares() async {
        await report { () async throws(SharingError) in
            var updates = await person.client.freshness(in: chat).makeAsyncIterator()
            while let update = try await updates.next() {
                switch update {
                case .list(let list): shares = Dictionary(list.map { ($0.id, $0) }) { $1 }
                case .change(let share): shares[share.id] = share
                }
                show()
            }
        }
    }

    /// Reads until the task is canceled; an end by the server is the screen's problem.
    private func report(_ read: () async throws(SharingError) -> Void) async {
        do throws(SharingError) {
            try await read()
        } catch {
            problem = context.say(error)
        }
    }

    /// Draws the map anew, and keeps what is selected and followed.
    private func show() {
        guard let shown else { return }
        ticker.tick()
        let selected = map.selection
        let isFirst = annotations.pins.isEmpty
        let messages = last.messages + (all?.messages ?? [])
        newest = Dictionary(messages.map { ($0.sender, $0) }) { $1.isNewer(than: $0) ? $1 : $0 }
        if viewsAll, let all {
            _ = map.show(MapAnnotations(shown, all.messages, extent: .all))
        } else {
            let gone = Set(states.filter { $0.value.isGone(at: ticker.now) }.keys)
            let present = newest.values.filter { !gone.contains($0.sender) }
            _ = map.show(MapAnnotations(shown, present, extent: .last))
        }
        // A stop isn't on the map of last locations, but its person is.
        if map.selection == nil, let selected {
            map.select(selected.split(separator: "/").first.map(String.init))
        }
        if isFirst, look == nil { lookAtEverybody() }
        lookAtFollowed()
    }
}
