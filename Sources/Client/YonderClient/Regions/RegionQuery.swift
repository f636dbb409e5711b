public import YonderGeodesy
public import YonderModel

/// The settings of a region query.
///
/// `RegionBrowser` has one for its map, on its actor; an app without a browser may have its own. Every call returns actions
/// and none throws: a question that failed is one `fail` action, and the answer shown stays. A late answer to an older look
/// is dropped, and may still be cached.
///
/// Settings are an app's choice, and their defaults may change with `Documentation/maps.md`. Which look is asked when, and
/// which answer shown, must be the same as on the page: both run through one set of fixtures (`RegionQueryFixtureTests`).
public struct RegionQuerySettings: Hashable, Sendable {
    /// The source of answers.
    public var policy = RegionPolicy.localThenRemote

    /// The most items listed.
    public var limit = 300

    /// The margin to request on each side, as a fraction of the region's width and height.
    public var padding = 0.0

    /// The debounce: how long the region must stay unchanged before the server is asked.
    public var debounce = Duration.milliseconds(150)

    /// The longest time for which a moving region may postpone the question to the server.
    public var patience = Duration.milliseconds(600)

    /// Creates the default settings.
    public init() {}
}

/// Decides, as the visible region changes, when to ask the server for what, and when to show which answer.
///
/// A plain value without a clock and a connection: each call takes the time as a duration since any fixed
/// moment, and returns what to do next; ``RegionBrowser`` does it. The first look is asked about at once.
/// Looks are numbered: an answer to an older look never replaces one for a newer look. At most two questions
/// are in flight; of the others only the newest is kept.
public struct RegionQuery<Item: Locatable>: Sendable {
    /// An action to take.
    public enum Action: Hashable, Sendable {
        /// Call ``RegionQuery/wake(at:)`` at this time, instead of at any time returned earlier.
        case wait(until: Duration)
        /// Ask the server, then call ``RegionQuery/answered(_:_:total:at:)`` or
        /// ``RegionQuery/failed(_:_:at:)``.
        case ask(Question)
        /// Show this answer now.
        case show(RegionAnswer<Item>, number: Int)
        /// The server couldn't be asked about the visible region; the answer shown stays.
        case fail(SharingError, number: Int)
    }

    /// A question for the server.
    public struct Question: Hashable, Sendable {
        /// The number of the look, which the answer must repeat.
        public let number: Int
        /// The region.
        public let region: Region
        /// The most items to list.
        public let limit: Int
    }

    private struct Postponed {
        var at: Duration
        let since: Duration
    }

    private struct Newest {
        let number: Int
        let visible: Region
    }

    /// The query without its region, under which answers are cached.
    public let source: String

    /// The settings.
    public let settings: RegionQuerySettings

    /// The cached answers.
    public var cache: RegionCache<Item>

    /// The answer shown, and the number of its look.
    public private(set) var shown: (answer: RegionAnswer<Item>, number: Int)?

    private var number = 0
    private var visible: Region?

    /// The time at which to ask, and the time since when the question has been postponed.
    private var due: Postponed?
    private var asked: [Int: Region] = [:]

    /// The last question asked, unless it failed.
    private var newest: Newest?
    private var isWaiting = false

    /// Whether the newest look's question failed.
    private var hasFailed = false

    private static var askedLimit: Int { 2 }

    /// Creates a query without a region.
    public init(
        source: String,
        settings: RegionQuerySettings = RegionQuerySettings(),
        cache: RegionCache<Item> = RegionCache()
    ) {
        self.source = source
        self.settings = settings
        self.cache = cache
    }

    // MARK: Events

    /// Call this when the map shows another region.
    public mutating func look(at region: Region, at now: Duration) -> [Action] {
        let isFirst = visible == nil
        if region == visible, isSettled { return [] }
        visible = region
        number += 1
        hasFailed = false
        let local = local(now)
        if settings.policy == .localOnly { return [local ?? noAnswer] }
        if let local, settings.policy == .localOrRemote {
            due = nil
            isWaiting = false
            return [local]
        }
        return (local.map { [$0] } ?? []) + (isFirst ? ask() : postpone(now))
    }

    /// Call this at the time that a `wait` gave; an earlier call returns another `wait`.
    public mutating func wake(at now: Duration) -> [Action] {
        guard let due else { return [] }
        if now < due.at { return [.wait(until: due.at)] }
        if let newest, newest.visible == visible,
            shown?.number == newest.number || asked[newest.number] != nil && !isOvertaken(newest.number)
        {
            self.due = nil
            return []
        }
        return askUnlessCached(now)
    }

    /// Asks the server about the same region again, ignoring the cache.
    public mutating func again(at now: Duration) -> [Action] {
        guard visible != nil else { return [] }
        number += 1
        hasFailed = false
        return settings.policy == .localOnly ? [local(now) ?? noAnswer] : ask()
    }

    /// Call this when the server has answered.
    public mutating func answered(
        _ number: Int,
        _ items: [Item],
        total: Int,
        at now: Duration
    ) -> [Action] {
        guard let region = asked.removeValue(forKey: number) else { return [] }
        let answer = RegionAnswer(region: region, limit: settings.limit, total: total, items: items)
        if settings.policy.stores { cache.store(answer, from: source, at: now) }
        if isOvertaken(number) { return askNext(now) }
        shown = (answer, number)
        return [.show(answer, number: number)] + askNext(now)
    }

    /// Call this when the server couldn't be asked.
    public mutating func failed(_ number: Int, _ error: SharingError, at now: Duration) -> [Action] {
        guard asked.removeValue(forKey: number) != nil else { return [] }
        if newest?.number == number { newest = nil }
        hasFailed = number == self.number
        let next = askNext(now)
        return isOvertaken(number) ? next : [.fail(error, number: number)] + next
    }

    // MARK: Decisions

    /// Whether the visible region is shown, asked about, or scheduled to be.
    private var isSettled: Bool {
        if hasFailed { return false }
        return due != nil || isWaiting || shown?.number == number
            || newest != nil && newest?.visible == visible
    }

    private func isOvertaken(_ number: Int) -> Bool {
        shown.map { $0.number > number } ?? false
    }

    private mutating func local(_ now: Duration) -> Action? {
        guard settings.policy.looksLocally, let visible else { return nil }
        let wide = visible.padded(by: settings.padding)
        let answer =
            cache.find(wide, from: source, limit: settings.limit, at: now)
            ?? cache.find(visible, from: source, limit: settings.limit, at: now)
        guard let answer else { return nil }
        shown = (answer, number)
        return .show(answer, number: number)
    }

    private var noAnswer: Action {
        .fail(
            SharingError(
                .unavailable,
                "The cache has no answer for this region; use a policy that asks the server."
            ),
            number: number
        )
    }

    private mutating func postpone(_ now: Duration) -> [Action] {
        isWaiting = false
        let since = due?.since ?? now
        let at = min(now + settings.debounce, since + settings.patience)
        due = Postponed(at: at, since: since)
        return [.wait(until: at)]
    }

    private mutating func askUnlessCached(_ now: Duration) -> [Action] {
        guard settings.policy == .localOrRemote, let local = local(now) else { return ask() }
        due = nil
        isWaiting = false
        return [local]
    }

    private mutating func ask() -> [Action] {
        due = nil
        guard let visible else { return [] }
        isWaiting = asked.count >= Self.askedLimit
        guard !isWaiting else { return [] }
        let region = visible.padded(by: settings.padding)
        asked[number] = region
        newest = Newest(number: number, visible: visible)
        return [.ask(Question(number: number, region: region, limit: settings.limit))]
    }

    private mutating func askNext(_ now: Duration) -> [Action] {
        isWaiting ? askUnlessCached(now) : []
    }
}
