public import YonderGeodesy
public import YonderModel

/// How a region query behaves.
public struct RegionQuerySettings: Hashable, Sendable {
    /// Where answers come from.
    public var policy = RegionPolicy.localThenRemote

    /// How many things are listed at most.
    public var limit = 300

    /// A margin that the server is asked for too, on each side: a fraction of the region's width and height.
    public var padding = 0.0

    /// How long the region must have rested before the server is asked.
    public var debounce = Duration.milliseconds(150)

    /// How long it may go on moving before the server is asked all the same.
    public var patience = Duration.milliseconds(600)

    /// The usual settings.
    public init() {}
}

/// Decides, as the visible region changes, what to ask the server, what to show, and when.
///
/// There is no clock and no connection inside: each call is told the moment, as a duration since any one moment, and
/// answers with what to do next; ``RegionBrowser`` does it. The first look is asked about at once. Numbers grow with
/// each look: an answer to an older look never replaces what is shown for a newer one. Two questions at most are on
/// their way; of more the newest waits.
public struct RegionQuery<Item: Locatable>: Sendable {
    /// What to do next.
    public enum Action: Hashable, Sendable {
        /// Call ``RegionQuery/wake(at:)`` at this moment, and no longer at one named before.
        case wait(until: Duration)
        /// Ask the server, and call ``RegionQuery/answered(_:_:total:at:)`` or ``RegionQuery/failed(_:_:at:)``.
        case ask(Question)
        /// Show this now.
        case show(RegionAnswer<Item>, number: Int)
        /// The server couldn't be asked about what is to be seen; what is shown stays.
        case fail(SharingError, number: Int)
    }

    /// What the server is to be asked.
    public struct Question: Hashable, Sendable {
        /// Names it in the answer: that of the look.
        public let number: Int
        /// For which region.
        public let region: Region
        /// How many are to be listed at most.
        public let limit: Int
    }

    private struct Putting {
        var at: Duration
        let since: Duration
    }

    private struct Newest {
        let number: Int
        let visible: Region
    }

    /// What is asked, but for the region: answers are kept under it.
    public let source: String

    /// How it behaves.
    public let settings: RegionQuerySettings

    /// What is kept.
    public var cache: RegionCache<Item>

    /// What is shown, and the number of its look.
    public private(set) var shown: (answer: RegionAnswer<Item>, number: Int)?

    private var number = 0
    private var visible: Region?

    /// When to ask, and since when that has been put off.
    private var due: Putting?
    private var asked: [Int: Region] = [:]

    /// What was asked about last, unless that failed.
    private var newest: Newest?
    private var isWaiting = false

    /// Whether the newest look's question failed.
    private var hasFailed = false

    private static var askedLimit: Int { 2 }

    /// Creates a query that was looked at by nobody.
    public init(
        source: String,
        settings: RegionQuerySettings = RegionQuerySettings(),
        cache: RegionCache<Item> = RegionCache()
    ) {
        self.source = source
        self.settings = settings
        self.cache = cache
    }

    // MARK: What happens

    /// The map shows another region.
    public mutating func look(at region: Region, at now: Duration) -> [Action] {
        let isFirst = visible == nil
        if region == visible, isSettled { return [] }
        visible = region
        number += 1
        hasFailed = false
        let local = local(now)
        if settings.policy == .localOnly { return [local ?? nothingKept] }
        if let local, settings.policy == .localOrRemote {
            due = nil
            isWaiting = false
            return [local]
        }
        return (local.map { [$0] } ?? []) + (isFirst ? ask() : putOff(now))
    }

    /// The moment has come that a `wait` named, or not yet.
    public mutating func wake(at now: Duration) -> [Action] {
        guard let due else { return [] }
        if now < due.at { return [.wait(until: due.at)] }
        if let newest, newest.visible == visible,
            shown?.number == newest.number || asked[newest.number] != nil && !isOvertaken(newest.number)
        {
            self.due = nil
            return []
        }
        return askUnlessKept(now)
    }

    /// Asks about the same region again, whatever is kept.
    public mutating func again(at now: Duration) -> [Action] {
        guard visible != nil else { return [] }
        number += 1
        hasFailed = false
        return settings.policy == .localOnly ? [local(now) ?? nothingKept] : ask()
    }

    /// The server has answered.
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

    /// The server couldn't be asked.
    public mutating func failed(_ number: Int, _ error: SharingError, at now: Duration) -> [Action] {
        guard asked.removeValue(forKey: number) != nil else { return [] }
        if newest?.number == number { newest = nil }
        hasFailed = number == self.number
        let next = askNext(now)
        return isOvertaken(number) ? next : [.fail(error, number: number)] + next
    }

    // MARK: What comes of it

    /// Whether the region looked at is shown, asked about, or will be.
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

    private var nothingKept: Action {
        .fail(SharingError(.unavailable, "Nothing is kept for this region."), number: number)
    }

    private mutating func putOff(_ now: Duration) -> [Action] {
        isWaiting = false
        let since = due?.since ?? now
        let at = min(now + settings.debounce, since + settings.patience)
        due = Putting(at: at, since: since)
        return [.wait(until: at)]
    }

    private mutating func askUnlessKept(_ now: Duration) -> [Action] {
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
        isWaiting ? askUnlessKept(now) : []
    }
}
