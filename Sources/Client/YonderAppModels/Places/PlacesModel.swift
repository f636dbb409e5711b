public import Observation
public import YonderClient
public import YonderGeodesy
public import YonderModel

/// The places on a map that its user moves: the first 300 in view, kept current, and the total.
///
/// What was seen before is shown at once, marked as such, until the server's answer comes. The selected place stays on the
/// map and selected while the map is moved away from it, also by its own callout, until the place is gone.
///
/// `PlaceKindsModel` makes one for each kind of places; the screen runs `run()` while it is shown, passes the region in
/// view, and sets the selection, on the main actor. Nothing throws: ``problem`` has the sentence. What is kept of earlier
/// regions is decided by `RegionBrowser` (decision 14, `PlacesModelTests`).
///
/// The 300 are a default of `RegionQuerySettings`, and may change up to the 1 000 that a server lists; so may the order of
/// the list's rows.
@MainActor @Observable
public final class PlacesModel {
    /// The connection, to be shown above the map.
    public let connection: ConnectionModel

    /// What is on the map: draw it by the identities of its objects.
    public var annotations: MapAnnotations { map.annotations }

    /// Why no places can be shown, or that the selected place is gone; `nil` for nothing.
    public private(set) var problem: String?

    /// The place to show on a screen of its own, as its callout's button was tapped.
    ///
    /// The screen sets it to `nil` when it has shown it.
    public var opened: MapObject?

    private var map = MapModel()
    private var answer: RegionAnswer<MapObject>?
    private let context: AppContext
    private let name: PlaceName
    private let asked: AskedRegion<MapObject>
    private let browser: RegionBrowser<MapObject>
    @ObservationIgnored private var visible: Region?
    @ObservationIgnored private var moves: AsyncStream<Void>.Continuation?

    /// Creates the model of an entity's places.
    ///
    /// - Parameters:
    ///   - entity: The entity, which has a location field.
    ///   - person: The person who looks.
    ///   - context: The language and the clock.
    ///   - settings: How many are listed, and when the server is asked.
    public init(
        of entity: Entity,
        for person: SignedInUser,
        _ context: AppContext,
        settings: RegionQuerySettings = RegionQuerySettings()
    ) {
        self.context = context
        connection = ConnectionModel(person.client, context)
        name = PlaceName(entity)
        let asked = AskedRegion<MapObject> { [client = person.client, name = entity.name] region in
            await client.objects(of: name, in: region, limit: settings.limit)
        }
        self.asked = asked
        browser = RegionBrowser(
            RegionQuery(source: entity.name.description, settings: settings),
            clock: context.clock
        ) { (region, _) async throws(SharingError) in try await asked.ask(region) }
    }

    // MARK: - What the screen shows

    /// What the places are called together: *Restaurant*.
    public var title: String { name.kind }

    /// How many are shown and of how many: *300 of 8,114*; that they are of earlier; or that they are being looked for.
    public var text: String {
        guard let count else { return context.say(.placesLooking) }
        let text = text(count, (.placesNoneHere, .placesSome, .placesAll))
        return isCached ? context.say(.appCached, ["places": text]) : text
    }

    /// The same for a voice.
    public var spoken: String {
        guard let count else { return context.say(.placesLooking) }
        return text(count, (.placesNoneHereSpoken, .placesSomeSpoken, .placesAllSpoken))
    }

    /// The number of places in view, listed or not; `nil` while it isn't known.
    public var total: Int? { count?.total }

    /// Whether the places are of an earlier answer, while the server is asked.
    public var isCached: Bool { answer?.isCached ?? false }

    /// The places in view that are listed, by name; the selected one is among them only while it is in view.
    public var rows: [PlaceRow] {
        let held = asked.contents.held
        let inView = annotations.objects.values.filter { $0.subject.id != held || isInView($0.coordinate) }
        return inView.map(row).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The selected place, or `nil`.
    public var callout: PlaceRow? { map.selectedObject.map(row) }

    /// The selected pin's id, or `nil`; a map view sets it.
    public var selection: String? {
        get { map.selection }
        set {
            map.select(newValue)
            asked.hold(map.selectedObject?.subject.id)
            problem = nil
        }
    }

    private var count: (listed: Int, total: Int)? {
        guard let answer else { return nil }
        return (answer.items.count, answer.total)
    }

    private func text(_ count: (listed: Int, total: Int), _ words: (none: Word, some: Word, all: Word))
        -> String
    {
        let values = ["listed": context.number(count.listed), "total": context.number(count.total)]
        if count.total == 0 { return context.say(words.none) }
        return count.listed < count.total
            ? context.say(words.some, values) : context.say(words.all, values, count: count.total)
    }

    private func isInView(_ place: Coordinate) -> Bool { answer?.region.contains(place) ?? false }

    private func row(_ annotation: ObjectAnnotation) -> PlaceRow {
        let name = annotation.title ?? ""
        return PlaceRow(
            id: annotation.subject.id,
            pin: annotation.id,
            name: name,
            address: annotation.subtitle ?? "",
            coordinate: annotation.coordinate,
            open: context.say(.placesOpen),
            openSpoken: context.say(.placesOpenNamed, ["name": name])
        )
    }

    // MARK: - Buttons

    /// Call this whenever the map shows another region.
    public func look(at region: Region) {
        visible = region
        moves?.yield()
    }

    /// Opens the selected place, which stays selected: the tap on its callout's button.
    public func open() {
        opened = map.selectedObject?.subject
    }

    // MARK: - Running

    /// Asks for what is in view, and keeps it current, until the task is canceled.
    public func run() async {
        let (moves, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        self.moves = continuation
        continuation.yield()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.connection.run() }
            group.addTask { await self.browser.run() }
            group.addTask { await self.asked.run { self.changed($0) } }
            group.addTask { await self.follow() }
            for await _ in moves {
                if let visible { await browser.look(at: visible) }
            }
            group.cancelAll()
        }
        self.moves = nil
    }

    private func follow() async {
        for await event in browser.events {
            switch event {
            case .show(let answer):
                self.answer = answer
                problem = nil
                freshen()
                show()
            case .failure(let error) where error != AskedRegion<MapObject>.overtaken:
                problem = context.say(error)
            case .failure: break
            }
        }
    }

    /// Call this when the live region has changed, or has ended with an error.
    private func changed(_ error: SharingError?) {
        if let error { return problem = context.say(error) }
        if freshen() { show() }
    }

    /// Takes what changed in the region since it was asked for, also while the answer was on its way here.
    ///
    /// - Returns: Whether what is shown is of that region.
    @discardableResult
    private func freshen() -> Bool {
        let contents = asked.contents
        guard let answer, !answer.isCached, contents.isCurrent, answer.region == contents.region else {
            return false
        }
        self.answer = RegionAnswer(contents)
        return true
    }

    private func show() {
        guard let answer else { return }
        var places = Dictionary(answer.items.map { ($0.id, $0) }) { $1 }
        if let held = asked.contents.held, places[held] == nil { places[held] = asked.contents.shown[held] }
        let hadSelection = map.selection != nil
        _ = map.show(objects: places.values.map { ObjectAnnotation($0, title: name.name(of: $0)) })
        if hadSelection, map.selection == nil { problem = context.say(.placeGoneNow) }
    }
}
