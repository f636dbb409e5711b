public import Observation
public import YonderClient
import YonderGeodesy
public import YonderLocation
import YonderModel

/// The world: a pin for each other connection, without names, and the person's own place as the system's dot.
///
/// The model sends the person's position into the world after ``showMe()`` alone; ``hide()`` and the end of ``run()`` take
/// the pin away.
///
/// `PersonModels` makes it; the world's screen runs ``run()`` while it is shown, sets ``isInView`` and calls the buttons, on
/// the main actor, also twice. `SharingModel` hides the person by its *stop everywhere*. Nothing throws: a world that can't
/// be shown is a sentence. That no one is shown unasked must stay (`WorldModelTests`).
///
/// ``hue`` and the number of members that are remembered as gone may change here.
@MainActor @Observable
public final class WorldModel {
    private enum Chore: Hashable, Sendable {
        case locate
        case show
        case showAgain
        case hide
    }

    /// The hue of every other one's pin, in degrees: purple.
    public static let hue = 285

    /// The others on the map; the person isn't among them.
    public var annotations: MapAnnotations { map.annotations }

    /// Where the map should look, or `nil` at first.
    public private(set) var look: MapLook?

    /// Whether the person is shown in the world.
    public private(set) var isShown = false

    /// Whether the map follows the person's own place.
    public private(set) var followsMe = false

    /// Whether the app is in view; a view sets it.
    ///
    /// A share in a chat may keep the app running in a pocket. The person isn't shown in the world then, and is again once
    /// the app is in view.
    public var isInView = true {
        didSet {
            if isInView, !oldValue { comeBack() } else if !isInView, oldValue { goAway() }
        }
    }

    /// Why the world can't be seen, or `nil`.
    public private(set) var problem: String?

    private var others: [String: Coordinate?]?

    /// The ids of the members that left during this connection; an update of one of them that arrives later makes no pin.
    @ObservationIgnored private var gone: Set<String> = []

    /// The most ids of ``gone``; at the bound they are forgotten.
    private static let goneLimit = 10_000
    private var wasConnected = false
    private var map = MapModel()
    private var zoomsWhenFound = false

    /// Whether the person wants to be shown; they are once there is a permission.
    @ObservationIgnored private var wantsShown = false

    /// Whether the person was shown when the app left view.
    @ObservationIgnored private var isAway = false
    private let channel: WorldChannel
    private let context: AppContext
    private let place: OwnPlace
    private let chores = Chores<Chore>()

    /// Creates the model of the world.
    ///
    /// - Parameters:
    ///   - channel: The way to the world.
    ///   - location: The device's location.
    ///   - context: The language and the clock.
    public init(over channel: WorldChannel, from location: any LocationService, _ context: AppContext) {
        (self.channel, self.context) = (channel, context)
        place = OwnPlace(location)
    }

    // MARK: - What the screen shows

    /// How many others are here, or that there is no connection.
    public var text: String {
        if let problem { return problem }
        guard let others else { return context.say(wasConnected ? .statusConnecting : .pageConnecting) }
        return others.isEmpty ? context.say(.worldNobody) : context.say(.worldOthers, count: others.count)
    }

    /// What to know about the person's own place: that it is shown, or why it can't be.
    public var ownText: String {
        if isShown, place.failure != nil || place.position == nil { return context.say(.sharingFinding) }
        if isShown { return context.say(.appShown) }
        let isAllowed = [.allowed, .notAsked].contains(place.permission)
        return isAllowed ? context.say(.worldShowMeHint) : context.text(of: place.permission)
    }

    /// The button that shows the person, or hides them.
    public var showText: String { context.say(isShown ? .appHideMe : .worldShowMe) }

    /// What another one is called under the pin and for a voice.
    public func label(of id: String) -> String { context.say(.appStranger, ["id": String(id.prefix(4))]) }

    /// The selected pin's id, or `nil`; a map view sets it.
    public var selection: String? {
        get { map.selection }
        set { map.select(newValue) }
    }

    // MARK: - Buttons

    /// Shows the person in the world, or hides them.
    public func toggleShown() {
        if isShown { hide() } else { showMe() }
    }

    /// Shows the person in the world, once there is a permission and a position.
    public func showMe() {
        (wantsShown, zoomsWhenFound) = (true, true)
        chores.add(.show)
    }

    /// Takes the person's pin away.
    public func hide() {
        (wantsShown, isShown) = (false, false)
        chores.add(.hide)
    }

    private func goAway() {
        isAway = wantsShown
        if wantsShown { hide() }
    }

    private func comeBack() {
        guard isAway else { return }
        (isAway, wantsShown) = (false, true)
        chores.add(.show)
    }

    /// Looks at the person's own place, as soon as it is known.
    public func zoomToMe() {
        zoomsWhenFound = true
        chores.add(.locate)
        lookAtMe()
    }

    /// Keeps the person's own place in the middle of the map, or no more.
    public func toggleFollowingMe() {
        followsMe.toggle()
        if followsMe { chores.add(.locate) }
        lookAtMe()
        restIfIdle()
    }

    /// Call this when the user moves the map by hand: it follows no more.
    public func mapWasMoved() {
        (followsMe, zoomsWhenFound) = (false, false)
        restIfIdle()
    }

    private func lookAtMe() {
        guard let place = place.position?.coordinate else { return }
        if zoomsWhenFound {
            zoomsWhenFound = false
            look = .next(after: look, .close(place))
        } else if followsMe {
            look = .next(after: look, .center(place))
        }
    }

    private func restIfIdle() {
        if !isShown, !followsMe, !zoomsWhenFound { place.stop() }
    }

    // MARK: - Running

    /// Watches the world until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.place.followPermission() }
            group.addTask { await self.chores.run { await self.perform($0) } }
            group.addTask { await self.watch() }
        }
        (wantsShown, isShown, others) = (false, false, nil)
    }

    private func watch() async {
        do throws(SharingError) {
            try await channel.run { self.take($0) }
        } catch {
            others = nil
            problem = error.code == .worldClosed ? context.say(.worldClosedHint) : context.say(error)
            showEverybody()
        }
    }

    private func take(_ event: WorldChannel.Event) {
        switch event {
        case .connected(let others):
            (self.others, gone, wasConnected, problem) = (others, [], true, nil)
            if isShown { chores.add(.showAgain) }
            showEverybody()
        case .disconnected:
            others = nil
            showEverybody()
        case .joined(let id): if others?[id] == nil { set(id, nil) }
        case .moved(let id, let place): set(id, place)
        case .left(let id): leave(id)
        }
    }

    private func set(_ id: String, _ place: Coordinate?) {
        guard others != nil, !gone.contains(id) else { return }
        others?[id] = .some(place)
        // Socket.IO has an event for each pin of a newcomer's world, so an event changes its own pin alone.
        if let place { map.put(MapPin(ofStranger: id, at: place)) } else { map.removePin(id) }
    }

    private func leave(_ id: String) {
        if gone.count >= Self.goneLimit { gone = [] }
        gone.insert(id)
        others?[id] = nil
        map.removePin(id)
    }

    private func showEverybody() {
        _ = map.show(MapAnnotations(world: (others ?? [:]).compactMapValues(\.self)))
    }

    private func perform(_ chore: Chore) async {
        switch chore {
        case .locate: await locate()
        case .hide:
            await channel.hide()
            restIfIdle()
        case .showAgain: await showIfWanted()
        case .show:
            guard await place.ask() == .allowed else { return (wantsShown, zoomsWhenFound) = (false, false) }
            isShown = wantsShown
            lookAtMe()
            await showIfWanted()
            await locate()
        }
    }

    /// Reads the person's own place as long as it is needed.
    private func locate() async {
        guard await place.ask() == .allowed else { return (followsMe, zoomsWhenFound) = (false, false) }
        await place.read { _ in await self.found() }
    }

    private func found() async {
        lookAtMe()
        await showIfWanted()
        restIfIdle()
    }

    private func showIfWanted() async {
        if isShown, let place = place.position?.coordinate { await channel.show(place) }
    }
}
