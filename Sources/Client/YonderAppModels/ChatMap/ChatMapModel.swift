public import Observation
public import YonderClient
public import YonderGeodesy
public import YonderModel
import YonderWire

/// The map of a chat: a pin for each person, lines, the callout of the selected pin, and the person whom the map follows.
///
/// `PersonModels` makes one for a chat's screen, whose view runs ``run()`` while it is shown, draws ``annotations``, sets
/// ``selection`` and passes taps and movements, all on the main actor. Nothing throws: ``problem`` says why there is nothing
/// to show. Running again after the screen was left begins with the server's answer. Which position is newest is decided by
/// `LastPositions` and `AllPositions`, names and colors by `NamedChat`.
///
/// A pin's id must stay the same while its person moves, and a selection until the person leaves the map (decision 14,
/// `ChatMapModelTests`).
///
/// The order of rows and the wording of labels may change, the latter with the page (`PersonState`, `Word`).
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
            beginAll()
            show()
        }
    }

    private var map = MapModel()
    private var shown: NamedChat?
    private var last = LastPositions()
    private var all: AllPositions?
    private var shares: [ShareID: ShownShare] = [:]
    private var followed: UserID?
    private let person: SignedInUser
    private let context: AppContext
    private let ticker: Ticker

    /// Each person's newest position.
    private var newest: [UserID: Message] = [:]

    /// Sends `followAll()` the positions when the person first views all locations in a run.
    @ObservationIgnored private var viewed: AsyncStream<AllPositions>.Continuation?

    /// What the map view shows.
    @ObservationIgnored private var view: Region?

    /// The expiring shares that are over by the clock.
    @ObservationIgnored private var over: Set<ShareID> = []

    /// Creates the model of a chat's map.
    public init(of chat: ChatID, for person: SignedInUser, _ context: AppContext) {
        (self.chat, self.person, self.context) = (chat, person, context)
        connection = ConnectionModel(person.client, context)
        ticker = Ticker(context)
    }

    // MARK: - What the screen shows

    /// The chat's name; empty while it isn't known.
    public var title: String { shown.map { context.name(of: $0, for: person.id) } ?? "" }

    /// What is viewed, below the switch: of all locations, how many there are and since when.
    public var extent: String {
        guard viewsAll else { return context.say(.chatViewsLast) }
        return all?.text(at: ticker.now) ?? context.say(.positionsComing)
    }

    /// The button that shows the locations before those on the map; `nil` if there are none.
    public var earlierText: String? {
        viewsAll && all?.hasEarlier == true ? context.say(.positionsEarlier) : nil
    }

    /// The button that shows the newest locations again; `nil` if these are on the map.
    public var newestText: String? {
        viewsAll && all?.isNewest == false ? context.say(.positionsNewest) : nil
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
        set {
            map.select(newValue)
            all?.look(at: view, selection: map.selection)
        }
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

    /// Call this whenever the map shows another region: of all locations, those in it have a stop each.
    public func look(at region: Region) {
        view = region
        all?.look(at: region, selection: map.selection)
    }

    /// Shows the 200 000 locations before those on the map, in their place.
    public func showEarlier() { all?.earlier() }

    /// Shows the newest locations again.
    public func showNewest() { all?.newest() }

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
            group.addTask { await self.ticker.run { await self.endExpiring() } }
            group.addTask { await self.followChat() }
            group.addTask { await self.followLast() }
            group.addTask { await self.followAll() }
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
        if let chat { all?.chat = chat }
        beginAll()
        problem = chat == nil ? context.say(.chatMissing) : nil
        show()
    }

    private func followLast() async {
        await report { () async throws(SharingError) in
            var updates = await person.client.messages(in: chat, where: .tagged(.location), latest: true)
                .makeAsyncIterator()
            while let update = try await updates.next() {
                last.take(update)
                show()
            }
        }
    }

    /// Follows all positions, from when they are viewed for the first time.
    private func followAll() async {
        let (views, viewed) = AsyncStream.makeStream(of: AllPositions.self)
        self.viewed = viewed
        beginAll()
        for await all in views {
            await report { () async throws(SharingError) in
                try await all.run(person.client) { self.show() }
            }
        }
        (self.viewed, all) = (nil, nil)
    }

    private func beginAll() {
        guard viewsAll, all == nil, let shown, let viewed else { return }
        let new = AllPositions(of: shown, for: person, context)
        new.look(at: view, selection: map.selection)
        all = new
        viewed.yield(new)
    }

    /// Of expiring shares that are over by the clock, positions go at once, also without a connection.
    private func endExpiring() {
        let ended = shares.values.filter {
            $0.share.keeping == .expiring && !$0.share.isRunning(at: ticker.now)
        }
        for share in ended where !over.contains(share.id) { all?.shareEnded(of: share.share.user) }
        over = Set(ended.map(\.id))
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
        newest = Dictionary(last.messages.map { ($0.sender, $0) }) { $1.isNewer(than: $0) ? $1 : $0 }
        _ = map.show(viewsAll ? allAnnotations(in: shown) : lastAnnotations(in: shown))
        // A stop isn't on the map of last locations, but its person is.
        if map.selection == nil, let selected {
            map.select(selected.split(separator: "/").first.map(String.init))
        }
        if isFirst, look == nil { lookAtEverybody() }
        lookAtFollowed()
    }

    private func lastAnnotations(in chat: NamedChat) -> MapAnnotations {
        let gone = Set(states.filter { $0.value.isGone(at: ticker.now) }.keys)
        return MapAnnotations(chat, newest.values.filter { !gone.contains($0.sender) }, extent: .last)
    }

    private func allAnnotations(in chat: NamedChat) -> MapAnnotations {
        let erased = Set(states.filter { $0.value.isErased(at: ticker.now) }.keys)
        let present = newest.values.filter { !erased.contains($0.sender) }
        var annotations = MapAnnotations(chat, present, extent: .last)
        (annotations.lines, annotations.stops) = (all?.picture.lines ?? [:], all?.picture.stops ?? [:])
        return annotations
    }
}
